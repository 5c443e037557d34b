import { expect, it } from 'vitest'
import { allowances, countAll, countWords, lowered, readAllowed } from './plain-words.mjs'

it('no file uses more of the words that docs/writing.md advises against than it is allowed', () => {
  const files = countAll()
  expect(files.size).toBeGreaterThan(1000)
  const allowed = allowances(readAllowed(), files)
  const over = [...files].filter(([path, count]) => count > allowed.get(path)!)
  expect(over.map(([path, count]) => `${path}: ${count}, allowed ${allowed.get(path)}`)).toEqual([])
})

it('counts whole words in any case', () => {
  expect(countWords('Nobody told us; it stands beside the untold. beside_row standby')).toBe(4)
})

it('a moved file keeps its allowance, a new one has none', () => {
  const allowed = new Map([
    ['old/rules.ts', 3],
    ['kept.ts', 2],
  ])
  const files = new Map([
    ['wing/rules.ts', 2],
    ['other/rules.ts', 2],
    ['kept.ts', 5],
    ['new.ts', 1],
  ])
  expect(Object.fromEntries(allowances(allowed, files))).toEqual({
    'wing/rules.ts': 2,
    'other/rules.ts': 1,
    'kept.ts': 2,
    'new.ts': 0,
  })
})

it('numbers in the list only decrease', () => {
  const allowed = new Map([
    ['a.ts', 3],
    ['b.ts', 1],
    ['gone.ts', 4],
  ])
  const files = new Map([
    ['a.ts', 2],
    ['b.ts', 6],
    ['c.ts', 1],
  ])
  expect(Object.fromEntries(lowered(allowed, files))).toEqual({ 'a.ts': 2, 'b.ts': 1 })
})
