import { expect, it } from 'vitest'
import { isKept, readFilters, writeFilters } from './filters.ts'

it('reads what it writes, and passes over what it does not know', () => {
  const filters = readFilters('spend>=100.5,roas<2')
  expect(filters).toEqual([
    { column: 'spend', operator: '>=', value: 100.5 },
    { column: 'roas', operator: '<', value: 2 },
  ])
  expect(writeFilters(filters)).toBe('spend>=100.5,roas<2')
  expect(readFilters('spend>=,drop table,roas!2')).toEqual([])
  expect(writeFilters([])).toBeUndefined()
})

it.each([
  [100, 1.9, true],
  [99.99, 1.9, false],
  [100, 2, false],
  [100, null, false],
])('a row with spend %j and ROAS %j is kept: %j', (spend, roas, kept) => {
  const figures: Record<string, number | null> = { spend, roas }
  expect(isKept(readFilters('spend>=100,roas<2'), (column) => figures[column] ?? null)).toBe(kept)
})
