import { expect, it } from 'vitest'
import { evenTicks } from './ticks.ts'

it.each([
  [0, 1_400_000, [0, 500_000, 1_000_000, 1_500_000]],
  [0, 4_210, [0, 2000, 4000, 6000]],
  [0, 100, [0, 25, 50, 75, 100]],
  [0, 0, [0, 0.25, 0.5, 0.75, 1]],
  [-30, 90, [-50, 0, 50, 100]],
])('from %d to %d has round, evenly spaced ticks', (lowest, highest, expected) => {
  expect(evenTicks(lowest, highest)).toEqual(expected)
})

it('counts stay whole', () => {
  expect(evenTicks(0, 3, 5, true)).toEqual([0, 1, 2, 3])
  expect(evenTicks(0, 12, 5, true)).toEqual([0, 5, 10, 15])
})
