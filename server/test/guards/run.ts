/**
 * Removes one guard after the other, in copies of the checkout, and runs the test that must fail.
 * `npm run mutate`, or `npm run mutate -- words` for guards with the words in their name or file;
 * `--check` only checks that the list matches the code.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { copyCheckout } from './checkout-copy.ts'
import { listFaults, root } from './faults.ts'
import { type Guard, titlePattern } from './guard.ts'
import { guards } from './guards.ts'

const LIMIT_MS = 180_000

type Verdict = 'red' | 'SURVIVED' | 'NO SUCH TEST' | 'TOO SLOW' | 'BROKEN'
type Report = {
  testResults: { assertionResults: { fullName: string; status: string }[]; message?: string }[]
}

/** Results of the tests with this title; undefined if they did not end in time. */
async function runTest(
  checkout: string,
  { test }: Guard,
): Promise<{ passed: number; failed: number } | undefined> {
  const output = join(checkout, 'mutant.json')
  const pattern = titlePattern(test.title)
  await writeFile(output, '{"testResults":[]}')
  const isKilled = await new Promise<boolean>((resolve) => {
    execFile(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        test.file,
        '--reporter=json',
        `--outputFile=${output}`,
        '-t',
        pattern.source,
      ],
      { cwd: checkout, timeout: LIMIT_MS, killSignal: 'SIGTERM', maxBuffer: 64 * 1024 * 1024 },
      (error) => resolve(error?.killed === true),
    )
  })
  if (isKilled) return
  const report = JSON.parse(await readFile(output, 'utf8')) as Report
  const own = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ fullName }) => pattern.test(fullName))
  const count = (status: string) => own.filter((result) => result.status === status).length
  return { passed: count('passed'), failed: count('failed') }
}

async function judge(checkout: string, guard: Guard): Promise<Verdict> {
  const path = join(checkout, guard.file)
  const code = await readFile(path, 'utf8')
  await writeFile(
    path,
    code.replace(guard.snippet, () => guard.replacement),
  )
  const without = await runTest(checkout, guard).finally(() => writeFile(path, code))
  if (without === undefined) return 'TOO SLOW'
  if (without.failed > 0) return 'red'
  if (without.passed > 0) return 'SURVIVED'
  // Neither: either the file's setup fails without the guard, or there is no such test.
  const whole = await runTest(checkout, guard)
  if (whole === undefined) return 'TOO SLOW'
  return whole.passed > 0 ? 'BROKEN' : 'NO SUCH TEST'
}

const faults = listFaults()
for (const fault of faults) console.log(fault)
if (faults.length > 0) {
  console.log(`${faults.length} guards of server/test/guards do not match the code: update them with it`)
  process.exit(1)
}
if (process.argv.includes('--check')) process.exit(0)

const words = process.argv.slice(2).join(' ').toLowerCase()
const chosen = guards.filter((guard) => `${guard.name} ${guard.file}`.toLowerCase().includes(words))
const verdicts: Verdict[] = []
const waiting = chosen.values()
const startedAt = Date.now()

async function work(): Promise<void> {
  const checkout = await copyCheckout(root)
  try {
    for (const guard of waiting) {
      const began = Date.now()
      const verdict = await judge(checkout.path, guard)
      verdicts.push(verdict)
      const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(5)
      console.log(`${verdict.padEnd(12)} ${seconds} s  ${guard.name}  (${guard.test.title})`)
    }
  } finally {
    await checkout.remove()
  }
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, work))
const red = verdicts.filter((verdict) => verdict === 'red').length
const seconds = Math.round((Date.now() - startedAt) / 1000)
console.log(`${red} of ${chosen.length} guards turn their test red when they are removed (${seconds} s)`)
process.exit(red === chosen.length && chosen.length > 0 ? 0 : 1)
