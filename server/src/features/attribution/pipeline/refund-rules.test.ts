import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toRateTable } from '../../facts/fx/rates.ts'
import { countRefunds } from './refund-rules.ts'

const day = '2026-05-05'
const rates = toRateTable([
  { day, currency: 'EUR', rate: '1' },
  { day, currency: 'USD', rate: '1.25' },
  { day, currency: 'JPY', rate: '160' },
])
const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'CHF')

it('counted refunds of a payment are between zero and its value, independent of the order of arrival', () => {
  const refund = fc.record({
    at: fc.integer({ min: 0, max: 9 }),
    reportedMinor: fc.nat(10_000_000),
    currency,
  })
  const payment = fc.record({
    valueMinor: fc.nat(5_000_000),
    currency,
    status: fc.constantFrom('succeeded', 'disputed', 'failed', 'pending'),
  })
  fc.assert(
    fc.property(payment, fc.array(refund, { maxLength: 6 }), (paid, reported) => {
      const refunds = reported.map(({ at, ...fields }, index) => ({
        ...fields,
        id: String(index),
        day,
        occurredAt: new Date(at),
      }))
      const counted = countRefunds(paid, refunds, rates)
      const sum = counted.reduce((total, row) => total + row.countedMinor, 0)
      const isReceived = paid.status === 'succeeded' || paid.status === 'disputed'
      expect(sum).toBeLessThanOrEqual(isReceived ? paid.valueMinor : 0)
      for (const row of counted) {
        expect(row.countedMinor).toBeGreaterThanOrEqual(0)
        expect(row.amountMinor).toBeLessThanOrEqual(refunds[Number(row.id)]!.reportedMinor)
      }
      expect(countRefunds(paid, refunds.toReversed(), rates)).toEqual(counted)
    }),
  )
})

it('caps the later refund, in its own currency', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 5, 0, minute))
  const reported = [
    { id: 'b', occurredAt: at(2), day, reportedMinor: 10_000, currency: 'USD' },
    { id: 'a', occurredAt: at(1), day, reportedMinor: 6_000, currency: 'EUR' },
  ]
  expect(countRefunds({ valueMinor: 10_000, currency: 'EUR', status: 'succeeded' }, reported, rates)).toEqual(
    [
      { id: 'a', amountMinor: 6_000, countedMinor: 6_000, isWaiting: false },
      { id: 'b', amountMinor: 5_000, countedMinor: 4_000, isWaiting: false },
    ],
  )
})
