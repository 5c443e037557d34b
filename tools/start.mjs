import { fileURLToPath } from 'node:url'
import { installAndBuild } from './build.mjs'
import { environment, root, run, runtime } from './project.mjs'

const guard = ['--import', fileURLToPath(new URL('end-with-parent.mjs', import.meta.url))]
const main = ['server/src/main.ts', ...process.argv.slice(2)]
const underNpm = process.env.npm_lifecycle_event === 'start'

await installAndBuild()

if (process.execve) {
  // The service replaces this process, so that it receives every signal, also kill -9.
  process.removeAllListeners('warning')
  process.chdir(root)
  process.execve(runtime(), [runtime(), ...(underNpm ? guard : []), ...main], environment())
}
if (underNpm) await import('./end-with-parent.mjs')
process.exit(await run(runtime(), [...guard, ...main]))
