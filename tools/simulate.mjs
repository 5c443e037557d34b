// Runs the pipeline and the webhook sender under seeded faults; `-- --steps 1000000 --seed 7`.
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
process.exit(await run(runtime(), ['server/test/simulation/run.ts', ...process.argv.slice(2)]))
