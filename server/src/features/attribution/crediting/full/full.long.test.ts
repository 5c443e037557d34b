import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adDelivery, adStructure, saveRecords } from '../../../../../test/ad-world.ts'
import type { TestApp } from '../../../../../test/app.ts'
import { startTestProfile } from '../../../../../test/make.ts'
import { printedSeed } from '../../../../../test/seed.ts'
import type { Client } from '../../../../platform/contract/client.ts'
import { withConnection } from '../../../../platform/db/database.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { listPayments, recordRefund } from '../../../corrections/payments/contract.ts'
import { sendEvents } from '../../../facts/events/contract.ts'
import { loadAttributionProfile } from '../settings.ts'
import { recomputeAll } from './recompute-all.ts'

let app: TestApp
let profileId: string
let call: Client

let state = printedSeed('full recompute')
const random = (below: number) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * below)
}
const pick = <T>(...values: T[]): T => values[random(values.length)]!

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['events:write', 'payments:read', 'payments:write'], {
    INGEST_BURST: '100000',
    INGEST_PER_SECOND: '100000',
  }))
})
afterAll(() => app.close())

/** Few people and few distinct times: simultaneous touches, shared identifiers, journeys longer than every lookback. */
function randomEvent(index: number): Record<string, unknown> {
  const at = new Date(Date.UTC(2026, 0, 1) + random(120) * 86_400_000 + random(3) * 3_600_000).toISOString()
  const person = {
    anonymous_id: pick(undefined, `v${random(14)}`),
    user_traits: pick({}, {}, { email: `p${random(9)}@example.com` }, { external_id: `x${random(6)}` }),
  }
  const touch = pick(
    {},
    { ad: { ad_id: pick('A1', 'A2', 'A3', 'A9') } },
    { ad: { ad_set_id: 'S1' } },
    { ad: { campaign_id: pick('C1', 'C9') }, click_ids: { gclid: 'g' } },
    { click_ids: { fbclid: 'f' } },
    { utm: { source: 'news', medium: 'email' } },
  )
  const money = { properties: { value: random(100_000) / 100, currency: pick('EUR', 'EUR', 'USD') } }
  const outcome = pick(
    { event_name: 'visit' },
    { event_name: 'visit' },
    { event_name: 'visit' },
    { event_name: 'lead_created' },
    { event_name: 'payment_received', ...money },
    { event_name: 'order_placed', ...money },
  )
  return { ...person, ...touch, ...outcome, timestamp: at, idempotency_key: `k${pick(index, random(200))}` }
}

const tables = [
  'credits',
  'credit_daily',
  'credit_spans',
  'held_daily',
  'platform_daily',
  'conversion_daily',
  'uncredited_daily',
] as const
async function dump(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(table)} t where profile_id = ${profileId} order by 1`.execute(
      app.service.db,
    )
    all[table] = rows.map((row) => row.line)
  }
  return all
}

/** The ctid of each credit: it changes if the row is rewritten. */
async function rowAddresses(): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ctid: string }>`
    select conversion_id as id, ctid::text from credits where profile_id = ${profileId}`.execute(
    app.service.db,
  )
  return new Map(rows.map((row) => [row.id, row.ctid]))
}

const recompute = () =>
  withConnection(app.service.db, async (tx, client) => {
    await lockProfile(tx, profileId)
    return recomputeAll(
      app.service.db,
      { tx, client },
      await loadAttributionProfile(tx, profileId),
      new Date(),
      { cause: 'repair', fact: null },
    )
  })

it('stores byte for byte what the incremental path stored', async () => {
  await saveRecords(app, profileId, [...adStructure, ...adDelivery])
  for (let batch = 0; batch < 4; batch++) {
    const events = Array.from({ length: 120 }, (_, index) => randomEvent(batch * 120 + index))
    await call(sendEvents, { body: { events } })
    await app.service.processor.settled(profileId)
  }
  const { data: payments } = await call(listPayments, {
    query: { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z', limit: '200' },
  })
  for (const payment of payments.filter((_, index) => index % 4 === 0))
    if (payment.value > 0)
      await call(recordRefund, {
        params: { payment_id: payment.payment_id },
        body: { amount: payment.value / 2 > 0.01 ? Math.round(payment.value * 50) / 100 : payment.value },
      })
  const incremental = await dump()
  expect(incremental.credits!.length).toBeGreaterThan(60)
  expect(incremental.held_daily!.length).toBeGreaterThan(0)
  expect(incremental.uncredited_daily!.length).toBeGreaterThan(0)
  // There is no exchange rate for USD, so its refunds are counted.
  for (const table of ['credit_daily', 'credit_spans', 'held_daily', 'platform_daily'])
    expect(incremental[table]!.filter((line) => line.includes('refund_')).length, table).toBeGreaterThan(0)

  const { conversions } = await recompute()
  expect(conversions).toBe(incremental.credits!.length)
  expect(await dump()).toEqual(incremental)

  // A single wrong row is corrected; all others are left alone.
  await sql`
    update credits set packed = packed || '\\x00'::bytea where profile_id = ${profileId}
      and conversion_id = (select min(conversion_id::text)::uuid from credits where profile_id = ${profileId})`.execute(
    app.service.db,
  )
  const before = await rowAddresses()
  await recompute()
  expect(await dump()).toEqual(incremental)
  const after = await rowAddresses()
  expect([...after].filter(([id, ctid]) => before.get(id) !== ctid)).toHaveLength(1)

  // Some credits deleted, one extra, one wrong, and wrong sums.
  await sql`delete from credits where profile_id = ${profileId} and conversion_id::text < '8'`.execute(
    app.service.db,
  )
  await sql`
    update credits set conversion_id = ${randomUUID()}::uuid where profile_id = ${profileId}
      and conversion_id = (select min(conversion_id::text)::uuid from credits where profile_id = ${profileId})`.execute(
    app.service.db,
  )
  await sql`
    update credits set packed = set_byte(packed, 0, get_byte(packed, 0) # 1) where profile_id = ${profileId}
      and conversion_id = (select max(conversion_id::text)::uuid from credits where profile_id = ${profileId})`.execute(
    app.service.db,
  )
  await sql`update credit_daily set linear_minor = linear_minor + 1 where profile_id = ${profileId}`.execute(
    app.service.db,
  )
  await recompute()
  expect(await dump()).toEqual(incremental)

  for (const table of tables)
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId}`.execute(app.service.db)
  await recompute()
  expect(await dump()).toEqual(incremental)

  // touch_sources is rebuilt from the touches where rows are missing.
  expect(await unnamedSources()).toBe(0)
  await sql`delete from touch_sources where profile_id = ${profileId} and id::text < '8'`.execute(
    app.service.db,
  )
  await recompute()
  expect(await dump()).toEqual(incremental)
  expect(await unnamedSources()).toBe(0)
})

async function unnamedSources(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct source_id)::int as count from touches t where profile_id = ${profileId} and not exists (
      select 1 from touch_sources s where s.profile_id = ${profileId} and s.id = t.source_id)`.execute(
    app.service.db,
  )
  return rows[0]!.count
}
