import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../test/ad-world.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { printedSeed } from '../../../../test/seed.ts'
import { seededRandom } from '../../../platform/seeded-random.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import { getDataDriven } from './contract.ts'
import { learn } from './learn.ts'
import { listProfilesToLearn } from './queries.ts'
import { VisitCounter, windowOf } from './rules.ts'

const DAY = 86_400_000
const now = new Date('2026-07-01T12:00:00Z')
/** The lookback is 30 days, so visits of 180 days are read. */
const END = Date.UTC(2026, 5, 30, 22)
const START = END - 180 * DAY
const random = seededRandom(printedSeed('data-driven'))

const kinds = {
  ad: { ad: { ad_id: 'A1' } },
  mail: { utm: { source: 'news', medium: 'email' } },
  direct: { session_start: true, page: { url: 'https://shop.example/', referrer: '' } },
} as const

let shop: Awaited<ReturnType<typeof startTestProfile>>
const learned = { visits: 0, payments: 0 }

/** The ad has a lasting effect; mail and direct visits have none. */
function makePeople(count: number) {
  const events: object[] = []
  for (let person = 0; person < count; person++) {
    const user_traits = { email: `p${person}@example.com` }
    const send = (at: number, body: object) =>
      events.push({
        event_name: 'visit',
        timestamp: new Date(at).toISOString(),
        idempotency_key: `e${events.length}`,
        user_traits,
        ...body,
      })
    let at = START + DAY + random.next() * 170 * DAY
    let hasMetAd = false
    for (let visits = 0; visits < 5 && at < END - DAY; visits++) {
      const kind =
        visits === 0 ? random.pick(['ad', 'mail'] as const) : random.pick(['direct', 'mail'] as const)
      hasMetAd ||= kind === 'ad'
      send(at, kinds[kind])
      const buys = random.chance(hasMetAd ? 0.3 : 0.02)
      if (at < END - 30 * DAY) {
        learned.visits += 1
        learned.payments += buys ? 1 : 0
      }
      if (buys) {
        const properties = {
          value: random.int(100, 9_999) / 100,
          currency: 'EUR',
          order_id: `o${events.length}`,
        }
        send(at + 60_000, { event_name: 'payment_received', properties })
        break
      }
      at += (1 + random.next() * 4) * DAY
    }
  }
  return events
}

const learnNow = (profileId: string) => learn(jobContext(shop.app.service, { now }), profileId)
const read = async () => (await shop.call(getDataDriven)).data

beforeAll(async () => {
  shop = await startTestProfile(['events:write', 'campaigns:read', 'conversions:read', 'analytics:read'], {
    INGEST_PER_SECOND: '100000',
    INGEST_BURST: '100000',
  })
  await saveRecords(shop.app, shop.profileId, adStructure)
  const events = makePeople(900)
  for (let from = 0; from < events.length; from += 500)
    await shop.call(sendEvents, { body: { events: events.slice(from, from + 500) } })
  await shop.app.service.processor.settled(shop.profileId)
})
afterAll(() => shop.app.close())

it('is computed by the daily job only; before that there are no figures', async () => {
  expect(await read()).toMatchObject({ served: false, reason: 'not_computed', channels: [], total: null })
  expect(await listProfilesToLearn(shop.app.service.db, '2026-04-01')).toContain(shop.profileId)
  expect(await listProfilesToLearn(shop.app.service.db, '2026-09-01')).not.toContain(shop.profileId)
})

it('counts every visit with a known outcome, and credits the reports’ total to the minor unit', async () => {
  await learnNow(shop.profileId)
  const reply = await shop.call(getDataDriven)
  const { data, meta } = reply
  expect(data.learned).toMatchObject({ ...learned, date_to: '2026-06-30', version: 2 })
  expect([data.served, data.reason]).toEqual([true, null])
  const range = { date_from: meta.date_from!, date_to: meta.date_to! }
  expect(range).toEqual({ date_from: '2026-04-02', date_to: '2026-06-30' })
  const { totals } = (await shop.call(getOverview, { query: range })).data
  const cents = (amount: number) => Math.round(amount * 100)
  const sum = (pick: (row: (typeof data.channels)[number]) => number) =>
    data.channels.reduce((total, row) => total + pick(row), 0)
  expect(sum((row) => cents(row.outcome_value))).toBe(cents(totals.revenue!))
  expect(data.total).toEqual({ payments: totals.payments, outcome_value: totals.revenue, fx_missing: 0 })
  expect(Math.round(sum((row) => row.outcome_credit) * 1e6)).toBe(totals.payments * 1e6)
  const { data: channels } = await shop.call(getChannels, { query: { ...range, model: 'last_touch' } })
  const lastTouch = new Map(channels.map((row) => [row.channel, row.outcome_value]))
  for (const row of data.channels)
    expect([row.channel, row.last_touch_value]).toEqual([row.channel, lastTouch.get(row.channel) ?? 0])
})

it('credits the ad with what last touch credits to later visits, with an interval', async () => {
  const { channels } = await read()
  const ad = channels[0]!
  expect(ad.channel).toBe('paid_social')
  expect(ad.outcome_value).toBeGreaterThan(ad.last_touch_value * 1.5)
  expect(ad.outcome_value_low).toBeLessThan(ad.outcome_value)
  for (const row of channels) {
    expect(row.outcome_value_low).toBeLessThanOrEqual(row.outcome_value)
    expect(row.outcome_value_high).toBeGreaterThanOrEqual(row.outcome_value)
  }
})

it('is deterministic', async () => {
  const before = await shop.call(getDataDriven)
  await learnNow(shop.profileId)
  const after = await shop.call(getDataDriven)
  expect(after.data).toEqual(before.data)
  expect(after.meta.result_hash).toBe(before.meta.result_hash)
  expect(before.meta.result_hash).toMatch(/^[0-9a-f]{64}$/)
})

it('as_of returns the model served at that time', async () => {
  const before = await shop.call(getDataDriven)
  const later = new Date(now.getTime() + 7 * DAY)
  const { service, pool } = shop.app
  // Simulates an upgrade from a version without a model history.
  await pool.query('delete from data_driven_history where profile_id = $1', [shop.profileId])
  const pastModel = await shop.call(getDataDriven, { query: { as_of: now.toISOString() } })
  expect([pastModel.data, pastModel.meta]).toEqual([before.data, before.meta])
  await learn(jobContext(service, { now: later }), shop.profileId)
  const today = await shop.call(getDataDriven)
  expect(today.meta.result_hash).not.toBe(before.meta.result_hash)
  const asOf = (time: Date) => shop.call(getDataDriven, { query: { as_of: time.toISOString() } })
  const then = await asOf(new Date(later.getTime() - 1))
  expect([then.data, then.meta]).toEqual([before.data, before.meta])
  expect((await asOf(later)).meta).toEqual(today.meta)
  for (const time of [new Date(now.getTime() - 1), new Date('2100-01-01T00:00:00Z')])
    expect(await refusalOf(asOf(time))).toMatchObject({ status: 400, code: 'invalid_parameter' })
  await learnNow(shop.profileId)
})

it('is not visible to other profiles, and with too little data returns the reason', async () => {
  const other = await makeOwnProfile(shop.app, ['campaigns:read'])
  expect((await other.call(getDataDriven)).data.reason).toBe('not_computed')
  await learnNow(other.profileId)
  const { data } = await other.call(getDataDriven)
  expect(data).toMatchObject({ served: false, reason: 'too_few_payments', channels: [] })
  expect(data.total).toEqual({ payments: 0, outcome_value: 0, fx_missing: 0 })
  const blind = await makeOwnProfile(shop.app, ['events:write'])
  expect((await refusalOf(blind.call(getDataDriven))).status).toBe(403)
})

it('a journey ends with a payment or after one lookback, and belongs to one person', () => {
  const window = windowOf('2026-07-01', 'UTC', 30)
  const first = window.start.getTime()
  const counter = new VisitCounter(window)
  counter.visit('one', 0, first, 1)
  counter.visit('one', 0, first + DAY, 2)
  counter.payment('one', first + 2 * DAY)
  counter.payment('one', first + 3 * DAY)
  counter.visit('one', 0, first + 4 * DAY, 3)
  counter.visit('one', 0, first + 35 * DAY, 1)
  counter.payment('two', first + 36 * DAY)
  counter.visit('two', 1, window.end.getTime() - DAY, 1)
  expect(
    [...counter.cells.values()].map(({ set, last, visits, conversions }) => [set, last, visits, conversions]),
  ).toEqual([
    [0b10, 1, 2, 0],
    [0b110, 2, 1, 1],
    [0b1000, 3, 1, 0],
  ])
  expect([...counter.cells.values()].map(({ period }) => period)).toEqual(['train', 'train', 'train'])
  counter.visit('two', 1, window.end.getTime() - DAY + 1, 3)
  const transitions = [...counter.transitions.values()]
  expect(transitions.map(({ from, to, hasPaid, visits }) => [from, to, hasPaid, visits])).toEqual([
    [1, 2, false, 1],
    [1, 3, true, 1],
  ])
})
