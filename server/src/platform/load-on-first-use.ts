/** Lazy loading of packages that a process may never use, to save memory. Synchronous, so that pure code can use it. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export function loadOnFirstUse<T>(name: string): () => T {
  let loaded: T | undefined
  return () => {
    loaded ??= require(name) as T
    return loaded
  }
}
