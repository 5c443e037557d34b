/**
 * Cost of restatements in ingest and in a full recompute. Asserts the number of statements and stored rows. Prints the
 * share of CPU: in the service by profiler samples with a restatement function on the stack, in the database by the CPU of
 * the connection around the statements that write restatements.
 */
import { readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestProfile } from '../../../../test/make.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { withConnection } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeAll } from '../../attribution/crediting/full/recompute-all.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { sendEvents } from '../events/contract.ts'

const EVENTS = Number(process.env.EVENTS ?? 6000)
const BATCH = 500
const TIMEOUT = 240_000
const FUNCTIONS = new Set([
  'noteChanged',
  'noteGone',
  'noteNew',
  'addRow',
  'packOfGone',
  'toChange',
  'toChanges',
])
const FOLDER = '/facts/restatements/'
const STATEMENT = 'recordStatement'

/** CPU time of a process; NaN without /proc. */
function cpuNs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return Number.NaN
  }
}

/** `text` is a method if the statement is a COPY writer. */
type Statement = { text?: unknown; handleReadyForQuery(...given: unknown[]): unknown }
type Client = { processID: number; query(...given: unknown[]): unknown }
const client = pg.Client.prototype as unknown as Client
const { query } = client
const spent = { statements: 0, ns: 0 }

/** The function's name appears in the stacks of the profile. */
function recordStatement(connection: Client, args: unknown[]): unknown {
  const before = cpuNs(connection.processID)
  const statement = args[0] as Statement
  const { handleReadyForQuery } = statement
  statement.handleReadyForQuery = function (...readyArgs) {
    spent.statements += 1
    spent.ns += cpuNs(connection.processID) - before
    return handleReadyForQuery.apply(this, readyArgs)
  }
  return query.apply(connection, args)
}

let shop: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  shop = await startTestProfile(['events:write'], { INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
  client.query = function (...args) {
    const text = (args[0] as Statement | undefined)?.text
    const isRecord = typeof text === 'string' && text.includes('into restatements')
    return isRecord ? recordStatement(this, args) : query.apply(this, args)
  }
})
afterAll(async () => {
  client.query = query
  await shop.app.close()
})

async function databaseNs(): Promise<Map<number, number>> {
  const { rows } = await shop.app.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  return new Map(rows.map(({ pid }) => [pid, cpuNs(pid)]))
}

/** Counts stored rows and the changes in them. */
async function countRecorded(): Promise<{ rows: number; changes: number }> {
  const { rows } = await shop.app.pool.query<{ rows: number; changes: number }>(
    `select count(*)::int as rows,
       coalesce(sum(case when changes is null then 1 else regexp_count(changes, E'\\n') + 1 end), 0)::int as changes
     from restatements where profile_id = $1`,
    [shop.profileId],
  )
  return rows[0]!
}

type Recorded = { rows: number; changes: number; statements: number }

async function measure(name: string, run: () => Promise<unknown>): Promise<Recorded> {
  const stored = await countRecorded()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  const before = await databaseNs()
  Object.assign(spent, { statements: 0, ns: 0 })
  await session.post('Profiler.start')
  const started = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(started)
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  const { statements, ns } = spent
  let database = 0
  for (const [pid, after] of await databaseNs()) database += (after - (before.get(pid) ?? 0)) / 1e6
  const { record, all } = samplesOf(profile)
  const service = (user + system) / 1e3
  const [inService, inDatabase] = [(service * record) / all, ns / 1e6]
  const now = await countRecorded()
  const recorded = { rows: now.rows - stored.rows, changes: now.changes - stored.changes, statements }
  console.log(
    `${name}: ${((100 * (inService + inDatabase)) / (service + database)).toFixed(2)} % of CPU; service ` +
      `${inService.toFixed(0)} of ${service.toFixed(0)} ms, database ${inDatabase.toFixed(0)} of ${database.toFixed(0)} ms`,
    recorded,
  )
  return recorded
}

/** Excludes idle time and garbage collection. */
function samplesOf({ nodes, samples = [] }: Profiler.Profile): { record: number; all: number } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ofRecord = new Map<number, boolean>()
  const visit = (node: Profiler.ProfileNode, isBelow: boolean) => {
    const { functionName, url } = node.callFrame
    const isOwn = url.includes(FOLDER) && functionName !== 'withRestatements' && !url.endsWith('.proof.ts')
    const isRecord = isBelow || isOwn || FUNCTIONS.has(functionName) || functionName === STATEMENT
    if (!/^\((?:idle|garbage collector|program|root)\)$/.test(functionName)) ofRecord.set(node.id, isRecord)
    for (const child of node.children ?? []) visit(byId.get(child)!, isRecord)
  }
  visit(nodes[0]!, false)
  const counted = samples.map((id) => ofRecord.get(id)).filter((isRecord) => isRecord !== undefined)
  return { record: counted.filter(Boolean).length, all: counted.length }
}

async function set(graceHours: number | null, lookbackDays = 30): Promise<void> {
  await shop.app.pool.query(
    `insert into attribution_settings (profile_id, lookback_days, applied_lookback_days, grace_hours,
       first_touch_lookback_days, half_life_days, updated_at)
     values ($1, $2, $2, $3, 90, 7, now())
     on conflict (profile_id) do update set lookback_days = $2, applied_lookback_days = $2, grace_hours = $3`,
    [shop.profileId, lookbackDays, graceHours],
  )
}

let number = 0
/** Two ad visits, five days apart, and a payment per person; late ones are 10 to 69 days old. */
async function ingest(latePercent: number, count = EVENTS): Promise<void> {
  for (let sent = 0; sent < count; sent += BATCH)
    await shop.call(sendEvents, {
      body: {
        events: Array.from({ length: BATCH }, () => {
          const [person, step] = [Math.floor(number / 3), number % 3]
          const daysAgo = (person % 100 < latePercent ? 10 + (person % 60) : 0) + (step === 0 ? 5 : 0)
          return {
            event_name: step === 2 ? 'payment_received' : 'visit',
            timestamp: new Date(Date.now() - daysAgo * DAY_MS - (3 - step) * 1000).toISOString(),
            idempotency_key: `cost-${number++}`,
            anonymous_id: `cost-${person}`,
            ...(step === 2
              ? { properties: { value: 50 } }
              : { ad: { ad_id: `ad-${(person * 7919 + 7 * step) % 211}` } }),
          }
        }),
      },
    })
  await shop.app.service.processor.settled(shop.profileId)
}

const recompute = () =>
  withConnection(shop.app.service.db, async (tx, client) => {
    await lockProfile(tx, shop.profileId)
    const profile = await loadAttributionProfile(tx, shop.profileId)
    await recomputeAll(shop.app.service.db, { tx, client }, profile, new Date(), {
      cause: 'repair',
      fact: null,
    })
  })

it('ingest records late events, in at most two statements per batch', { timeout: TIMEOUT }, async () => {
  await ingest(0)
  const onTime = await measure('ingest, none late', () => ingest(0))
  expect(onTime).toEqual({ rows: 0, changes: 0, statements: 0 })
  const late = await measure('ingest, 2 % late', () => ingest(2))
  expect(late.changes).toBeGreaterThan(0)
  // At most 3 levels, 2 touches and the totals of each late conversion, by model columns in one row.
  expect(late.rows).toBeLessThanOrEqual(0.02 * EVENTS * 10)
  expect(late.statements).toBeLessThanOrEqual((2 * EVENTS) / BATCH)
})

it('a recompute packs its changes, and records none if nothing changed', {
  timeout: TIMEOUT,
}, async () => {
  await ingest(100, 3 * EVENTS)
  const lookback = async (days: number) => {
    await set(null, days)
    await recompute()
  }
  for (const days of [1, 30]) await lookback(days)
  const same = await measure('recompute, nothing changed', recompute)
  expect(same).toEqual({ rows: 0, changes: 0, statements: 0 })
  const changed = await measure('recompute, every closed day changed', async () => {
    for (const days of [1, 30]) await lookback(days)
  })
  expect(changed.changes).toBeGreaterThan(EVENTS)
  expect(changed.changes / changed.rows).toBeGreaterThanOrEqual(10)
  expect(changed.statements).toBeLessThanOrEqual(2 * Math.ceil(changed.rows / 1000))
})
