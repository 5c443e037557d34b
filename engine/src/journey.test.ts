import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyConversion, anyHugeConversion, anySettings, anyTouches, type WorldTouch } from '../test/worlds.ts'
import { type Attribution, attribute, explain, type Touch } from './journey.ts'
import { creditPerEntity } from './levels.ts'
import { DAY_MS, defaultSettings, levels, models } from './models.ts'

const NOON = Date.UTC(2026, 5, 15, 12)

function makeTouch(id: string, daysBefore: number, overrides: Partial<Touch> = {}): Touch {
  const occurredAt = NOON - daysBefore * DAY_MS
  return { id, occurredAt, recordedAt: occurredAt, isDirect: false, ...overrides }
}

const winners = (touches: readonly Touch[], { perModel }: Attribution) =>
  models.map((model) => perModel[model].map(({ touchIndex }) => touches[touchIndex]!.id).join())

const byId = (touches: readonly Touch[], { perModel }: Attribution) =>
  models.map((model) =>
    perModel[model].map(({ touchIndex, ...credit }) => ({ id: touches[touchIndex]!.id, ...credit })),
  )

describe('attribution of one conversion', () => {
  it('credits integer weights that sum to the total, and money exactly', () => {
    fc.assert(
      fc.property(anyHugeConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        const { perModel } = attribute(conversion, touches, settings)
        for (const model of models) {
          const credits = perModel[model]
          if (credits.length === 0) continue
          const total = credits[0]!.totalWeight
          expect(credits.every(({ weight }) => Number.isSafeInteger(weight) && weight >= 1)).toBe(true)
          expect(credits.reduce((sum, { weight }) => sum + weight, 0)).toBe(total)
          const money = credits.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)
          expect(money).toBe(BigInt(conversion.amountMinor))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('does not depend on the order of the touches', () => {
    const anyOrders = anyTouches.chain((touches) =>
      fc.tuple(
        fc.constant(touches),
        fc.shuffledSubarray(touches, { minLength: touches.length, maxLength: touches.length }),
      ),
    )
    fc.assert(
      fc.property(anyConversion, anyOrders, anySettings, (conversion, [touches, shuffled], settings) => {
        const expected = byId(touches, attribute(conversion, touches, settings))
        expect(byId(shuffled, attribute(conversion, shuffled, settings))).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('never credits a touch after the conversion or before its lookback', () => {
    fc.assert(
      fc.property(anyConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        const { perModel } = attribute(conversion, touches, settings)
        for (const model of models) {
          const days = model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays
          for (const { touchIndex } of perModel[model]) {
            const age = conversion.occurredAt - touches[touchIndex]!.occurredAt
            expect(age).toBeGreaterThanOrEqual(0)
            expect(age).toBeLessThanOrEqual(days * DAY_MS)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('has one credit under each single-credit model if and only if a touch is eligible', () => {
    fc.assert(
      fc.property(anyConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        const { perModel } = attribute(conversion, touches, settings)
        const eligible = perModel.linear.length
        for (const model of ['last_touch', 'last_non_direct'] as const) {
          expect(perModel[model]).toHaveLength(Math.min(1, eligible))
        }
        expect(perModel.time_decay).toHaveLength(eligible)
      }),
    )
  })

  it('orders simultaneous touches by recording time, then by id', () => {
    const conversion = { occurredAt: NOON, amountMinor: 1000 }
    const touches = [
      makeTouch('late-b', 1, { recordedAt: 7 }),
      makeTouch('late-a', 1, { recordedAt: 7 }),
      makeTouch('late-z', 1, { recordedAt: 6, isDirect: true }),
      makeTouch('early-b', 5, { recordedAt: 3 }),
      makeTouch('early-a', 5, { recordedAt: 4 }),
    ]
    const order = 'early-b,early-a,late-z,late-a,late-b'
    expect(winners(touches, attribute(conversion, touches, defaultSettings))).toEqual([
      'late-z',
      'early-b',
      order,
      order,
      'late-a',
    ])
  })

  it('credits direct touches on an all-direct path, and nothing without eligible touches', () => {
    const conversion = { occurredAt: NOON, amountMinor: 1000 }
    const direct = [makeTouch('a', 3, { isDirect: true }), makeTouch('b', 2, { isDirect: true })]
    expect(winners(direct, attribute(conversion, direct, defaultSettings))).toEqual([
      'b',
      'a',
      'a,b',
      'a,b',
      'b',
    ])
    const far = [makeTouch('a', 91), makeTouch('b', -1)]
    expect(winners(far, attribute(conversion, far, defaultSettings))).toEqual(['', '', '', '', ''])
  })

  it('includes both boundaries: the exact lookback and the time of the conversion', () => {
    const conversion = { occurredAt: NOON, amountMinor: 1000 }
    const touches = [
      makeTouch('too-old', 90 + 1 / DAY_MS),
      makeTouch('oldest', 90),
      makeTouch('old', 30 + 1 / DAY_MS),
      makeTouch('edge', 30),
      makeTouch('now', 0),
      makeTouch('after', -1 / DAY_MS),
    ]
    const result = winners(touches, attribute(conversion, touches, defaultSettings))
    expect(result).toEqual(['now', 'oldest', 'edge,now', 'edge,now', 'now'])
  })
})

describe('levels', () => {
  it('have the same total, including credit without an entity', () => {
    fc.assert(
      fc.property(anyConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        const { perModel } = attribute(conversion, touches, settings)
        for (const model of models) {
          for (const level of levels) {
            const entities = creditPerEntity(conversion, perModel[model], touches, level)
            expect(new Set(entities.map(({ entity }) => entity)).size).toBe(entities.length)
            expect(entities.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(
              conversion.amountMinor,
            )
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it("a campaign's money is that of its ads plus its credit without an ad", () => {
    fc.assert(
      fc.property(anyConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        for (const model of models) {
          const credits = attribute(conversion, touches, settings).perModel[model]
          if (credits.length === 0) continue
          for (const { entity, amountMinor } of creditPerEntity(conversion, credits, touches, 'campaign')) {
            const ofCampaign = credits.filter(({ touchIndex }) => touches[touchIndex]!.campaign === entity)
            for (const level of ['ad_set', 'ad'] as const) {
              const below = creditPerEntity(conversion, ofCampaign, touches as WorldTouch[], level)
              expect(below.reduce((sum, credit) => sum + credit.amountMinor, 0)).toBe(amountMinor)
            }
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the explanation', () => {
  it('lists every touch in order, and its credited ones are exactly the attribution', () => {
    fc.assert(
      fc.property(anyConversion, anyTouches, anySettings, (conversion, touches, settings) => {
        const { perModel } = attribute(conversion, touches, settings)
        for (const model of models) {
          const explained = explain(conversion, touches, settings, model)
          expect(explained.map(({ touchIndex }) => touchIndex).toSorted((a, b) => a - b)).toEqual([
            ...touches.keys(),
          ])
          const credited = explained.filter((entry) => entry.status === 'credited')
          expect(credited.map(({ status: _, share: __, ...credit }) => credit)).toEqual(perModel[model])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('gives each excluded touch its reason', () => {
    const touches = [
      makeTouch('old', 40),
      makeTouch('merged', 19, { ineligible: 'superseded_by_merge' }),
      makeTouch('a', 10),
      makeTouch('b', 5),
      makeTouch('direct', 1, { isDirect: true }),
      makeTouch('after', -1),
    ]
    const creditsOf = (model: (typeof models)[number]) =>
      explain({ occurredAt: NOON, amountMinor: 100 }, touches, defaultSettings, model).map((entry) =>
        entry.status === 'credited' ? entry.amountMinor : entry.reason,
      )
    const flagged = ['superseded_by_merge']
    expect(creditsOf('last_touch')).toEqual([
      'outside_lookback',
      ...flagged,
      'not_last',
      'not_last',
      100,
      'after_conversion',
    ])
    expect(creditsOf('first_touch')).toEqual([
      100,
      ...flagged,
      'not_first',
      'not_first',
      'not_first',
      'after_conversion',
    ])
    expect(creditsOf('linear')).toEqual(['outside_lookback', ...flagged, 34, 33, 33, 'after_conversion'])
    expect(creditsOf('time_decay')).toEqual(['outside_lookback', ...flagged, 20, 32, 48, 'after_conversion'])
    expect(creditsOf('last_non_direct')).toEqual([
      'outside_lookback',
      ...flagged,
      'not_last',
      100,
      'direct_skipped_by_model',
      'after_conversion',
    ])
  })
})
