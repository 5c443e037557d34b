import { build } from './build.mjs'
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
const [prepared] = await Promise.all([
  // Before the tests, because unpacking or installing a browser may exceed a test's timeout.
  run(runtime(), ['server/test/browser.ts'], { quiet: true }),
  // Fills the compile cache: many tests start the service as a separate process, and a killed one writes no cache.
  run(runtime(), ['--eval', "import('./server/src/api.ts')"], { quiet: true }),
  build(),
])
if (prepared !== 0) process.exit(prepared)
process.exit(await run(runtime(), ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]))
