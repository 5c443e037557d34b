import { describe, expect, it } from 'vitest'
import {
  dueForLookOrRelease,
  endLoad,
  freeSlots,
  type Lane,
  type LoadResult,
  newLane,
  readAheadInVain,
  recordAnswer,
  startLoad,
  wakeLane,
} from './lane.ts'

const makeLane = (): Lane => newLane({ subscription_id: 'lane', profile_id: 'profile', wakes: 1 })

function loaded(result: LoadResult, { woken = false } = {}): Lane {
  const lane = makeLane()
  startLoad(lane)
  if (woken) wakeLane(lane)
  endLoad(lane, result, 0)
  return lane
}

describe('after a load', () => {
  it.each([
    ['more', false, 'wanting'],
    ['failed', false, 'wanting'],
    ['drained', false, 'dry'],
    ['paused', false, 'paused'],
    ['drained', true, 'wanting'],
    ['paused', true, 'paused'],
  ] as const)('%s (woken meanwhile: %s) leads to %s', (result, woken, state) => {
    expect(loaded(result, { woken }).state).toBe(state)
  })
})

it('a wake-up of one load is not taken for one of the next', () => {
  const lane = loaded('drained', { woken: true })
  startLoad(lane)
  endLoad(lane, 'drained', 0)
  expect(lane.state).toBe('dry')
})

it('what is dry or paused wants a turn again once it is woken', () => {
  for (const result of ['drained', 'paused'] as const) {
    const lane = loaded(result)
    wakeLane(lane)
    expect(lane.state).toBe('wanting')
  }
})

it('no turn begins while one is under way, and none ends that did not begin', () => {
  const lane = makeLane()
  expect(() => endLoad(lane, 'drained', 0)).toThrow("A lane that is wanting takes no 'drained'")
  startLoad(lane)
  expect(() => startLoad(lane)).toThrow("A lane that is loading takes no 'turn'")
})

it('an idle lane is released after a quarter of a second, one with an open attempt looks once a second', () => {
  const lane = loaded('drained')
  expect(dueForLookOrRelease(lane, 100)).toBe('neither')
  expect(dueForLookOrRelease(lane, 349)).toBe('neither')
  expect(dueForLookOrRelease(lane, 350)).toBe('release')
  lane.open.set('a', { id: 'a', dueAt: new Date(0) })
  expect(dueForLookOrRelease(lane, 999)).toBe('neither')
  expect(dueForLookOrRelease(lane, 1000)).toBe('look')
  expect(dueForLookOrRelease(Object.assign(loaded('paused'), { inFlight: 1 }), 5000)).toBe('neither')
})

it('only an endpoint that answers at once has deliveries loaded ahead of its free slots', () => {
  const lane = Object.assign(makeLane(), { inFlight: 4 })
  recordAnswer(lane, { ok: true, durationMs: 51 })
  expect(freeSlots(lane, 0)).toBe(6)
  recordAnswer(lane, { ok: true, durationMs: 50 })
  expect(freeSlots(lane, 0)).toBe(10)
  readAheadInVain(lane)
  expect(freeSlots(lane, 0)).toBe(6)
})

it('ten failures in a row leave one slot; a success brings all back', () => {
  const lane = makeLane()
  for (let n = 0; n < 10; n++) recordAnswer(lane, { ok: false, durationMs: 1 })
  expect(freeSlots(lane, 0)).toBe(1)
  recordAnswer(lane, { ok: true, durationMs: 1 })
  expect(freeSlots(lane, 0)).toBe(10)
})
