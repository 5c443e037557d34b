import { run, runtime } from '../project.mjs'

let running = Promise.resolve()

/**
 * Regenerates openapi.json and the operations of the SDK after a changed contract; Vite then reloads the console.
 * One run at a time; the service does not wait for it.
 */
export function writeOperations(say) {
  running = running.then(async () => {
    const code = await run(runtime(), ['tools/generated-files.ts', '--api'], { quiet: true }).catch(() => 1)
    if (code !== 0) say('The operations of the SDK were not written; see the output above.')
  })
  return running
}
