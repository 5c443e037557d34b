/** Packages that a process may never use: what is loaded stays in memory. Pure code cannot wait for an import. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export function loadOnFirstUse<T>(name: string): () => T {
  let loaded: T | undefined
  return () => {
    loaded ??= require(name) as T
    return loaded
  }
}
