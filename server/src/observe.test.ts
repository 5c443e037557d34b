import { afterEach, expect, it, vi } from 'vitest'
import { lastReading } from './observe.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('on a distributed database a scrape waits for no reading after the first, also if that one failed', async () => {
  // Without its timer, waiting for a node that hangs has no end.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const readings = [Promise.reject(new Error('away')), new Promise<number>(() => {})]
  const read = lastReading({ nodes: { isDistributed: true } }, () => readings.shift()!)
  expect(await read()).toBeUndefined()
  expect(await read()).toBeUndefined()
})
