import { describe, expect, it } from 'vitest'
import {
  discardReadAhead,
  endLoad,
  freeSlots,
  idleAction,
  type Lane,
  type LoadResult,
  newLane,
  recordResponse,
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
    ['more', false, 'ready'],
    ['failed', false, 'ready'],
    ['drained', false, 'empty'],
    ['paused', false, 'paused'],
    ['drained', true, 'ready'],
    ['paused', true, 'paused'],
  ] as const)('%s (woken meanwhile: %s) leads to %s', (result, woken, state) => {
    expect(loaded(result, { woken }).state).toBe(state)
  })
})

it('a wake-up during one load does not affect the next load', () => {
  const lane = loaded('drained', { woken: true })
  startLoad(lane)
  endLoad(lane, 'drained', 0)
  expect(lane.state).toBe('empty')
})

it('an empty or paused lane is ready again once it is woken', () => {
  for (const result of ['drained', 'paused'] as const) {
    const lane = loaded(result)
    wakeLane(lane)
    expect(lane.state).toBe('ready')
  }
})

it('a turn cannot start during another one, or end before it started', () => {
  const lane = makeLane()
  expect(() => endLoad(lane, 'drained', 0)).toThrow("Event 'drained' is invalid for a lane in state 'ready'")
  startLoad(lane)
  expect(() => startLoad(lane)).toThrow("Event 'turn' is invalid for a lane in state 'loading'")
})

it('an idle lane is released after a quarter of a second, one with an open attempt polls once a second', () => {
  const lane = loaded('drained')
  expect(idleAction(lane, 100)).toBe('none')
  expect(idleAction(lane, 349)).toBe('none')
  expect(idleAction(lane, 350)).toBe('release')
  lane.open.set('a', { id: 'a', historical: false, dueAt: new Date(0) })
  expect(idleAction(lane, 999)).toBe('none')
  expect(idleAction(lane, 1000)).toBe('poll')
  expect(idleAction(Object.assign(loaded('paused'), { inFlight: 1 }), 5000)).toBe('none')
})

it('only for a fast endpoint are more deliveries loaded than it has free slots', () => {
  const lane = Object.assign(makeLane(), { inFlight: 4 })
  recordResponse(lane, { ok: true, durationMs: 51 })
  expect(freeSlots(lane, 0)).toBe(6)
  recordResponse(lane, { ok: true, durationMs: 50 })
  expect(freeSlots(lane, 0)).toBe(10)
  discardReadAhead(lane)
  expect(freeSlots(lane, 0)).toBe(6)
})

it('ten consecutive failures leave one slot; a success restores all', () => {
  const lane = makeLane()
  for (let n = 0; n < 10; n++) recordResponse(lane, { ok: false, durationMs: 1 })
  expect(freeSlots(lane, 0)).toBe(1)
  recordResponse(lane, { ok: true, durationMs: 1 })
  expect(freeSlots(lane, 0)).toBe(10)
})
