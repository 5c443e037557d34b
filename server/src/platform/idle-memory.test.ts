import { expect, test } from 'vitest'
import { isWorthCollecting, nextMark } from './idle-memory.ts'

const MEGABYTE = 1024 ** 2
const grown = { utilization: 0.01, heapBytes: 220 * MEGABYTE, collectedBytes: 80 * MEGABYTE }

test('garbage is collected if the process is idle and has grown, but not if it is busy or has not grown', () => {
  expect(isWorthCollecting(grown)).toBe(true)
  expect(isWorthCollecting({ ...grown, utilization: 0.2 })).toBe(false)
  expect(isWorthCollecting({ ...grown, collectedBytes: 200 * MEGABYTE })).toBe(false)
})

test('a shrinking heap lowers the mark, so that later growth is collected', () => {
  let collectedBytes = 200 * MEGABYTE
  const isCollected = (megabytes: number) => {
    const heapBytes = megabytes * MEGABYTE
    collectedBytes = nextMark(collectedBytes, heapBytes)
    return isWorthCollecting({ utilization: 0.01, heapBytes, collectedBytes })
  }
  expect([200, 80, 100, 110].map(isCollected)).toEqual([false, false, false, true])
  expect(nextMark(0, 80 * MEGABYTE)).toBe(0)
})
