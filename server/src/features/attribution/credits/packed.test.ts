import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packCredit, unpackCredit } from './packed.ts'

const whole = fc.integer({ min: 0, max: 2 ** 40 })
const money = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })

it('gives back what was packed, of any kind and day', () => {
  const credit = fc.record({
    outcomeType: fc.oneof(
      fc.constantFrom('payment_received', 'lead_created', 'order_placed'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    ),
    revenueType: fc.constantFrom('cash', 'pipeline', 'gross'),
    day: fc.integer({ min: -30_000, max: 60_000 }),
    fxMissing: fc.boolean(),
    amountMinor: money,
    refunds: fc.array(fc.record({ day: fc.integer({ min: 0, max: 60_000 }), amountMinor: money }), {
      maxLength: 3,
    }),
    touches: fc.array(
      fc
        .record({ path: whole, models: fc.integer({ min: 0, max: 31 }), decayWeight: whole })
        .map((touch) => ({
          ...touch,
          // Only a touch that time_decay credits has a weight.
          decayWeight: (touch.models & 8) === 0 ? 0 : touch.decayWeight,
        })),
      { maxLength: 6 },
    ),
  })
  fc.assert(
    fc.property(credit, (given) => {
      expect(unpackCredit(packCredit(given))).toEqual(given)
    }),
    { numRuns: 2000 },
  )
})

it('refuses a revenue type that it has no number for', () => {
  const credit = { outcomeType: 'sale', revenueType: 'barter', day: 1, fxMissing: false, amountMinor: 1 }
  expect(() => packCredit({ ...credit, refunds: [], touches: [] })).toThrow('barter')
})
