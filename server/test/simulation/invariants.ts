/** Invariants after each phase, checked by plain loops over the records of senders and receivers. */
import { models } from '@whence/engine'
import type pg from 'pg'
import { overviewDays } from '../../src/features/figures/rollups/overview-days.ts'
import { attemptDelaysMs } from '../../src/features/outgoing/webhooks/rules.ts'
import type { Db } from '../../src/platform/db/database.ts'
import type { Try } from './scripted-receivers.ts'
import type { World } from './world.ts'

/** The jitter of retries, and a tolerance for reading the clocks at both ends. */
const SHORTEST = 0.9
const MOMENT_MS = 3000
const wholeRange = { from: '2026-01-01', to: '2026-02-28', days: 59 }

export async function listViolations(parts: {
  admin: pg.Client
  db: Db
  world: World
  tries: Map<string, Try[]>
}): Promise<string[]> {
  const { admin, world } = parts
  const violations: string[] = []
  const check = (holds: boolean, what: string) => {
    if (!holds) violations.push(what)
  }
  for (const profileId of world.profileIds) {
    const facts = world.facts.filter((fact) => fact.profileId === profileId)
    await checkFigures(parts, profileId, facts, check)
    await checkReplay(admin, profileId, world, facts, check)
  }
  await checkDeliveries(parts, check)
  await checkJobs(admin, check)
  return violations
}

type Check = (holds: boolean, what: string) => void
type Facts = World['facts']

async function checkFigures(
  { admin, db }: { admin: pg.Client; db: Db },
  profileId: string,
  facts: Facts,
  check: Check,
): Promise<void> {
  for (const fact of facts) check(fact.isAcknowledged, `${fact.key} was never acknowledged`)
  const { rows } = await admin.query<{ external_id: string; value_minor: string }>(
    'select external_id, value_minor from conversions where profile_id = $1 order by external_id',
    [profileId],
  )
  const stored = rows.map((row) => `${row.external_id} ${row.value_minor}`)
  const expected = facts.map((fact) => `${fact.key} ${fact.amountMinor}`)
  const missing = expected.filter((line) => !stored.includes(line))
  const extra = stored.filter((line) => !expected.includes(line))
  check(missing.length === 0, `acknowledged and not counted: ${missing.slice(0, 5)}`)
  check(extra.length === 0, `counted and never meant: ${extra.slice(0, 5)}`)
  check(new Set(stored).size === stored.length, 'a conversion is counted twice')
  const days = new Map<string, { cash: number; payments: number }>()
  for (const fact of facts) {
    const day = fact.occurredAt.slice(0, 10)
    const sum = days.get(day) ?? { cash: 0, payments: 0 }
    days.set(day, { cash: sum.cash + fact.amountMinor, payments: sum.payments + 1 })
  }
  const total = facts.reduce((sum, fact) => sum + fact.amountMinor, 0)
  for (const model of models) {
    const reported = await overviewDays(db, { profileId, model, range: wholeRange })
    for (const [day, { cash, payments }] of days) {
      const row = reported.find((candidate) => candidate.day === day)
      check(
        row?.cash_minor === cash && row.payments === payments,
        `${day}: the report says ${row?.cash_minor} in ${row?.payments} payments, the sum is ${cash} in ${payments}`,
      )
    }
    const sum = reported.reduce((all, row) => all + row.cash_minor, 0)
    check(sum === total, `the report of ${model} says ${sum}, the sum is ${total}`)
    const { rows: credit } = await admin.query<{ credited: string }>(
      `select coalesce(sum(${model}_minor), 0) as credited from credit_daily
       where profile_id = $1 and level = 'campaign' and revenue_type like 'cash%'`,
      [profileId],
    )
    check(Number(credit[0]!.credited) === total, `${model} credits ${credit[0]!.credited} of ${total}`)
  }
}

async function checkReplay(
  admin: pg.Client,
  profileId: string,
  world: World,
  facts: Facts,
  check: Check,
): Promise<void> {
  const { rows } = await admin.query<{ external_id: string }>(
    `select data->>'external_id' as external_id from outbox_events
     where profile_id = $1 and type = 'outcome.recorded' order by number`,
    [profileId],
  )
  const sentKeys = rows.map((row) => row.external_id)
  check(new Set(sentKeys).size === sentKeys.length, 'an outcome is sent twice')
  const missing = facts.filter((fact) => !sentKeys.includes(fact.key)).map((fact) => fact.key)
  check(missing.length === 0, `stored and not sent: ${missing.slice(0, 5)}`)
  const { seen } = world.readers.find((reader) => reader.profileId === profileId)!
  check(
    seen.join() === sentKeys.join(),
    `the replay gave ${seen.length} of ${sentKeys.length} outcomes, or in another order: ${sentKeys.filter((key) => !seen.includes(key)).slice(0, 5)} missing`,
  )
}

type DeliveryRow = {
  id: string
  subscription_id: string
  number: string | null
  status: string
  attempt_count: number
  attempts: { attempt: number; response_status: number | null }[]
}

async function checkDeliveries(
  { admin, world, tries }: { admin: pg.Client; world: World; tries: Map<string, Try[]> },
  check: Check,
): Promise<void> {
  const { rows: subscriptions } = await admin.query<{ id: string; status: string; events: string }>(
    `select s.id, s.status, (select count(*) from outbox_events e where e.profile_id = s.profile_id
       and e.number > s.after_number and e.type = 'outcome.recorded') as events
     from webhook_subscriptions s where s.profile_id = any($1)`,
    [world.profileIds],
  )
  const { rows } = await admin.query<DeliveryRow>(
    `select id, subscription_id, number, status, attempt_count, attempts from webhook_deliveries
     where profile_id = any($1)`,
    [world.profileIds],
  )
  const bySubscription = Map.groupBy(rows, (row) => row.subscription_id)
  for (const { id, status, events } of subscriptions) {
    const deliveries = bySubscription.get(id) ?? []
    check(
      new Set(deliveries.map((row) => row.number)).size === deliveries.length,
      'an event has two deliveries to one endpoint',
    )
    if (status === 'active')
      check(
        deliveries.length === Number(events),
        `${events} events have ${deliveries.length} deliveries to an endpoint`,
      )
  }
  for (const row of rows) {
    const rowTries = tries.get(row.id) ?? []
    const numbers = row.attempts.map((entry) => entry.attempt)
    check(
      numbers.every((number, at) => number === at + 1) && row.attempt_count === numbers.length,
      `the attempts of a delivery are numbered ${numbers}`,
    )
    check(numbers.length <= attemptDelaysMs.length, `a delivery was tried ${numbers.length} times`)
    const last = row.attempts.at(-1)
    const isGood = (last?.response_status ?? 0) >= 200 && (last?.response_status ?? 0) < 300
    check(
      (row.status === 'delivered') === isGood,
      `a delivery is ${row.status} after ${last?.response_status}`,
    )
    if (row.status === 'delivered')
      check(
        rowTries.some((attempt) => attempt.status !== null && attempt.status < 300),
        'a delivery is called delivered that no receiver got',
      )
    if (row.status === 'failed')
      check(
        numbers.length === attemptDelaysMs.length || last?.response_status === 410,
        `a delivery was given up after ${numbers.length} attempts`,
      )
    check(
      followsSchedule(rowTries, numbers.length),
      `${numbers.length} attempts came sooner than the schedule: ${rowTries.map((attempt) => `${attempt.atMs}–${attempt.endMs} ms`)}`,
    )
  }
}

/**
 * Attempts that could not be recorded are repeated immediately; the others wait for their schedule. Which ones were
 * recorded is unknown: greedily by end time, this finds the largest set that respects the schedule, also if the first to
 * begin, whose process had lost the delivery, was the last to end.
 */
export function followsSchedule(tries: readonly Try[], attempts: number): boolean {
  let matched = 0
  let notBefore = Number.NEGATIVE_INFINITY
  for (const attempt of tries.toSorted((a, b) => a.endMs + a.movedMs - (b.endMs + b.movedMs))) {
    if (attempt.atMs + attempt.movedMs < notBefore) continue
    matched++
    notBefore = attempt.endMs + attempt.movedMs + SHORTEST * (attemptDelaysMs[matched] ?? 0) - MOMENT_MS
  }
  return matched >= attempts
}

async function checkJobs(admin: pg.Client, check: Check): Promise<void> {
  const { rows } = await admin.query<{ note: string; tries: string }>(
    `select w.note, (select count(*) from simulation.effects e where e.note = w.note) as tries
     from simulation.wanted w
     where not exists (select 1 from jobs j where j.payload->>'note' = w.note and j.state <> 'dead')`,
  )
  const lost = rows.filter((row) => Number(row.tries) === 0)
  check(lost.length === 0, `jobs that never ran: ${lost.slice(0, 5).map((row) => row.note)}`)
}
