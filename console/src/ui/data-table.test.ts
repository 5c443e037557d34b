import { expect, it } from 'vitest'
import { type Column, sortRows } from './data-table.tsx'

const columns: Column<number | null>[] = [{ id: 'n', label: 'N', value: (row) => row, cell: String }]

it.each([
  [true, [3, 2, 1, null]],
  [false, [1, 2, 3, null]],
])('rows without a value stay last, descending %s', (descending, expected) => {
  expect(sortRows([2, null, 3, 1], columns, { id: 'n', descending })).toEqual(expected)
})

it('keeps the order that came where nothing is sorted', () => {
  expect(sortRows([2, 3, 1], columns, undefined)).toEqual([2, 3, 1])
})
