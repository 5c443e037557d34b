import { expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

it('a full cache is cleared before a new entry is added', () => {
  const cache = new BoundedCache<string, number>(2)
  cache.set('a', 1).set('b', 2).set('b', 3)
  expect([...cache]).toEqual([
    ['a', 1],
    ['b', 3],
  ])
  cache.set('c', 4)
  expect([...cache]).toEqual([['c', 4]])
})

it('a value is computed once while cached, also undefined', () => {
  const cache = new BoundedCache<string, number | undefined>(2)
  let calls = 0
  const make = () => {
    calls++
    return undefined
  }
  for (let times = 0; times < 3; times++) expect(cache.recall('a', make)).toBeUndefined()
  expect(calls).toBe(1)
})
