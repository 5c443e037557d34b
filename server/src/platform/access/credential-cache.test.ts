import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Service } from '../../context.ts'
import { forget, remember } from './credential-cache.ts'

// However long the machine pauses, no time passes here unless a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Only its identity counts. */
const makeService = () => ({}) as Service

it('concurrent requests share one query, and later ones are cached', async () => {
  const service = makeService()
  let asked = 0
  const load = async () => {
    asked += 1
    return 'answer'
  }
  const answers = await Promise.all([1, 2, 3].map(() => remember(service, 'kind', 'key', load)))
  expect(answers).toEqual(['answer', 'answer', 'answer'])
  expect(remember(service, 'kind', 'key', load)).toBe('answer')
  expect(asked).toBe(1)
})

it('after half a second it is queried again', async () => {
  const service = makeService()
  await remember(service, 'kind', 'key', async () => 'old')
  vi.advanceTimersByTime(499)
  expect(remember(service, 'kind', 'key', async () => 'new')).toBe('old')
  vi.advanceTimersByTime(1)
  expect(await remember(service, 'kind', 'key', async () => 'new')).toBe('new')
})

it('an answer that was under way when things changed is not remembered', async () => {
  const service = makeService()
  const early = Promise.withResolvers<string>()
  const before = remember(service, 'kind', 'key', () => early.promise)
  forget(service)
  early.resolve('old')
  expect(await before).toBe('old')
  expect(await remember(service, 'kind', 'key', async () => 'new')).toBe('new')
})

it('a failure reaches all callers that wait, and the next one queries again', async () => {
  const service = makeService()
  const failing = async () => {
    throw new Error('down')
  }
  const asked = [remember(service, 'kind', 'key', failing), remember(service, 'kind', 'key', failing)]
  for (const answer of asked) await expect(answer).rejects.toThrow('down')
  expect(await remember(service, 'kind', 'key', async () => 'up')).toBe('up')
})

it('the same key of another kind is another question', async () => {
  const service = makeService()
  expect(await remember(service, 'profile', 'id', async () => 'a profile')).toBe('a profile')
  expect(await remember(service, 'site', 'id', async () => 'a site')).toBe('a site')
  expect(remember(service, 'profile', 'id', async () => 'another')).toBe('a profile')
})
