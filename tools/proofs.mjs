// Runs the proofs, `**/*.proof.ts`: hundreds of worlds with known true values. `-- <file>` limits the run.
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.proofs.config.ts']
process.exit(await run(runtime(), [...vitest, ...process.argv.slice(2)]))
