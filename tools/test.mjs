import { build } from './build.mjs'
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
const [prepared] = await Promise.all([
  // Ahead of the tests, because unpacking or installing a browser may outlast a test's own limit.
  run(runtime(), ['server/test/browser.ts'], { quiet: true }),
  // Many tests start the service as a process of its own, and one that is killed keeps nothing of what it compiled.
  run(runtime(), ['--eval', "import('./server/src/api.ts')"], { quiet: true }),
  build(),
])
if (prepared !== 0) process.exit(prepared)
process.exit(await run(runtime(), ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]))
