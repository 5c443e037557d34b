/**
 * Loads and runs the service. Node keeps a copy of all compiled code read from NODE_COMPILE_CACHE until the cache
 * is flushed, 18 MB here: flushing during module loading lets later modules reuse the memory.
 */
import { flushCompileCache, registerHooks } from 'node:module'

const FLUSH_EVERY_MODULES = 64

let loaded = 0
registerHooks({
  load(url, context, nextLoad) {
    loaded += 1
    if (loaded % FLUSH_EVERY_MODULES === 0) flushCompileCache()
    return nextLoad(url, context)
  },
})

const { run } = await import('./run.ts')
await run()
