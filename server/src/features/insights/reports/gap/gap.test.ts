import { models } from '@whence/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../../test/ad-world.ts'
import { shortIt as it, roundsForRun } from '../../../../../test/length.ts'
import { makeOwnProfile, type OwnProfile, refusalOf, startTestProfile } from '../../../../../test/make.ts'
import { addDays, DAY_MS } from '../../../../platform/contract/dates.ts'
import { inTransaction } from '../../../../platform/db/database.ts'
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { applySettings, saveSettings } from '../../../attribution/crediting/settings.ts'
import { listPayments, recordRefund } from '../../../corrections/payments/contract.ts'
import { entityId } from '../../../facts/ads/entities.ts'
import { sendEvents } from '../../../facts/events/contract.ts'
import { comparePlatforms } from '../contract.ts'
import { explainPlatformGap, type GapKind } from './contract.ts'

const scopes = ['campaigns:read', 'events:write', 'payments:read', 'payments:write'] as const
let testProfile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  testProfile = await startTestProfile(scopes)
})
afterAll(() => testProfile.app.close())

const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
const social = { ad: { ad_id: 'A1' } }
const engine = { ad: { ad_id: 'A2' } }
const untagged = { click_ids: { fbclid: 'x' }, utm: { source: 'facebook', medium: 'paid_social' } }
const organic = { page: { url: 'https://shop.example/', referrer: 'https://www.bing.com/' } }

/** The touches of a sale, and how the platforms of C1 (social, 7 days) and C2 (engine, 30 days) count it. */
type Scenario = {
  sold: string
  /** Days before the sale. */
  touches: [daysBefore: number, what: object][]
  /** Whether the platform of C1 counts the sale, on the day of its click; true also if it has seen what we have not. */
  social?: boolean
  engine?: boolean
  steps: { social?: [GapKind, number]; engine?: [GapKind, number] }
}

const scenarios: Record<string, Omit<Scenario, 'sold'> & { sold?: string }> = {
  both: { touches: [[1, social]], social: true, steps: {} },
  bought_late: { touches: [[10, social]], steps: { social: ['outside_platform_window', 1] } },
  elsewhere: {
    touches: [
      [3, social],
      [1, organic],
    ],
    social: true,
    steps: { social: ['credited_elsewhere', -1] },
  },
  two_claims: {
    touches: [
      [3, social],
      [1, engine],
    ],
    social: true,
    engine: true,
    steps: { social: ['claimed_by_two_platforms', -1] },
  },
  forgotten: {
    touches: [[20, engine]],
    engine: true,
    steps: { engine: ['outside_our_lookback', -1] },
  },
  after: {
    sold: '2026-06-02',
    touches: [[4, social]],
    social: true,
    steps: { social: ['different_day', -1] },
  },
  before: { sold: '2026-05-02', touches: [[4, social]], steps: { social: ['different_day', 1] } },
  untagged: { touches: [[1, untagged]], social: true, steps: { social: ['untagged_click', -1] } },
  unseen: { touches: [], social: true, steps: { social: ['not_seen', -1] } },
  organic: { touches: [[1, organic]], steps: {} },
}

type Side = 'social' | 'engine'
type World = OwnProfile & {
  expected: Record<Side, Map<GapKind, { count: number; minor: number }>>
  reported: Record<Side, { count: number; minor: number }>
}

async function plant(seed: string, refunds = false): Promise<World> {
  const { app } = testProfile
  const profile = await makeOwnProfile(app, scopes)
  const { profileId, call } = profile
  const random = seededRandom('gap', seed)
  const settings = { lookbackDays: 14, firstTouchLookbackDays: 14, halfLifeDays: 7 }
  await inTransaction(app.service.db, async (tx) => {
    await saveSettings(tx, profileId, settings, new Date())
    await applySettings(tx, profileId, settings)
  })
  const expected: World['expected'] = { social: new Map(), engine: new Map() }
  const reported: World['reported'] = { social: { count: 0, minor: 0 }, engine: { count: 0, minor: 0 } }
  const delivered = new Map<string, { count: number; minor: number }>()
  const events: object[] = []
  for (const [name, scenario] of Object.entries(scenarios))
    for (let index = random.int(1, 4); index > 0; index -= 1) {
      const person = `${name}-${index}`
      const sold = scenario.sold ?? addDays('2026-05-22', random.int(0, 8))
      const at = Date.parse(`${sold}T12:00:00Z`) + random.int(0, 3_600_000)
      const minor = random.int(500, 20_000)
      for (const [daysBefore, fields] of scenario.touches) {
        const timestamp = new Date(at - daysBefore * DAY_MS).toISOString()
        events.push({ event_name: 'visit', anonymous_id: person, timestamp, ...fields })
      }
      events.push({
        event_name: 'payment_received',
        anonymous_id: person,
        timestamp: new Date(at).toISOString(),
        idempotency_key: person,
        properties: { value: (minor / 100).toFixed(2) },
      })
      for (const side of ['social', 'engine'] as const) {
        if (scenario[side]) {
          const step = side === 'social' ? social : engine
          const click = scenario.touches.find(([, fields]) => fields === step || fields === untagged)
          const day = addDays(sold, -(click?.[0] ?? 0))
          const key = `${side} ${day}`
          const sum = delivered.get(key) ?? { count: 0, minor: 0 }
          delivered.set(key, { count: sum.count + 1, minor: sum.minor + minor })
          reported[side].count += 1
          reported[side].minor += minor
        }
        const step = scenario.steps[side]
        if (step === undefined) continue
        const sum = expected[side].get(step[0]) ?? { count: 0, minor: 0 }
        expected[side].set(step[0], { count: sum.count + step[1], minor: sum.minor + step[1] * minor })
      }
    }
  for (const [side, campaign, ad] of [
    ['social', 'C1', 'A1'],
    ['engine', 'C2', 'A2'],
  ] as const)
    await saveRecords(
      app,
      profileId,
      [
        makeEntity('campaign', campaign),
        makeEntity('ad', ad, { campaignExternalId: campaign }),
        ...[...delivered].flatMap(([key, sum]) =>
          key.startsWith(side)
            ? [
                makeDelivery('campaign', campaign, key.split(' ')[1]!, {
                  spendMinor: 100,
                  platformConversionsMilli: sum.count * 1000,
                  platformConversionValueMinor: sum.minor,
                }),
              ]
            : [],
        ),
      ],
      `${side}_ads`,
    )
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
  if (refunds) {
    const { data } = await call(listPayments, { query: { from: '2026-05-01', to: '2026-05-31' } })
    for (const payment of data.slice(0, 5))
      await call(recordRefund, {
        params: { payment_id: payment.payment_id },
        body: { amount: 1.5, refunded_at: '2026-05-31T09:00:00Z' },
      })
  }
  return { ...profile, expected, reported }
}

const explain = async ({ call }: World, query: Record<string, string>) =>
  (await call(explainPlatformGap, { query: { ...range, ...query } })).data

type Explained = Awaited<ReturnType<typeof explain>>
const cents = (amount: number) => Math.round(amount * 100)

function expectExactSums({ steps, gap }: Explained) {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  expect(sum(steps.map((step) => step.conversions * 1000))).toBe(gap.conversions! * 1000)
  expect(sum(steps.map((step) => cents(step.value)))).toBe(cents(gap.value!))
}

describe('the gap of planted claims', () => {
  test('is decomposed exactly', async () => {
    for (const seed of roundsForRun(1, 2, 20)) {
      const world = await plant(`${seed}`)
      const { expected, reported, profileId, call } = world
      const compared = (await call(comparePlatforms, { query: range })).data
      for (const [side, campaign] of [
        ['social', 'C1'],
        ['engine', 'C2'],
      ] as const) {
        const id = entityId(profileId, 'campaign', campaign)
        const row = compared.rows.find((entry) => entry.entity_id === id)!
        for (const query of [{ entity_id: id }, { platform: side }] as Record<string, string>[]) {
          const explained = await explain(world, query)
          expect(explained.reported).toEqual({
            conversions: reported[side].count,
            value: reported[side].minor / 100,
          })
          expect(explained.credited).toEqual({
            conversions: row.atribu_conversions,
            value: Number(row.atribu_cash_revenue),
          })
          expect(explained.gap.conversions).toBe(row.conversion_gap)
          expectExactSums(explained)
          const counts = Object.fromEntries(explained.steps.map((step) => [step.kind, step.conversions]))
          expect({ seed, ...counts }).toEqual({
            seed,
            ...Object.fromEntries([...expected[side]].map(([kind, { count }]) => [kind, count])),
          })
        }
      }
    }
  }, 300_000)

  it('has measured steps with their sales and money, and inferred steps for what only the platform counts', async () => {
    const world = await plant('labels')
    const { steps } = await explain(world, { platform: 'social' })
    const inferred = steps.filter(({ label }) => label === 'inferred')
    expect(inferred.map(({ kind }) => kind)).toEqual(['not_seen'])
    for (const step of steps.filter(({ kind }) => kind !== 'different_day')) {
      const planted = world.expected.social.get(step.kind as GapKind)!
      expect([step.kind, cents(step.value)]).toEqual([step.kind, planted.minor])
      if (step.label === 'measured') expect(step.sales).toBe(Math.abs(planted.count))
      expect(step.examples.length).toBe(Math.min(10, step.sales))
    }
    const entity = await explain(world, { entity_id: entityId(world.profileId, 'campaign', 'C1') })
    expect(entity.steps.find(({ kind }) => kind === 'untagged_click')!.label).toBe('inferred')
  })

  it('sums exactly under every model, with refunds and unexplained claims', async () => {
    const world = await plant('models', true)
    const figures = {
      spendMinor: 100,
      platformConversionsMilli: 77_250,
      platformConversionValueMinor: 123_456,
    }
    await saveRecords(testProfile.app, world.profileId, [
      makeDelivery('campaign', 'C1', '2026-05-03', figures),
    ])
    for (const model of models)
      for (const level of ['campaign', 'ad'])
        for (const platform of ['social', 'engine']) {
          const explained = await explain(world, { platform, level, model })
          if (explained.reported.conversions === null) expect(explained.steps).toEqual([])
          else expectExactSums(explained)
        }
    const { steps } = await explain(world, { platform: 'social' })
    const kinds = steps.map(({ kind }) => kind)
    expect(kinds).toContain('refunded')
    expect(kinds).toContain('unexplained')
    expect(steps.find(({ kind }) => kind === 'platform_modelled_or_delayed')!.conversions).toBe(-0.25)
  })
})

it('is available only for entities of the profile', async () => {
  const world = await plant('tenants')
  const query = { ...range, entity_id: entityId(world.profileId, 'campaign', 'C1') }
  expect((await refusalOf(testProfile.call(explainPlatformGap, { query }))).code).toBe('campaign_not_found')
  const both = { ...query, platform: 'social' }
  expect((await refusalOf(world.call(explainPlatformGap, { query: both }))).status).toBe(400)
})

it('an unknown platform has no sales, whatever its name', async () => {
  const world = await plant('names')
  const explained = await explain(world, { platform: 'constructor' })
  expect([explained.entities, explained.click_window_days]).toEqual([0, 30])
})

it('compares only entities for which both sides report conversions', async () => {
  const world = await plant('compared')
  await saveRecords(testProfile.app, world.profileId, [
    makeEntity('campaign', 'C9'),
    makeDelivery('campaign', 'C9', '2026-05-10', { spendMinor: 900_00 }),
  ])
  const { platforms } = (await world.call(comparePlatforms, { query: range })).data
  const { compared, ...all } = platforms.find(({ platform }) => platform === 'social')!
  const reportedDays = compared!.spend!
  expect(compared).toMatchObject({ entities: 1, conversion_gap: all.conversion_gap })
  expect(all.spend).toBe(reportedDays + 900)
  expect(compared!.platform_roas).toBeGreaterThan(all.platform_roas!)
  expect(compared!.atribu_roas).toBeGreaterThan(all.atribu_roas!)
  // The platform reports no value for this campaign, so the platform's ROAS excludes its spend.
  await saveRecords(testProfile.app, world.profileId, [
    makeEntity('campaign', 'C8'),
    makeEntity('ad', 'A8', { campaignExternalId: 'C8' }),
    makeDelivery('campaign', 'C8', '2026-05-10', { spendMinor: 500_00, platformConversionsMilli: 3_000 }),
  ])
  const sale = { anonymous_id: 'eighth', timestamp: '2026-05-10T12:00:00Z' }
  const visit = { event_name: 'visit', ...sale, ad: { ad_id: 'A8' } }
  const paid = { event_name: 'payment_received', ...sale, properties: { value: 500 }, idempotency_key: '8' }
  await world.call(sendEvents, { body: { events: [visit, paid] } })
  await testProfile.app.service.processor.settled(world.profileId)
  const newPlatforms = (await world.call(comparePlatforms, { query: range })).data.platforms
  const { compared: newCompared } = newPlatforms.find(({ platform }) => platform === 'social')!
  expect(newCompared).toMatchObject({ entities: 2, valued_entities: 1, spend: reportedDays + 500 })
  expect([newCompared!.platform_roas, newCompared!.value_gap]).toEqual([
    compared!.platform_roas,
    compared!.value_gap,
  ])
  expect(newCompared!.atribu_roas).toBe(compared!.atribu_roas)
  // The explanation compares the same entities, and has no step whose money contradicts its conversions.
  const explained = await explain(world, { platform: 'social' })
  expect(explained).toMatchObject({ entities: 2, valued_entities: 1 })
  expect(explained.gap).toEqual({
    conversions: newCompared!.conversion_gap,
    value: Number(newCompared!.value_gap),
  })
  expectExactSums(explained)
  for (const { kind, conversions, value } of explained.steps)
    if (kind !== 'different_day' && kind !== 'credited_elsewhere' && conversions !== 0)
      expect([kind, conversions * value >= 0]).toEqual([kind, true])
})

it('money that contradicts its conversions is not comparable, and all sales of a step can be listed', async () => {
  const world = await plant('signs')
  // Three more sales at the platform, for less money than those that both sides count.
  await saveRecords(testProfile.app, world.profileId, [
    makeDelivery('campaign', 'C1', '2026-05-03', {
      spendMinor: 100,
      platformConversionsMilli: 30_000,
      platformConversionValueMinor: -9_000_00,
    }),
  ])
  const explained = await explain(world, { platform: 'social', examples: '1' })
  expectExactSums(explained)
  expect(explained.steps.find(({ kind }) => kind === 'unexplained')).toMatchObject({ value: 0 })
  expect(explained.steps.find(({ kind }) => kind === 'not_comparable')).toMatchObject({ conversions: 0 })
  expect(explained.steps.every(({ examples }) => examples.length <= 1)).toBe(true)
})
