/** Measures a minute without a worker, for citus.ts. */
import { exec } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { printBar } from './citus-bars.ts'
import type { Tenant } from './citus-costs.ts'
import { type Answer, p95, sendSteadily, settle } from './citus-traffic.ts'
import type { World } from './world.ts'

const AWAY_SECONDS = Number(process.env.AWAY ?? 60)

/** Expects no effect on tenants of other workers, and 503 with Retry-After for tenants of the stopped worker. */
export async function measureWithoutWorker(
  world: World,
  tenants: readonly Tenant[],
  rate: number,
): Promise<void> {
  const { WORKER: name, WORKER_STOP: stop = '', WORKER_START: start = '' } = process.env
  const shell = promisify(exec)
  const isHere = (answer: Answer) => answer.tenant.node === name
  if (!tenants.some(({ node }) => node === name)) throw new Error(`No tenant is stored on ${name}`)
  const send = async (seconds: number) => sendSteadily(world, tenants, { seconds, rate })
  const before = await send(AWAY_SECONDS / 2)
  await settle(world, tenants)
  await shell(stop)
  const during = await send(AWAY_SECONDS)
  const ready = await fetch(`${world.baseUrl}/readyz`)
  const metrics = await (await fetch(`${world.baseUrl}/metrics`)).text()
  await shell(start)
  await pause(5000)
  // Warms up the new connections to the worker.
  await send(AWAY_SECONDS / 2)
  await settle(world, tenants)
  const after = await send(AWAY_SECONDS / 2)
  await settle(world, tenants)
  for (const [when, answers] of [
    ['before', before],
    ['worker away', during],
    ['after', after],
  ] as const) {
    printAnswers(
      `${when}, tenants of the others`,
      answers.filter((answer) => !isHere(answer)),
    )
    printAnswers(`${when}, tenants of the worker`, answers.filter(isHere))
  }
  console.log(
    metrics
      .split('\n')
      .filter((line) => line.startsWith('database_node_up'))
      .map((line) => `  ${line}`)
      .join('\n'),
  )
  const answersOfOthers = (answers: readonly Answer[]) => answers.filter((answer) => !isHere(answer))
  const failedCount = answersOfOthers(during).filter(({ status }) => status !== 202).length
  printBar('errors of the others, worker away', failedCount, failedCount === 0, 'none')
  const ratio = p95(answersOfOthers(during)) / p95(answersOfOthers([...before, ...after]))
  printBar('p95 of the others, worker away / before and after', ratio, ratio <= 1.2, '≤ 1.2')
  const wrong = during
    .filter(isHere)
    .filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)
  printBar(
    'responses to its own tenants that are not 503 with Retry-After',
    wrong.length,
    wrong.length === 0,
    'none',
  )
  const lateErrorCount = after.filter(({ status }) => status !== 202).length
  printBar('errors of all after it came back', lateErrorCount, lateErrorCount === 0, 'none')
  printBar('/readyz, worker away', ready.status, ready.status === 200, '200')
}

function printAnswers(label: string, answers: readonly Answer[]): void {
  const statuses = Object.entries(Object.groupBy(answers, ({ status }) => status))
    .map(([status, group]) => `${group!.length} × ${status}`)
    .join(', ')
  console.log(`  ${label.padEnd(34)} ${statuses}  p95 ${p95(answers).toFixed(0)} ms`)
}
