import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey, makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { createGoal, deleteGoal, listGoals, setGoalTarget } from './contract.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['conversions:read', 'campaigns:read', 'tracking:write', 'events:write'])
})
afterAll(() => profile?.app.close())

const firedOf = async (call: typeof profile.call = profile.call) =>
  Object.fromEntries((await call(listGoals, {})).data.map((goal) => [goal.conversion_key, goal.fired]))

it('a goal has its count of the last 28 days and its last day, in the time zone of the profile', async () => {
  const { app, call, profileId } = profile
  const other = await makeOwnProfile(app, ['conversions:read'])
  const now = app.service.clock.now()
  app.service.clock.now = () => now
  const day = (days: number) => addDays(localDay(now, 'Europe/Madrid'), -days)
  const lead = (name: string, days: number) => ({
    event_name: name,
    idempotency_key: `${name}-${days}`,
    timestamp: `${day(days)}T10:00:00Z`,
    user_traits: { email: 'ana@example.com' },
  })
  await call(createGoal, {
    body: {
      display_name: 'Call',
      conversion_key: 'call',
      source_event_names: ['call'],
      outcome_type: 'lead_created',
      revenue_type: 'pipeline',
    },
  })
  await call(createGoal, {
    body: {
      display_name: 'Newsletter',
      conversion_key: 'newsletter',
      source_event_names: ['newsletter'],
      outcome_type: 'newsletter',
      revenue_type: 'pipeline',
      attribution_eligible: false,
    },
  })
  const events = [
    lead('dm_started', 2),
    lead('dm_started', 27),
    lead('dm_started', 28),
    lead('lead_created', 30),
    lead('call', 1),
    lead('newsletter', 1),
  ]
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
  expect(await firedOf()).toEqual({
    payment_received: { last_28_days: 0, last_day: null, shared: false },
    lead_created: { last_28_days: 1, last_day: day(1), shared: true },
    call: { last_28_days: 1, last_day: day(1), shared: true },
    dm_started: { last_28_days: 2, last_day: day(2), shared: false },
    appointment_booked: { last_28_days: 0, last_day: null, shared: false },
    appointment_attended: { last_28_days: 0, last_day: null, shared: false },
    quote_presented: { last_28_days: 0, last_day: null, shared: false },
    closed_won: { last_28_days: 0, last_day: null, shared: false },
    order_placed: { last_28_days: 0, last_day: null, shared: false },
    newsletter: null,
  })
  expect(Object.values(await firedOf(other.call)).every((fired) => fired?.last_day === null)).toBe(true)
})

it('a goal has one target; lists show its progress, and it is deleted with the goal', async () => {
  const { app, call } = profile
  const otherProfile = await makeOwnProfile(app, ['conversions:read', 'campaigns:read', 'tracking:write'])
  const now = new Date('2026-06-17T10:00:00Z')
  app.service.clock.now = () => now
  const query = { profile_id: otherProfile.profileId }
  const goalsOf = async () => (await otherProfile.owner.call(listGoals, { query })).data
  const goal = (await goalsOf()).find(({ conversion_key }) => conversion_key === 'lead_created')!
  expect(goal.target).toBeNull()
  await app.pool.query(
    `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
     select $1, d::date, 'lead_created', 'pipeline', 4, 0, 0
     from generate_series(date '2026-04-01', date '2026-06-17', interval '1 day') d`,
    [otherProfile.profileId],
  )
  const params = { id: goal.id }
  const body = { metric: 'count', period: 'month', target: 120 } as const
  await otherProfile.call(setGoalTarget, { params, body: { ...body, target: 60 } })
  const { data } = await otherProfile.call(setGoalTarget, { params, body })
  const progress = {
    ...{ metric: 'count', period: 'month', target: 120, date_from: '2026-06-01', date_to: '2026-06-30' },
    ...{ through: '2026-06-16', actual: 64, expected: 64, status: 'on_track' },
  }
  expect(data).toEqual({ goal_id: goal.id, target: progress })
  expect((await goalsOf()).find(({ id }) => id === goal.id)!.target).toEqual(progress)
  // API keys cannot read targets, and set one only with campaigns:read.
  expect((await otherProfile.call(listGoals, {})).data.map((row) => row.target)).toEqual(
    (await goalsOf()).map(() => null),
  )
  const writer = app.as(await makeKey(app, otherProfile.profileId, ['conversions:read', 'tracking:write']))
  expect(await refusalOf(writer(setGoalTarget, { params, body }))).toMatchObject({
    code: 'insufficient_scope',
  })
  expect(await refusalOf(call(setGoalTarget, { params, body }))).toMatchObject({ code: 'not_found' })
  const fine = { metric: 'value', period: 'week', target: 0.001 } as const
  expect(await refusalOf(otherProfile.call(setGoalTarget, { params, body: fine }))).toMatchObject({
    code: 'validation_error',
    field: 'target',
  })
  const removed = await otherProfile.call(setGoalTarget, { params, body: { ...body, target: null } })
  expect(removed.data).toEqual({ goal_id: goal.id, target: null })
  await otherProfile.call(setGoalTarget, { params, body })
  await otherProfile.call(deleteGoal, { params })
  const remaining = await app.pool.query('select 1 from goal_targets where profile_id = $1', [
    otherProfile.profileId,
  ])
  expect(remaining.rows).toEqual([])
})
