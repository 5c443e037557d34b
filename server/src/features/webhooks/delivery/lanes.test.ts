import { expect, it, vi } from 'vitest'
import type { Lane } from './lane.ts'
import { createLanes, type Turn } from './lanes.ts'

const profile = (n: number) => `profile-${n}`
const place = (second: number, id: string) => ({ dueAt: new Date(second * 1000), id })

function makeLanes(count: number, profileOf = profile) {
  const lanes = createLanes(() => {})
  for (let n = 0; n < count; n++)
    lanes.hold({ subscription_id: `lane-${n}`, profile_id: profileOf(n), wakes: 1 })
  return lanes
}

/** Takes every turn there is and starts all that it may; the answers end the attempts. */
function fill(lanes: ReturnType<typeof createLanes>) {
  const ends: { lane: Lane; end: () => void }[] = []
  for (let next = lanes.takeTurn(0); next !== undefined; next = lanes.takeTurn(0)) {
    for (const { lane, limit } of next.turns)
      for (let n = 0; n < limit; n++)
        ends.push({ lane, end: lanes.occupy(lane, place(lane.inFlight, `${lane.id}-${lane.inFlight}`)) })
    lanes.endTurn(next.profileId, next.turns)
  }
  return ends
}

it('a subscription has at most ten in flight, and one that only fails a single one', () => {
  const lanes = makeLanes(2)
  lanes.get('lane-1')!.endpoint.failures = 10
  fill(lanes)
  expect([lanes.get('lane-0')!.inFlight, lanes.get('lane-1')!.inFlight]).toEqual([10, 1])
})

it('however many endpoints hang, one that answers has room', () => {
  const lanes = makeLanes(200)
  fill(lanes)
  const taken = [...lanes.values()].reduce((sum, lane) => sum + lane.inFlight, 0)
  expect(taken).toBe(500)
  lanes.hold({ subscription_id: 'unknown', profile_id: 'late', wakes: 1 })
  lanes.hold({ subscription_id: 'proven', profile_id: 'late', wakes: 1 })
  lanes.get('proven')!.endpoint.health = 'answering'
  fill(lanes)
  expect([lanes.get('unknown')!.inFlight, lanes.get('proven')!.inFlight]).toEqual([0, 10])
})

it('profiles take turns: the one that was served waits for those that were not', () => {
  const lanes = makeLanes(5)
  const served: string[] = []
  const open: { profileId: string; turns: Turn[] }[] = []
  const take = () => {
    const next = lanes.takeTurn(0)
    if (next === undefined) return
    served.push(next.profileId)
    open.push(next)
  }
  for (let n = 0; n < 5; n++) take()
  expect(served).toEqual([0, 1, 2, 3].map(profile))
  const first = open.shift()!
  lanes.endTurn(first.profileId, first.turns)
  take()
  expect(served.at(-1)).toBe(profile(4))
})

it('nothing in flight is loaded a second time, wherever it stands in the queue', () => {
  vi.useFakeTimers({ now: 0 })
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  const turn = () => {
    const next = lanes.takeTurn(0)!
    lanes.endTurn(next.profileId, next.turns)
    return { after: next.turns[0]!.after, open: next.turns[0]!.open }
  }
  expect(turn()).toEqual({ after: null, open: [] })
  lanes.occupy(lane, place(1, 'a'))
  lanes.occupy(lane, place(3, 'c'))
  lane.reading.after = place(3, 'c')
  expect(turn()).toEqual({ after: place(3, 'c'), open: [] })
  lane.reading.after = place(2, 'b')
  expect(turn()).toEqual({ after: place(2, 'b'), open: ['c'] })
  vi.setSystemTime(5000)
  expect(turn()).toEqual({ after: null, open: ['a', 'c'] })
  vi.useRealTimers()
})

it('a lane that was lost gets no turn, and its attempts are given up', () => {
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  lanes.drop('lane-0')
  expect(lanes.takeTurn(0)).toBeUndefined()
  expect(lane.abandoned.signal.aborted).toBe(true)
})
