import { afterEach, expect, it, vi } from 'vitest'
import { lastReading } from './observe.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('on a distributed database only the first scrape waits for a reading, even if that failed', async () => {
  // Without the timer, waiting for a hanging node never ends.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const readings = [Promise.reject(new Error('away')), new Promise<number>(() => {})]
  const read = lastReading({ nodes: { isDistributed: true } }, () => readings.shift()!)
  expect(await read()).toBeUndefined()
  expect(await read()).toBeUndefined()
})
