import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeOwnProfile, startTestProfile } from '../../../../test/make.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { sendEvents } from '../events/contract.ts'
import { createGoal, listGoals } from './contract.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['conversions:read', 'tracking:write', 'events:write'])
})
afterAll(() => profile?.app.close())

const firedOf = async (call: typeof profile.call = profile.call) =>
  Object.fromEntries((await call(listGoals, {})).data.map((goal) => [goal.conversion_key, goal.fired]))

it('a goal says how often it was counted in 28 days and when last, in the days of the profile', async () => {
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
