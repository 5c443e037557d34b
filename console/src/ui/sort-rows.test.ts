import { expect, it } from 'vitest'
import { sortRows } from './sort-rows.ts'

const columns = [{ id: 'n', value: (row: number | null) => row }]

it.each([
  [true, [3, 2, 1, null]],
  [false, [1, 2, 3, null]],
])('rows without a value stay last, descending %s', (descending, expected) => {
  expect(sortRows([2, null, 3, 1], columns, { id: 'n', descending })).toEqual(expected)
})

it('keeps the order without a sort', () => {
  expect(sortRows([2, 3, 1], columns, undefined)).toEqual([2, 3, 1])
})

it('sorts each group separately, and the groups by name', () => {
  const paid = { id: 'paid', value: (row: Paid) => row[1], group: (row: Paid) => row[0] }
  const rows: Paid[] = [
    ['JPY', 900],
    ['EUR', 5],
    ['JPY', null],
    ['EUR', 7],
    ['JPY', 1200],
  ]
  const sorted = (descending: boolean) =>
    sortRows(rows, [paid], { id: 'paid', descending }).map(([, amount]) => amount)
  expect(sorted(true)).toEqual([7, 5, 1200, 900, null])
  expect(sorted(false)).toEqual([5, 7, 900, 1200, null])
})
type Paid = [currency: string, amount: number | null]
