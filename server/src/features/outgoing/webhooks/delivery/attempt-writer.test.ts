import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAttemptWriter } from './attempt-writer.ts'
import type { Settled } from './save-attempts.ts'

type Write = { ids: string[]; profiles: Set<string>; end: (error?: Error) => void }

let writes: Write[]
let settled: string[]

beforeEach(() => {
  vi.useFakeTimers()
  writes = []
  settled = []
})
afterEach(() => {
  vi.useRealTimers()
})

const makeAttemptWriter = (overrides: Partial<Parameters<typeof createAttemptWriter>[0]> = {}) =>
  createAttemptWriter({
    write: (batch) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error))
        writes.push({
          ids: batch.map((entry) => entry.id),
          profiles: new Set(batch.map((entry) => entry.profileId)),
          end,
        })
      }),
    quietIn: () => new Set(),
    settled: (batch) => settled.push(...batch.map((entry) => entry.id)),
    failed: () => {},
    ...overrides,
  })

const entry = (profileId: string, id: string): Settled => ({
  profileId,
  subscriptionId: 'subscription',
  id,
  number: 1,
  recordedAt: null,
  status: 'delivered',
  nextAttemptAt: null,
  entry: { attempt: 1, at: '2026-05-01T00:00:00.000Z', response_status: 200, error: null, duration_ms: 1 },
  endedAt: new Date('2026-05-01T00:00:00Z'),
  gone: false,
})

const soon = () => vi.advanceTimersByTimeAsync(20)

it('attempts that end at about the same time share a write across profiles', async () => {
  const attemptWriter = makeAttemptWriter()
  for (const profile of ['a', 'b', 'a']) attemptWriter.add(entry(profile, profile))
  expect(writes).toEqual([])
  await soon()
  expect(writes.map((write) => write.ids)).toEqual([['a', 'a', 'b']])
})

it('writes of a profile are serialized in the order in which its attempts ended; other profiles do not wait', async () => {
  const attemptWriter = makeAttemptWriter()
  attemptWriter.add(entry('a', 'a1'))
  await soon()
  attemptWriter.add(entry('a', 'a2'))
  attemptWriter.add(entry('b', 'b1'))
  await soon()
  expect(writes.map((write) => write.ids)).toEqual([['a1'], ['b1']])
  writes[0]!.end()
  await soon()
  expect(writes.map((write) => write.ids)).toEqual([['a1'], ['b1'], ['a2']])
  expect(settled).toEqual(['a1'])
})

it('a large backlog is shared between three writers', async () => {
  const attemptWriter = makeAttemptWriter()
  for (let n = 0; n < 5000; n++) attemptWriter.add(entry(`profile ${n % 50}`, String(n)))
  await soon()
  expect(writes).toHaveLength(3)
  for (const write of writes) expect(write.ids.length).toBeLessThanOrEqual(500)
  expect(new Set(writes.flatMap((write) => [...write.profiles])).size).toBe(
    writes.reduce((sum, write) => sum + write.profiles.size, 0),
  )
  expect(attemptWriter.unsettled()).toBe(5000)
})

it('a failed write is retried before entries that ended later', async () => {
  const attemptWriter = makeAttemptWriter()
  attemptWriter.add(entry('a', 'a1'))
  await soon()
  writes[0]!.end(new Error('no database'))
  attemptWriter.add(entry('a', 'a2'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(writes[1]!.ids).toEqual(['a1', 'a2'])
  writes[1]!.end()
  await soon()
  expect([settled, attemptWriter.unsettled()]).toEqual([['a1', 'a2'], 0])
})

it('a drain writes the remaining entries immediately and does not wait for those that fail', async () => {
  const attemptWriter = makeAttemptWriter()
  attemptWriter.add(entry('a', 'a1'))
  attemptWriter.add(entry('b', 'b1'))
  const drained = attemptWriter.drain()
  writes[0]!.end(new Error('no database'))
  await drained
  expect(writes).toHaveLength(1)
  expect(attemptWriter.unsettled()).toBe(0)
})

it('a node that does not respond does not block others, regardless of its number of profiles', async () => {
  const nodeOf = (profileId: string) => (profileId === 'here' ? 'here' : 'away')
  const attemptWriter = makeAttemptWriter({ singleProfileBatches: true, nodeOf })
  for (const profile of ['a', 'b', 'c', 'd', 'e', 'here']) attemptWriter.add(entry(profile, profile))
  await soon()
  expect(writes.map((write) => write.ids)).toEqual([['a'], ['b'], ['c'], ['here']])
  writes[0]!.end()
  await soon()
  expect(writes.at(-1)!.ids).toEqual(['d'])
})
