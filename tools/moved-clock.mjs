// Runs tests with another date: `-- 2028-02-29T12:00Z [files]`. libfaketime moves the clock of the test processes, of the
// services that they start and of the embedded database by the same time; moving only one of them misleads.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from './install.mjs'
import { environment, fail, run, runtime, say } from './project.mjs'

/**
 * They wait for a timer of PostgreSQL (statement_timeout, lock_timeout, deadlock_timeout) in a waiting statement.
 * libfaketime returns the real time to the signal handler, so with a clock in the future that timer never fires.
 */
const untestable = [
  'a check over its time limit returns 504',
  'a migration whose table is locked lets others proceed and retries',
  'of two transactions in a deadlock one runs once more, and a second conflict is an error',
]

const [date = '', ...args] = process.argv.slice(2)
const moment = Date.parse(date)
if (Number.isNaN(moment))
  fail('Usage: npm run moved-clock -- <date, as 2028-02-29T12:00Z> [files and options of vitest]')
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))
if (library === undefined) fail('libfaketime is not installed: apt-get install faketime')

await install()
// Its own folder: by a clock in the future, the folders of other runs are old, and abandoned ones are removed.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'moved-'))
chmodSync(folder, 0o755)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// A difference, because with a fixed date every process would begin at that date.
const seconds = Math.round((moment - Date.now()) / 1000)
say(`The clock is moved by ${seconds} seconds, to ${new Date(moment).toISOString()}.`)
const names = args.includes('-t') ? [] : ['-t', `^(?!.*(${untestable.join('|')}))`]
process.exit(
  await run(runtime(), ['node_modules/vitest/vitest.mjs', 'run', ...names, ...args], {
    env: {
      ...environment(),
      TMPDIR: folder,
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
      // Timers and durations are measured with the monotonic clock.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }),
)
