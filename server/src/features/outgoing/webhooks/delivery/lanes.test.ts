import { expect, it, vi } from 'vitest'
import type { Lane } from './lane.ts'
import { createLanes, loadOfManyProfiles, loadOfOneProfile, type ProfileTurn } from './lanes.ts'

const profile = (n: number) => `profile-${n}`
const positionAt = (second: number, id: string, historical = false) => ({
  historical,
  dueAt: new Date(second * 1000),
  id,
})

function makeLanes(count: number, shape = loadOfOneProfile) {
  const lanes = createLanes(() => {}, shape)
  for (let n = 0; n < count; n++)
    lanes.add({ subscription_id: `lane-${n}`, profile_id: profile(n), wakes: 1 })
  return lanes
}

/** Takes all available turns and starts all permitted attempts; the returned functions end them. */
function fill(lanes: ReturnType<typeof createLanes>) {
  const ends: { lane: Lane; end: () => void }[] = []
  for (let load = lanes.nextLoad(0); load !== undefined; load = lanes.nextLoad(0)) {
    for (const part of load) {
      for (const { lane, limit } of part.turns)
        for (let n = 0; n < limit; n++)
          ends.push({
            lane,
            end: lanes.startAttempt(lane, positionAt(lane.inFlight, `${lane.id}-${lane.inFlight}`)),
          })
      lanes.endTurn(part)
    }
    lanes.endLoad()
  }
  return ends
}

it('a subscription has at most ten in flight, and a failing one a single one', () => {
  const lanes = makeLanes(2)
  lanes.get('lane-1')!.endpoint.failures = 10
  fill(lanes)
  expect([lanes.get('lane-0')!.inFlight, lanes.get('lane-1')!.inFlight]).toEqual([10, 1])
})

it('an endpoint that responds has capacity however many others hang', () => {
  const lanes = makeLanes(200)
  fill(lanes)
  const inFlight = [...lanes.values()].reduce((sum, lane) => sum + lane.inFlight, 0)
  expect(inFlight).toBe(500)
  lanes.add({ subscription_id: 'unknown', profile_id: 'late', wakes: 1 })
  lanes.add({ subscription_id: 'proven', profile_id: 'late', wakes: 1 })
  lanes.get('proven')!.endpoint.health = 'responding'
  fill(lanes)
  expect([lanes.get('unknown')!.inFlight, lanes.get('proven')!.inFlight]).toEqual([0, 10])
})

it('profiles take turns: a served profile waits for those that were not served yet', () => {
  const lanes = makeLanes(5)
  const served: string[] = []
  const open: ProfileTurn[] = []
  const take = () => {
    const [next] = lanes.nextLoad(0) ?? []
    if (next === undefined) return
    served.push(next.profileId)
    open.push(next)
  }
  for (let n = 0; n < 5; n++) take()
  expect(served).toEqual([0, 1, 2, 3].map(profile))
  const first = open.shift()!
  lanes.endTurn(first)
  lanes.endLoad()
  take()
  expect(served.at(-1)).toBe(profile(4))
})

it('a node whose loads hang does not block other nodes', () => {
  const lanes = createLanes(
    () => {},
    loadOfOneProfile,
    (profileId) => (profileId === profile(9) ? 'here' : 'away'),
  )
  for (let n = 0; n < 10; n++) lanes.add({ subscription_id: `lane-${n}`, profile_id: profile(n), wakes: 1 })
  const taken = Array.from({ length: 6 }, () => lanes.nextLoad(0)?.[0]?.profileId)
  expect(taken).toEqual([...[0, 1, 2, 3, 9].map(profile), undefined])
  lanes.endLoad('away')
  expect(lanes.nextLoad(0)![0]!.profileId).toBe(profile(4))
})

it('profiles share a load until it is full; others wait for the next, and no third load starts meanwhile', () => {
  const lanes = makeLanes(60, loadOfManyProfiles)
  const first = lanes.nextLoad(0)!
  const second = lanes.nextLoad(0)!
  expect(first.map((part) => part.profileId)).toEqual(Array.from({ length: 20 }, (_, n) => profile(n)))
  expect(second.map((part) => part.profileId)).toEqual(Array.from({ length: 20 }, (_, n) => profile(20 + n)))
  expect(lanes.nextLoad(0)).toBeUndefined()
  for (const part of first) lanes.endTurn(part)
  lanes.endLoad()
  expect(lanes.nextLoad(0)![0]!.profileId).toBe(profile(40))
})

it('deliveries in flight are not loaded again, regardless of their position in the queue', () => {
  vi.useFakeTimers({ now: 0 })
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  const turn = () => {
    const [next] = lanes.nextLoad(0)!
    lanes.endTurn(next!)
    lanes.endLoad()
    return { after: next!.turns[0]!.after, open: next!.turns[0]!.open }
  }
  expect(turn()).toEqual({ after: null, open: [] })
  lanes.startAttempt(lane, positionAt(1, 'a'))
  lanes.startAttempt(lane, positionAt(3, 'c'))
  lane.reading.after = positionAt(3, 'c')
  expect(turn()).toEqual({ after: positionAt(3, 'c'), open: [] })
  lane.reading.after = positionAt(2, 'b')
  expect(turn()).toEqual({ after: positionAt(2, 'b'), open: ['c'] })
  lane.reading.after = positionAt(9, 'd')
  lanes.startAttempt(lane, positionAt(1, 'e', true))
  expect(turn()).toEqual({ after: positionAt(9, 'd'), open: ['e'] })
  lane.reading.after = positionAt(0, 'f', true)
  expect(turn()).toEqual({ after: positionAt(0, 'f', true), open: ['e'] })
  vi.setSystemTime(5000)
  expect(turn()).toEqual({ after: null, open: ['a', 'c', 'e'] })
  vi.useRealTimers()
})

it('a dropped lane gets no turn, and its attempts are aborted', () => {
  const lanes = makeLanes(1)
  const lane = lanes.get('lane-0')!
  lanes.drop('lane-0')
  expect(lanes.nextLoad(0)).toBeUndefined()
  expect(lane.abort.signal.aborted).toBe(true)
})
