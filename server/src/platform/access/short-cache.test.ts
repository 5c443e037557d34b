import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Service } from '../../context.ts'
import { cachedBriefly, clearShortCache } from './short-cache.ts'

// Fake clock, so pauses of the machine do not expire entries.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Only its identity matters. */
const makeService = () => ({}) as Service

it('concurrent requests share one query, and later ones are cached', async () => {
  const service = makeService()
  let loads = 0
  const load = async () => {
    loads += 1
    return 'answer'
  }
  const answers = await Promise.all([1, 2, 3].map(() => cachedBriefly(service, 'kind', 'key', load)))
  expect(answers).toEqual(['answer', 'answer', 'answer'])
  expect(cachedBriefly(service, 'kind', 'key', load)).toBe('answer')
  expect(loads).toBe(1)
})

it('an entry expires after half a second', async () => {
  const service = makeService()
  await cachedBriefly(service, 'kind', 'key', async () => 'old')
  vi.advanceTimersByTime(499)
  expect(cachedBriefly(service, 'kind', 'key', async () => 'new')).toBe('old')
  vi.advanceTimersByTime(1)
  expect(await cachedBriefly(service, 'kind', 'key', async () => 'new')).toBe('new')
})

it('a load in flight when the cache is cleared is not stored', async () => {
  const service = makeService()
  const early = Promise.withResolvers<string>()
  const before = cachedBriefly(service, 'kind', 'key', () => early.promise)
  clearShortCache(service)
  early.resolve('old')
  expect(await before).toBe('old')
  expect(await cachedBriefly(service, 'kind', 'key', async () => 'new')).toBe('new')
})

it('a failure is passed to all waiting callers, and the next call loads again', async () => {
  const service = makeService()
  const failing = async () => {
    throw new Error('down')
  }
  const results = [
    cachedBriefly(service, 'kind', 'key', failing),
    cachedBriefly(service, 'kind', 'key', failing),
  ]
  for (const result of results) await expect(result).rejects.toThrow('down')
  expect(await cachedBriefly(service, 'kind', 'key', async () => 'up')).toBe('up')
})

it('the same key under another kind is a different entry', async () => {
  const service = makeService()
  expect(await cachedBriefly(service, 'profile', 'id', async () => 'a profile')).toBe('a profile')
  expect(await cachedBriefly(service, 'site', 'id', async () => 'a site')).toBe('a site')
  expect(cachedBriefly(service, 'profile', 'id', async () => 'another')).toBe('a profile')
})
