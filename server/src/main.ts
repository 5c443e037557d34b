/**
 * Loads the service and runs it. Node keeps a copy of all compiled code that it read from NODE_COMPILE_CACHE until the
 * cache is flushed, 18 MB here: flushed while modules are loaded, the next ones use the memory again.
 */
import { flushCompileCache, registerHooks } from 'node:module'

const MODULES_BETWEEN = 64

let loaded = 0
registerHooks({
  load(url, context, nextLoad) {
    loaded += 1
    if (loaded % MODULES_BETWEEN === 0) flushCompileCache()
    return nextLoad(url, context)
  },
})

const { run } = await import('./run.ts')
await run()
