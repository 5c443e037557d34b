// Removes each listed guard in a copy of the checkout and runs the test that must fail.
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
process.exit(await run(runtime(), ['server/test/guards/run.ts', ...process.argv.slice(2)]))
