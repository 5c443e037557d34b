import { expect, it, vi } from 'vitest'
import { createLanes, type Lane, type Turn } from './lanes.ts'

const profile = (n: number) => `profile-${n}`
const place = (second: number, id: string) => ({ dueAt: new Date(second * 1000), id })

function makeLanes(count: number, profileOf = profile) {
  const lanes = createLanes(() => {})
  for (let n = 0; n < count; n++)
    lanes.hold({ subscription_id: `lane-${n}`, profile_id: profileOf(n), wakes: 1 })
  return lanes
}

/** Takes every turn there is and starts all that it may; the answers end the tries. */
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
  lanes.get('lane-1')!.failures = 10
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
  lanes.get('proven')!.proven = true
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

it('nothing in flight is loaded a second time, wherever it stands in the line', () => {
  vi.useFakeTimers({ now: 0 })
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  const turn = (unsettled = 0) => {
    const next = lanes.takeTurn(unsettled)!
    lanes.endTurn(next.profileId, next.turns)
    return { after: next.turns[0]!.after, busy: next.turns[0]!.busy }
  }
  expect(turn()).toEqual({ after: null, busy: [] })
  lanes.occupy(lane, place(1, 'a'))
  lanes.occupy(lane, place(3, 'c'))
  lane.after = place(3, 'c')
  expect(turn()).toEqual({ after: place(3, 'c'), busy: [] })
  lane.after = place(2, 'b')
  expect(turn()).toEqual({ after: place(2, 'b'), busy: ['c'] })
  vi.setSystemTime(5000)
  expect(turn()).toEqual({ after: null, busy: ['a', 'c'] })
  vi.useRealTimers()
})

it('a lane that was lost gets no turn, and its tries are given up', () => {
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  lanes.drop('lane-0')
  expect(lanes.takeTurn(0)).toBeUndefined()
  expect(lane.given.signal.aborted).toBe(true)
})
