import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import {
  currencies,
  findExponent,
  MAX_AMOUNT_MINOR,
  toDecimalString,
} from '../../../platform/contract/money.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { MAX_DAY_MINOR } from '../../attribution/crediting/day-limit.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import { getTrackingOps } from '../../sources/tracking/contract.ts'
import { EventInput, sendEvent, sendEvents } from './contract.ts'
import { writeEvents } from './queries.ts'
import { toNewEvent } from './rules.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ INGEST_PER_SECOND: '100000', INGEST_BURST: '100000' })
})
afterAll(() => app.close())

async function openProfile(currency: string) {
  const { profileId, call } = await makeOwnProfile(app, ['events:write', 'campaigns:read', 'tracking:read'], {
    currency,
    timezone: 'UTC',
  })
  const pay = (key: string, value: number | string, day = '2026-10-05', currency?: string) =>
    call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key: key,
        timestamp: `${day}T10:00:00Z`,
        properties: { value, ...(currency === undefined ? {} : { currency }) },
        anonymous_id: key,
      },
    })
  const overview = async () => {
    await app.service.processor.settled(profileId)
    const query = { date_from: '2026-10-01', date_to: '2026-10-31' }
    const { data, meta } = await call(getOverview, { query })
    return { ...data.totals, delta: (meta.reconciliation as { delta: number }).delta }
  }
  const ops = async () => (await call(getTrackingOps, {})).data
  return { profileId, call, pay, overview, ops }
}

async function saveRates(rates: Record<string, string>): Promise<void> {
  for (const [currency, rate] of Object.entries(rates))
    await sql`
      insert into fx_rates (day, base, currency, rate) values ('2026-10-05', 'EUR', ${currency}, ${rate}::numeric)
      on conflict (day, base, currency) do update set rate = excluded.rate`.execute(app.service.db)
}

it('an amount that is too large after conversion is set aside, and later sales are counted', async () => {
  await saveRates({ EUR: '1', USD: '1.1', NPR: '155' })
  const { pay, overview, ops, call } = await openProfile('NPR')
  expect(await refusalOf(pay('forged', 9999999999999.97, '2026-10-05', 'USD'))).toMatchObject({
    status: 422,
    code: 'validation_error',
  })
  const { data } = await pay('huge', '100000000000', '2026-10-05', 'USD')
  await pay('honest', 250)
  expect(await overview()).toMatchObject({ revenue: 250, payments: 1 })
  const { waiting, quarantine } = await ops()
  expect(waiting).toBe(0)
  expect(quarantine).toMatchObject({
    count: 1,
    events: [{ event_id: data.event_id, reason: 'amount_too_large' }],
  })
  const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text()
  expect(metrics).toMatch(/^events_quarantined [1-9]/m)
  // A corrected version is accepted; a retracted one is no longer listed.
  await pay('huge', 10, '2026-10-05', 'USD')
  expect(await overview()).toMatchObject({ payments: 2 })
  expect((await ops()).quarantine.count).toBe(0)
  await pay('huge', '100000000000', '2026-10-05', 'USD')
  expect(await overview()).toMatchObject({ revenue: 250, payments: 1 })
  await call(retractEvent, { body: { idempotency_key: 'huge' } })
  expect((await ops()).quarantine.count).toBe(0)
})

it('a day above the money limit sets aside the largest amounts and counts the others', async () => {
  const { profileId, pay, overview, ops } = await openProfile('USD')
  for (const day of ['2026-10-05', '2026-10-06']) {
    await pay(`first-${day}`, 80, day)
    await Promise.all(Array.from({ length: 12 }, (_, n) => pay(`forged-${day}-${n}`, '99999999999.99', day)))
    await app.service.processor.settled(profileId)
    await pay(`last-${day}`, 20.5, day)
  }
  const { revenue, payments, delta } = await overview()
  expect(payments).toBe(6)
  expect(revenue).toBe(201 + 2 * 99999999999.99)
  expect(delta).toBe(0)
  expect((await ops()).quarantine.count).toBe(22)
})

it('only events that fail processing are set aside', async () => {
  const { profileId, pay, overview, ops } = await openProfile('EUR')
  const { db, clock, identityPepper: pepper } = app.service
  const broken = ['a', 'b', 'c'].map((key) => {
    const input = EventInput.parse({
      event_name: 'payment_received',
      idempotency_key: `broken-${key}`,
      timestamp: '2026-10-05T10:00:00Z',
      properties: { value: 5 },
    })
    const event = accepted(
      toNewEvent(input, { profileId, currency: 'EUR', country: null, pepper, now: clock.now() }),
    )
    return { ...event, body: { ...event.body, money: { minor: 0.5, currency: 'EUR' } } }
  })
  for (let n = 0; n < 30; n++) await pay(`good-${n}`, 1)
  await writeEvents(db, { profileId, events: broken })
  await pay('after', 70)
  expect(await overview()).toMatchObject({ revenue: 100, payments: 31 })
  const { waiting, quarantine } = await ops()
  expect(waiting).toBe(0)
  expect(quarantine.events.map((event) => event.event_id).sort()).toEqual(broken.map(({ id }) => id).sort())
  expect(quarantine.events.map((event) => event.reason)).toEqual(Array(3).fill('processing_failed'))
})

it('for all amounts, currencies and rates, other events are processed and sums are exact', async () => {
  const scale = (index: number) => 10 ** ((index % 9) - 3)
  await saveRates(Object.fromEntries(currencies.map((code, index) => [code, String(scale(index))])))
  for (const report of ['USD', 'JPY', 'KWD', 'CLF']) {
    const { profileId, call, pay, overview } = await openProfile(report)
    const bodies = currencies.flatMap((code) =>
      [1, MAX_AMOUNT_MINOR - 1, MAX_AMOUNT_MINOR].map((minor) => ({
        event_name: 'payment_received',
        idempotency_key: `${code}-${minor}`,
        timestamp: '2026-10-05T10:00:00Z',
        properties: { value: toDecimalString(minor, code), currency: code },
      })),
    )
    const { data } = await call(sendEvents, { body: { events: bodies } })
    expect(data.refused).toBe(0)
    await pay('honest', 3)
    const totals = await overview()
    expect(totals.delta).toBe(0)
    const { rows } = await sql<{ event_id: string; report_value_minor: number }>`
      select event_id, report_value_minor from conversions where profile_id = ${profileId}`.execute(
      app.service.db,
    )
    const totalMinor = rows.reduce((sum, row) => sum + BigInt(row.report_value_minor), 0n)
    expect(totalMinor <= BigInt(MAX_DAY_MINOR)).toBe(true)
    expect(totals.revenue).toBe(Number(toDecimalString(Number(totalMinor), report)))
    expect(rows.some((row) => row.report_value_minor === 3 * 10 ** findExponent(report)!)).toBe(true)
    const { rows: aside } = await sql<{ event_id: string }>`
      select event_id from event_quarantine where profile_id = ${profileId}`.execute(app.service.db)
    expect(new Set([...rows, ...aside].map((row) => row.event_id)).size).toBe(bodies.length + 1)
    expect(rows.length + aside.length).toBe(bodies.length + 1)
  }
})
