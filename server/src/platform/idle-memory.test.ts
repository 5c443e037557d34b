import { expect, test } from 'vitest'
import { isWorthCollecting, nextMark } from './idle-memory.ts'

const MEGABYTE = 1024 ** 2
const grown = { utilization: 0.01, heapBytes: 220 * MEGABYTE, collectedBytes: 80 * MEGABYTE }

test('an idle process collects what its last work left, a busy one does not, and one without growth neither', () => {
  expect(isWorthCollecting(grown)).toBe(true)
  expect(isWorthCollecting({ ...grown, utilization: 0.2 })).toBe(false)
  expect(isWorthCollecting({ ...grown, collectedBytes: 200 * MEGABYTE })).toBe(false)
})

test('a heap that shrinks takes the mark with it, so that what grows again is collected', () => {
  let collectedBytes = 200 * MEGABYTE
  const isCollected = (megabytes: number) => {
    const heapBytes = megabytes * MEGABYTE
    collectedBytes = nextMark(collectedBytes, heapBytes)
    return isWorthCollecting({ utilization: 0.01, heapBytes, collectedBytes })
  }
  expect([200, 80, 100, 110].map(isCollected)).toEqual([false, false, false, true])
  expect(nextMark(0, 80 * MEGABYTE)).toBe(0)
})
