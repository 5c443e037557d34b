import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { type OwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { createGoal } from '../../corrections/goals/contract.ts'
import { getTrackingQuality } from '../../sources/tracking/contract.ts'
import { sendEvent, sendEvents } from './contract.ts'

let profile: OwnProfile & { app: TestApp }
beforeAll(async () => {
  profile = await startTestProfile(['events:write', 'tracking:read', 'tracking:write'])
})
afterAll(() => profile.app.close())

const send = async (event_name: string, value?: number) => {
  const { data } = await profile.call(sendEvent, {
    body: {
      event_name,
      idempotency_key: event_name,
      ...(value === undefined ? {} : { properties: { value } }),
      anonymous_id: 'visitor',
    },
  })
  return { counts_as: data.counts_as, warnings: data.warnings }
}

it('the response contains the goals that count the event', async () => {
  const payment = {
    conversion_key: 'payment_received',
    outcome_type: 'payment_received',
    revenue_type: 'cash',
  }
  expect(await send('payment_received', 10)).toEqual({ counts_as: [payment], warnings: [] })
  expect(await send('page_view')).toEqual({ counts_as: [], warnings: [] })
})

it('warns of a misspelled name and of money that no goal counts, also in a batch', async () => {
  const { counts_as, warnings } = await send('payment_recieved', 10)
  expect(counts_as).toEqual([])
  expect(warnings).toMatchObject([{ code: 'unknown_event_name' }])
  expect(warnings[0]!.message).toContain('Did you mean payment_received?')
  expect((await send('tip_given', 3)).warnings).toMatchObject([{ code: 'money_not_counted' }])
  expect((await send('tip_given_without_money')).warnings).toEqual([])
  const { data } = await profile.call(sendEvents, {
    body: {
      events: [
        { event_name: 'lead_creatd' },
        { event_name: 'lead_created', anonymous_id: 'visitor' },
        { event_name: 1 },
      ],
    },
  })
  expect(data.results.map((row) => [row.warnings.map(({ code }) => code), row.counts_as.length])).toEqual([
    [['unknown_event_name'], 0],
    [[], 1],
    [[], 0],
  ])
})

it('a payment without a value is stored with a warning, alone and in a batch', async () => {
  const warned = [{ code: 'value_missing', message: expect.stringContaining('properties.value') }]
  expect((await send('payment_received')).warnings).toEqual(warned)
  expect((await send('order_placed')).warnings).toEqual(warned)
  expect((await send('lead_created')).warnings).toEqual([])
  expect((await send('payment_received', 0)).warnings).toEqual([])
  const { data } = await profile.call(sendEvents, {
    body: {
      events: ['payment_received', 'lead_created'].map((event_name) => ({
        event_name,
        anonymous_id: 'visitor',
      })),
    },
  })
  expect(data.results.map(({ status, warnings }) => [status, warnings])).toEqual([
    ['accepted', warned],
    ['accepted', []],
  ])
})

it('the data quality page lists such names until a goal counts them', async () => {
  const findings = async () =>
    (await profile.call(getTrackingQuality, {})).data.findings
      .map(({ code }) => code)
      .filter((code) => code.includes(':'))
  expect((await findings()).toSorted()).toEqual([
    'money_not_counted:tip_given',
    'unknown_event_name:lead_creatd',
    'unknown_event_name:payment_recieved',
  ])
  await profile.call(createGoal, {
    body: {
      display_name: 'Tip',
      conversion_key: 'tip',
      source_event_names: ['tip_given'],
      outcome_type: 'tip',
      revenue_type: 'cash',
    },
  })
  expect((await send('tip_given', 3)).counts_as).toMatchObject([{ conversion_key: 'tip' }])
  expect(await findings()).not.toContain('money_not_counted:tip_given')
})

it('warns of an outcome that names no person, and of a phone number that cannot be read', async () => {
  const codesOf = async (fields: object, event_name = 'lead_created') => {
    const { data } = await profile.call(sendEvent, { body: { event_name, ...fields } })
    return data.warnings.map(({ code }) => code)
  }
  expect(await codesOf({})).toEqual(['no_identity'])
  const { data } = await profile.call(sendEvents, {
    body: { events: [{ event_name: 'lead_created', user_traits: { phone: '12' } }] },
  })
  expect(data.results[0]!.warnings).toMatchObject([
    { code: 'no_identity', message: expect.stringContaining('country code') },
  ])
  expect(await codesOf({ user_traits: { email: 'ana@example.com' } })).toEqual([])
  expect(await codesOf({}, 'page_view')).toEqual([])
})

it('takes the time as timestamp or occurred_at, and refuses two that differ', async () => {
  const [timestamp, other] = ['2026-05-01T10:00:00Z', '2026-05-02T10:00:00Z']
  const send = (fields: object) =>
    profile.call(sendEvent, { body: { event_name: 'page_view', idempotency_key: 'time', ...fields } })
  expect((await send({ occurred_at: timestamp })).data.status).toBe('accepted')
  expect((await send({ timestamp })).data.status).toBe('unchanged')
  expect((await send({ timestamp, occurred_at: timestamp })).data.status).toBe('unchanged')
  expect(await refusalOf(send({ timestamp, occurred_at: other }))).toMatchObject({ status: 422 })
})
