import { expect, it } from 'vitest'
import { matchesFilters, readFilters, writeFilters } from './filters.ts'

it('parses what it serializes, and ignores unknown conditions', () => {
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
])('a row with spend %j and ROAS %j matches: %j', (spend, roas, matches) => {
  const figures: Record<string, number | null> = { spend, roas }
  expect(matchesFilters(readFilters('spend>=100,roas<2'), (column) => figures[column] ?? null)).toBe(matches)
})
