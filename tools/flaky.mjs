// Runs test files 20 times in random order, next to two processes that keep a core busy each, with pages that load slowly.
// Without files: the test files that changed since main. `ROUNDS=5` changes the number.
import { execFileSync, spawn } from 'node:child_process'
import { build } from './build.mjs'
import { changedFiles } from './changed-files.mjs'
import { install } from './install.mjs'
import { environment, fail, root, run, runtime, say } from './project.mjs'

await install()
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const isTest = (file) => /\.test\.tsx?$/.test(file)
const files = process.argv.length > 2 ? process.argv.slice(2) : (changedFiles(git) ?? []).filter(isTest)
if (files.length === 0) fail('No test file changed: npm run flaky -- <files>')
const rounds = Number(process.env.ROUNDS ?? 20)

await build()
const busy = Array.from({ length: 2 }, () => spawn(runtime(), ['--eval', 'for (;;);'], { stdio: 'ignore' }))
process.on('exit', () => {
  for (const child of busy) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const failed = []
for (let round = 1; round <= rounds; round++) {
  const env = { SLOW_PAGES: String(round), ...environment(), SHUFFLE: String(round) }
  const usual = files.filter((file) => !file.includes('.long.test.'))
  const long = files.filter((file) => file.includes('.long.test.'))
  const codes = []
  if (usual.length > 0) codes.push(await once(usual, [], env))
  if (long.length > 0) codes.push(await once(long, ['--config=vitest.long.config.ts'], env))
  const isGreen = codes.every((code) => code === 0)
  if (!isGreen) failed.push(round)
  say(`${isGreen ? 'ok    ' : 'FAILED'} round ${round} of ${rounds}`)
}
say(
  failed.length === 0
    ? `${rounds} rounds passed`
    : `Failed in ${failed.length} of ${rounds} rounds: ${failed.join(', ')}`,
)
process.exit(failed.length === 0 ? 0 : 1)

/** One worker, so that each file finds what the one before it left. */
function once(chosen, options, env) {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...options,
    '--maxWorkers=1',
    '--testTimeout=480000',
  ]
  return run(runtime(), [...vitest, ...chosen], { env, quiet: true })
}
