/** Random test data for property tests: small ranges of time and entities, so that ties and shared entities are common. */
import fc from 'fast-check'
import type { AttributionSettings, Conversion, Touch, TouchEntities } from '../src/index.ts'

const HOUR_MS = 3_600_000

export const anySettings: fc.Arbitrary<AttributionSettings> = fc.record({
  lookbackDays: fc.integer({ min: 1, max: 12 }),
  firstTouchLookbackDays: fc.integer({ min: 1, max: 18 }),
  halfLifeDays: fc.integer({ min: 1, max: 10 }),
})

const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((slot) => slot * 36 * HOUR_MS),
  fc.integer({ min: 0, max: 18 * 24 * HOUR_MS }),
)

export const anyAmount = fc.oneof(
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.constantFrom(0, 1, -1, 100, 9_999),
  fc.integer({ min: -(10 ** 11), max: 10 ** 11 }),
)

export const anyHugeAmount = fc.oneof(
  anyAmount,
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)

export type WorldTouch = Touch & TouchEntities

const anyTouch = fc
  .record({
    occurredAt: anyTime,
    recordedAt: fc.integer({ min: 0, max: 3 }),
    isDirect: fc.boolean(),
    ad: fc.integer({ min: -1, max: 5 }),
    namesOnly: fc.constantFrom('ad', 'ad_set', 'campaign', 'nothing'),
  })
  .map(({ ad, namesOnly, ...touch }) => {
    // An ad belongs to one ad set and that to one campaign; a touch may name only the upper levels.
    const adSet = ad < 0 ? ad : Math.floor(ad / 2)
    const campaign = adSet < 0 ? adSet : Math.floor(adSet / 2)
    return {
      ...touch,
      campaign: namesOnly === 'nothing' ? -1 : campaign,
      adSet: namesOnly === 'nothing' || namesOnly === 'campaign' ? -1 : adSet,
      ad: namesOnly === 'ad' ? ad : -1,
    }
  })

export const anyTouches: fc.Arbitrary<WorldTouch[]> = fc
  .array(anyTouch, { maxLength: 14 })
  .map((touches) => touches.map((touch, i) => ({ id: `touch-${String(i).padStart(3, '0')}`, ...touch })))

export const anyConversion: fc.Arbitrary<Conversion> = fc.record({
  occurredAt: anyTime,
  amountMinor: anyAmount,
})
export const anyHugeConversion: fc.Arbitrary<Conversion> = fc.record({
  occurredAt: anyTime,
  amountMinor: anyHugeAmount,
})

export type WorldConversion = Conversion & {
  day: number
  outcomeType: number
  refunds: { amountMinor: number; day: number }[]
}
export type WorldCustomer = { touches: WorldTouch[]; conversions: WorldConversion[] }

const anyDay = fc.integer({ min: -2, max: 20 })

export const anyCustomers: fc.Arbitrary<WorldCustomer[]> = fc.array(
  fc.record({
    touches: anyTouches,
    conversions: fc.array(
      fc.record({
        occurredAt: anyTime,
        amountMinor: anyAmount,
        day: anyDay,
        outcomeType: fc.integer({ min: 0, max: 2 }),
        refunds: fc.array(fc.record({ amountMinor: fc.integer({ min: 0, max: 30_000 }), day: anyDay }), {
          maxLength: 2,
        }),
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 5 },
)
