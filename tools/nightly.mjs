// Everything at full length: .ci/run with all proofs, all database tests on both engines and a seed of the day, then every
// guard removed in turn, then all tests with another date. Hours on two cores.
import { install } from './install.mjs'
import { nightlyDate } from './moved-dates.mjs'
import { environment, root, run, runtime, say } from './project.mjs'

await install()
const seed = process.env.SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '')
say(`nightly: SEED=${seed}`)
const env = { ...environment(), NIGHTLY: '1', SEED: seed }
const steps = [
  ['bash', ['.ci/run', ...process.argv.slice(2)], { env }],
  [runtime(), ['server/test/guards/run.ts']],
  [runtime(), ['tools/moved-clock.mjs', nightlyDate(new Date()).toISOString()]],
]
let failed = 0
for (const [command, args, options] of steps) {
  const code = await run(command, args, { cwd: root, ...options })
  if (code !== 0) failed++
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${args[0]}`)
}
process.exit(failed === 0 ? 0 : 1)
