import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../../../test/database.ts'
import { openDatabase } from '../../../db/database.ts'
import { mayNamePath, packCredit, unpackCredit } from './packed.ts'

const whole = fc.integer({ min: 0, max: 2 ** 40 })
const money = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })

const credit = fc.record({
  outcomeType: fc.oneof(
    fc.constantFrom('payment_received', 'lead_created', 'order_placed'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
  ),
  revenueType: fc.constantFrom('cash', 'pipeline', 'gross'),
  day: fc.integer({ min: -30_000, max: 60_000 }),
  fxMissing: fc.boolean(),
  first: fc.constantFrom('opens' as const, 'balance' as const, null),
  amountMinor: money,
  refunds: fc.array(fc.record({ day: fc.integer({ min: 0, max: 60_000 }), amountMinor: money }), {
    maxLength: 3,
  }),
  touches: fc.array(
    fc.record({ path: whole, models: fc.integer({ min: 0, max: 31 }), decayWeight: whole }).map((touch) => ({
      ...touch,
      // Only a touch that time_decay credits has a weight.
      decayWeight: (touch.models & 8) === 0 ? 0 : touch.decayWeight,
    })),
    { maxLength: 6 },
  ),
})

it('gives back what was packed, of any kind and day', () => {
  fc.assert(
    fc.property(credit, (given) => {
      expect(unpackCredit(packCredit(given))).toEqual(given)
    }),
    { numRuns: 2000 },
  )
})

it('refuses a revenue type that it has no number for', () => {
  const credit = { outcomeType: 'sale', revenueType: 'barter', day: 1, fxMissing: false, amountMinor: 1 }
  expect(() => packCredit({ ...credit, first: null, refunds: [], touches: [] })).toThrow('barter')
})

it('a search for a path finds every credit that names it, on any day and for any amount', async () => {
  const database = await cloneDatabase()
  const { db, close } = openDatabase({ connectionString: database.connectionString })
  try {
    const days = fc.oneof(
      fc.constantFrom(-1, 0, 1, 127, 128, 16_383, 16_384),
      fc.integer({ min: -30_000, max: 60_000 }),
    )
    const amounts = fc.oneof(fc.integer({ min: -200, max: 200 }), money)
    const named = fc
      .tuple(credit, days, amounts, fc.oneof(fc.nat(300), whole))
      .map(([given, day, amountMinor, path]) => {
        const touch = { path, models: 1, decayWeight: 0 }
        return { ...given, day, amountMinor, touches: [touch, ...given.touches] }
      })
    for (const given of fc.sample(named, 400)) {
      const { rows } = await sql<{ found: boolean }>`
        select ${mayNamePath(sql`${packCredit(given)}::bytea`, [given.touches[0]!.path])} as found`.execute(
        db,
      )
      expect(rows, JSON.stringify(given)).toEqual([{ found: true }])
    }
  } finally {
    await close()
    await database.drop()
  }
})
