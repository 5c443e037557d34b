import { expect, test } from 'vitest'
import { isWorthCollecting } from './idle-memory.ts'

const MEGABYTE = 1024 ** 2
const grown = { utilization: 0.01, heapBytes: 220 * MEGABYTE, collectedBytes: 80 * MEGABYTE }

test('an idle process collects what its last work left, a busy one does not, and one without growth neither', () => {
  expect(isWorthCollecting(grown)).toBe(true)
  expect(isWorthCollecting({ ...grown, utilization: 0.2 })).toBe(false)
  expect(isWorthCollecting({ ...grown, collectedBytes: 200 * MEGABYTE })).toBe(false)
})
