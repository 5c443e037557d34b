import { expect, it } from 'vitest'
import { amountBounds, readAmountText } from './amounts.ts'

it.each([
  ['129.90', '129.90'],
  [' 129,9 ', '129.9'],
  ['€129.90', '129.90'],
  ['129,90 €', '129.90'],
  ['1,299.90', '1299.90'],
  ['1.299,90 EUR', '1299.90'],
  ['1 299,90', '1299.90'],
  ['1,299', '1299'],
  ['1001', '1001'],
  ['US$ 20', undefined],
  ['12.34.56', undefined],
  ['-5', undefined],
  ['#1001', undefined],
  ['+34 600 111 222', undefined],
  ['ana', undefined],
  ['123456789012', undefined],
])('%s is read as %s', (text, amount) => {
  expect(readAmountText(text)).toBe(amount)
})

it('a range covers whole minor units per currency exponent, and is empty for amounts finer than the currency', () => {
  const boundsOf = (min: string | null, max: string | null) =>
    Object.fromEntries(amountBounds({ min, max }).map((row) => [row.exponent, [row.min, row.max]]))
  expect(boundsOf('129.90', '129.90')).toEqual({
    0: [130, 129],
    2: [12_990, 12_990],
    3: [129_900, 129_900],
    4: [1_299_000, 1_299_000],
  })
  expect(boundsOf('1.005', '2')[2]).toEqual([101, 200])
  expect(boundsOf(null, '0.01')[2]).toEqual([0, 1])
  expect(boundsOf('99999999999.99', null)[2]?.[0]).toBe(9_999_999_999_999)
})
