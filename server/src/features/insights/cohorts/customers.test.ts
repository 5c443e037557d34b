import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayAt, dayNumber } from '../../../platform/contract/dates.ts'
import { Customers } from './customers.ts'
import { Payers } from './payers.ts'
import { monthNumber } from './rules.ts'

const FIRST_DAY = dayNumber('2026-01-01')
const HORIZON = 2
const range = { from: '2026-02-10', to: '2026-03-20', days: 39 }

type Payment = {
  person: number
  day: number
  recordedAt: number
  minor: number
  opens: boolean
  counts: boolean
  goals: number
}
type World = {
  payments: Payment[]
  refunds: { payment: number; day: number; minor: number }[]
  roots: number[]
}

const day = fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 150 })
const minor = fc.integer({ min: 0, max: 2 ** 40 })
const person = fc.nat(5)
const world: fc.Arbitrary<World> = fc
  .record({
    payments: fc.array(
      fc.record({
        person,
        day,
        recordedAt: fc.nat(2),
        minor,
        opens: fc.boolean(),
        counts: fc.boolean(),
        goals: fc.constantFrom(1, 2),
      }),
      { minLength: 1, maxLength: 20 },
    ),
    refunds: fc.array(fc.record({ payment: fc.nat(100), day, minor }), { maxLength: 6 }),
    roots: fc.array(fc.nat(7), { minLength: 6, maxLength: 6 }),
  })
  .map(({ payments, refunds, roots }) => ({
    payments,
    refunds: refunds.map((refund) => ({ ...refund, payment: refund.payment % payments.length })),
    // A merged identifier points directly to its root.
    roots: roots.map((root, index) => (roots[root] === undefined || roots[root] === root ? root : index)),
  }))

/** An id whose last bytes are the number. */
function viewOf(...numbers: number[]): DataView {
  const view = new DataView(new ArrayBuffer(numbers.length * 16))
  for (const [index, number] of numbers.entries()) view.setInt32(index * 16 + 12, number)
  return view
}

/** The id of a conversion; among conversions of one payment, the last one read sorts first. */
const conversionId = (payment: number, goal: number) => 1000 - payment * 2 - goal

function fill({ payments, refunds, roots }: World): Payers {
  const payers = new Payers()
  for (const [number, payment] of payments.entries())
    if (payment.opens) payers.addOpeningPayment(viewOf(number), 0)
  payers.endOpeningPayments()
  for (const refund of refunds) payers.addRefund(viewOf(refund.payment), 0, refund.day, refund.minor)
  payers.endRefunds()
  for (const [number, { person, day, recordedAt, minor, counts, goals }] of payments.entries())
    for (let goal = 0; counts && goal < goals; goal++)
      payers.addCash(
        viewOf(conversionId(number, goal), number, person),
        0,
        16,
        32,
        day,
        day,
        recordedAt,
        minor,
      )
  payers.endCash()
  for (const [id, root] of roots.entries()) if (root !== id) payers.addJoined(viewOf(id, root), 0, 16)
  return payers
}

type Sums = { month: number; minor: number[]; hasPaid: number[] }

/** Reference implementation with plain loops, by the id of the opening conversion. */
function expected({ payments, refunds, roots }: World): Map<number, Sums> {
  const sumsById = new Map<number, Sums>()
  const cash = [...payments.entries()].filter(([, { counts }]) => counts)
  for (const personPayments of Map.groupBy(cash, ([, payment]) => roots[payment.person]!).values()) {
    const conversions = personPayments
      .filter(([, { opens }]) => opens)
      .flatMap(([number, payment]) =>
        Array.from({ length: payment.goals }, (_, goal) => ({
          id: conversionId(number, goal),
          number,
          ...payment,
        })),
      )
      .sort((a, b) => a.day - b.day || a.recordedAt - b.recordedAt || a.number - b.number || a.id - b.id)
    const [first] = conversions
    if (first === undefined || dayAt(first.day) < range.from || dayAt(first.day) > range.to) continue
    const month = monthNumber(dayAt(first.day))
    const sums: Sums = { month, minor: [0, 0, 0], hasPaid: [0, 0, 0] }
    const add = (day: number, minor: number, isPayment: boolean) => {
      const months = monthNumber(dayAt(day)) - month
      if (months < 0 || months > HORIZON) return
      sums.minor[months]! += minor
      if (isPayment) sums.hasPaid[months] = 1
    }
    for (const [number, payment] of personPayments) {
      for (let goal = 0; goal < payment.goals; goal++) add(payment.day, payment.minor, true)
      for (const refund of refunds) if (refund.payment === number) add(refund.day, -refund.minor, false)
    }
    sumsById.set(first.id, sums)
  }
  return sumsById
}

it('matches a reference implementation for any payments, refunds and merged identifiers', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (generated) => {
      const payers = fill(generated)
      const customers = await Customers.of(payers, range, HORIZON)
      const actual = new Map<number, Sums>()
      const { openings } = payers
      for (let opening = 0; opening < openings.size; opening++) {
        if (!customers.read(opening)) continue
        const { month, minor, hasPaid } = customers
        actual.set(openings.words[opening * 4 + 3]!, { month, minor: [...minor], hasPaid: [...hasPaid] })
      }
      expect(new Map([...actual].sort())).toEqual(new Map([...expected(generated)].sort()))
      let read = 0
      await customers.readAll(() => {
        read += 1
      })
      expect(read).toBe(actual.size)
    }),
    { numRuns: 500 },
  )
})

it('grows beyond its initial capacity of payments, openings and people', async () => {
  const payers = new Payers()
  payers.addOpeningPayment(viewOf(0), 0)
  payers.endOpeningPayments()
  payers.endRefunds()
  const count = 140_000
  for (let number = 0; number < count; number++)
    payers.addCash(
      viewOf(number, number % 7 === 0 ? 0 : number, number),
      0,
      16,
      32,
      FIRST_DAY + 60,
      number,
      number,
      1,
    )
  payers.endCash()
  for (let number = 1; number < count; number++) payers.addJoined(viewOf(number, 0), 0, 16)
  const customers = await Customers.of(payers, range, HORIZON)
  const sums: number[][] = []
  await customers.readAll(() => sums.push([...customers.minor]))
  expect(sums).toEqual([[count, 0, 0]])
})
