// Runs the proofs, `**/*.proof.ts`: hundreds of worlds with known true values. `-- <file>` limits the run, `-- --changed`
// to those whose sources differ from proofs.lock and one more, drawn by the commit.
import { execFileSync } from 'node:child_process'
import { install } from './install.mjs'
import { root, run, runtime, say } from './project.mjs'

await install()
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.proofs.config.ts']
const args = process.argv.slice(2)
const chosen = args.includes('--changed') ? changed() : []
if (chosen.length > 0)
  say(`Changed since they were last proven, and one drawn by the commit: ${chosen.join(', ')}`)
process.exit(await run(runtime(), [...vitest, ...chosen, ...args.filter((arg) => arg !== '--changed')]))

function changed() {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], options).trim()
  return execFileSync(runtime(), ['server/test/proofs/changed.ts', commit], options).trim().split('\n')
}
