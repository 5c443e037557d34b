import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../../../../test/database.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { IS_FIRST_CASH, mayContainPath, PackedShares, packCredit, shareOf, unpackCredit } from './packed.ts'
import { wholeReasons } from './unattributed-reasons.ts'

const nonNegative = fc.integer({ min: 0, max: 2 ** 40 })
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
  uncredited: fc.constantFrom(...wholeReasons, null),
  refunds: fc.array(fc.record({ day: fc.integer({ min: 0, max: 60_000 }), amountMinor: money }), {
    maxLength: 3,
  }),
  touches: fc.array(
    fc
      .record({ path: nonNegative, models: fc.integer({ min: 0, max: 31 }), decayWeight: nonNegative })
      .map((touch) => ({
        ...touch,
        // Only a touch that time_decay credits has a weight.
        decayWeight: (touch.models & 8) === 0 ? 0 : touch.decayWeight,
      })),
    { maxLength: 6 },
  ),
})

it('unpacking returns the packed credit, for any kind and day', () => {
  fc.assert(
    fc.property(credit, (generated) => {
      expect(unpackCredit(packCredit(generated))).toEqual(generated)
    }),
    { numRuns: 2000 },
  )
})

it('shares in columns equal the shares of each touch, at any offset in the buffer', () => {
  const shares = new PackedShares()
  fc.assert(
    fc.property(credit, fc.nat(4), fc.nat(20), (generated, model, before) => {
      const packed = packCredit(generated)
      const bytes = Buffer.concat([Buffer.alloc(before, 0xff), packed, Buffer.alloc(3, 0xff)])
      shares.read(bytes, before, before + packed.length, model)
      const actual = Array.from({ length: shares.count }, (_, share) => ({
        path: shares.paths[share],
        weight: shares.weights[share],
        total: shares.total,
      }))
      const expected = shareOf(generated, model).map(({ path, weight, total }) => ({ path, weight, total }))
      expect(actual).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

it('the columns of shares grow to any number of touches', () => {
  const touches = Array.from({ length: 1000 }, (_, path) => ({ path, models: 1, decayWeight: 0 }))
  const kind = {
    outcomeType: 'lead_created',
    revenueType: 'cash',
    fxMissing: false,
    first: null,
    uncredited: null,
  }
  const packed = packCredit({ ...kind, day: 1, amountMinor: 5, refunds: [], touches })
  const shares = new PackedShares()
  shares.read(packed, 0, packed.length, 0)
  expect([shares.count, shares.total, shares.paths[999]]).toEqual([1000, 1000, 999])
})

it('rejects an unknown revenue type', () => {
  const credit = { outcomeType: 'sale', revenueType: 'barter', day: 1, fxMissing: false, amountMinor: 1 }
  expect(() => packCredit({ ...credit, first: null, uncredited: null, refunds: [], touches: [] })).toThrow(
    'barter',
  )
})

it('a search for a path finds every credit that contains it, on any day and for any amount', async () => {
  const database = await cloneDatabase()
  const { db, close } = openDatabase({ connectionString: database.connectionString })
  try {
    const days = fc.oneof(
      fc.constantFrom(-1, 0, 1, 127, 128, 16_383, 16_384),
      fc.integer({ min: -30_000, max: 60_000 }),
    )
    const amounts = fc.oneof(fc.integer({ min: -200, max: 200 }), money)
    const creditsWithPath = fc
      .tuple(credit, days, amounts, fc.oneof(fc.nat(300), nonNegative))
      .map(([base, day, amountMinor, path]) => {
        const touch = { path, models: 1, decayWeight: 0 }
        return { ...base, day, amountMinor, touches: [touch, ...base.touches] }
      })
    for (const generated of fc.sample(creditsWithPath, 400)) {
      const { rows } = await sql<{ found: boolean }>`
        select ${mayContainPath(sql`${packCredit(generated)}::bytea`, [generated.touches[0]!.path])} as found`.execute(
        db,
      )
      expect(rows, JSON.stringify(generated)).toEqual([{ found: true }])
    }
  } finally {
    await close()
    await database.drop()
  }
})

it('the SQL predicate matches the credits of first cash payments, and no others', async () => {
  const database = await cloneDatabase()
  const { db, close } = openDatabase({ connectionString: database.connectionString })
  try {
    for (const revenueType of ['cash', 'pipeline', 'gross'])
      for (const first of ['opens', 'balance', null] as const)
        for (const fxMissing of [true, false]) {
          const packed = packCredit({
            ...{ outcomeType: 'payment_received', revenueType, day: -1, fxMissing, first },
            ...{ amountMinor: 1, uncredited: null, refunds: [], touches: [] },
          })
          const { rows } = await sql<{ opens: boolean }>`
            select ${sql.raw(IS_FIRST_CASH)} as opens from (values (${packed}::bytea)) as c(packed)`.execute(
            db,
          )
          expect(rows[0]!.opens).toBe(revenueType === 'cash' && first === 'opens')
        }
  } finally {
    await close()
    await database.drop()
  }
})
