import { build } from './build.mjs'
import { install } from './install.mjs'
import { environment, root, run, runtime } from './project.mjs'

await install()
await build()

const command = ['server/src/main.ts', ...process.argv.slice(2)]
if (process.execve) {
  // The service takes this process's place, so that every signal, also kill -9, is its own.
  process.removeAllListeners('warning')
  process.chdir(root)
  process.execve(runtime(), [runtime(), ...command], environment())
}
process.exit(await run(runtime(), command))
