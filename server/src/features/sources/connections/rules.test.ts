import { expect, it } from 'vitest'
import { emptyPerson } from '../../../connectors/person.ts'
import type { AdClickRecord, PaymentRecord } from '../../../connectors/records.ts'
import { isSinceConnected, splitStorable } from './rules.ts'

const payment: PaymentRecord = {
  type: 'payment',
  externalId: 'p-1',
  occurredAt: '2026-05-04T10:00:00.000Z',
  amount: { amountMinor: 100, currency: 'EUR' },
  status: 'succeeded',
  person: emptyPerson(),
  orderId: null,
}

it.each([
  ['a NUL', { orderId: 'a\u0000b' }, 'It contains a NUL character'],
  ['an unpaired surrogate', { orderId: '\ud800' }, 'It contains an unpaired surrogate'],
  ['an invalid time', { occurredAt: 'soon' }, 'Its time is not a valid time'],
  ['too much money', { amount: { amountMinor: 2 ** 52, currency: 'EUR' } }, 'Its amount is too large'],
])('a record with %s is not written to the database', (_, fields, reason) => {
  const { good, bad } = splitStorable([payment, { ...payment, externalId: 'p-2', ...fields }])
  expect(good).toEqual([payment])
  expect(bad).toEqual([{ kind: 'payment', externalId: 'p-2', reason }])
})

it('a record with an impossible date is not written to the database', () => {
  const click: AdClickRecord = {
    type: 'ad_click',
    externalId: 'g-1',
    clickIdKind: 'gclid',
    day: '2026-05-04',
    campaignExternalId: null,
    adSetExternalId: null,
    adExternalId: null,
  }
  const days = ['2026-02-30', '2026-05', '', 'soon']
  const { good, bad } = splitStorable([click, ...days.map((day) => ({ ...click, externalId: 'g-2', day }))])
  expect(good).toEqual([click])
  const reason = 'Its day is not a valid date'
  expect(bad).toEqual(days.map(() => ({ kind: 'ad_click', externalId: 'g-2', reason })))
})

it('an order of the second of the connect is new, an earlier one is history', () => {
  const connection = { authorized_at: new Date('2026-05-01T10:00:00.700Z') }
  expect(isSinceConnected(new Date('2026-05-01T10:00:00Z'), connection)).toBe(true)
  expect(isSinceConnected(new Date('2026-05-01T09:59:59Z'), connection)).toBe(false)
})
