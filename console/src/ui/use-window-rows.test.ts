import { expect, it } from 'vitest'
import { rowsNearViewport } from './use-window-rows.ts'

it.each([
  ['at the top', -200, { first: 0, last: 30 }],
  ['in the middle of 20,000', 500_000, { first: 9990, last: 10030 }],
  ['at the end', 999_500, { first: 19_980, last: 20_000 }],
  ['below the table', 2_000_000, { first: 20_000, last: 20_000 }],
])('%s, only rows near the viewport are rendered', (_, above, expected) => {
  expect(rowsNearViewport(above, 900, 20_000, 50)).toEqual(expected)
})
