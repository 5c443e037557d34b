import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getReplayStatus } from '../../sources/tracking/contract.ts'
import { retractEvent } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['events:write', 'tracking:read']))
})
afterAll(() => app.close())

const rows = async (table: string) =>
  (
    await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} where profile_id = ${profileId}`.execute(app.service.db)
  ).rows

it('a retraction removes a payment and all of its credit', async () => {
  await call(sendEvent, {
    body: {
      event_name: 'visit',
      anonymous_id: 'v1',
      timestamp: '2026-10-01T10:00:00Z',
      ad: { ad_id: 'A1', campaign_id: 'C1' },
      utm: { source: 'x' },
    },
  })
  await call(sendEvent, {
    body: {
      event_name: 'lead_created',
      anonymous_id: 'v1',
      timestamp: '2026-10-02T10:00:00Z',
      user_traits: { email: 'Ana@Example.com' },
    },
  })
  const paid = {
    event_name: 'payment_received',
    idempotency_key: 'inv-1',
    timestamp: '2026-10-03T10:00:00Z',
    properties: { value: 100.5 },
    user_traits: { email: 'ana@example.com ' },
  }
  expect((await call(sendEvent, { body: paid })).data.status).toBe('accepted')
  expect((await call(sendEvent, { body: paid })).data.status).toBe('unchanged')
  expect((await call(sendEvent, { body: { ...paid, properties: { value: 120.5 } } })).data.status).toBe(
    'updated',
  )
  await app.service.processor.settled(profileId)
  const daily = await rows('credit_daily')
  const cash = daily.filter((row) => row.outcome_type === 'payment_received' && row.level === 'campaign')
  expect(cash).toHaveLength(1)
  expect(cash[0]).toMatchObject({
    day: '2026-10-03',
    last_touch_count: 1,
    last_touch_minor: 12050,
    linear_minor: 12050,
  })
  expect(cash[0]!.entity_id).not.toBe('00000000-0000-0000-0000-000000000000')
  expect(new Set((await rows('identifiers')).map((row) => row.customer_id)).size).toBe(1)
  expect((await rows('payments'))[0]).toMatchObject({ is_first_payment: true, value_minor: 12050 })
  expect((await rows('outbox_events')).map((row) => row.type)).toEqual([
    'conversion.attributed',
    'conversion.attributed',
  ])

  const retraction = await call(retractEvent, { body: { idempotency_key: 'inv-1' } })
  expect(retraction.data).toEqual({ status: 'retracted', events: 1, conversions: 1, credits: 1 })
  expect((await call(retractEvent, { body: { idempotency_key: 'inv-1' } })).data.status).toBe(
    'already_retracted',
  )
  const announced = (await rows('outbox_events')).filter((row) => row.type === 'recompute.completed')
  expect(announced).toHaveLength(1)
  const replay = (await call(getReplayStatus)).data
  expect(replay).toMatchObject({ scope: 'retraction', state: 'done', conversions: 1, error: null })
  expect(announced[0]).toMatchObject({ data: { recompute_id: replay!.recompute_id, scope: 'retraction' } })
  expect((await rows('credit_daily')).filter((row) => String(row.revenue_type).startsWith('cash'))).toEqual(
    [],
  )
  expect(await rows('payments')).toEqual([])
  await expect(call(sendEvent, { body: paid })).rejects.toMatchObject({ status: 409 })
})

it('uses the Idempotency-Key header as the key if the body has none', async () => {
  const body = {
    event_name: 'payment_received',
    properties: { value: 5 },
    user_traits: { email: 'b@example.com' },
  }
  const headers = { 'idempotency-key': 'header-1' }
  expect((await call(sendEvent, { body, headers })).data.status).toBe('accepted')
  expect((await call(sendEvent, { body, headers })).data.status).toBe('unchanged')
  const withBodyKey = await call(sendEvent, { body: { ...body, idempotency_key: 'header-1' } })
  expect(withBodyKey.data.status).toBe('unchanged')
  await expect(
    call(sendEvent, { body, headers: { 'idempotency-key': 'x'.repeat(256) } }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(call(sendEvent, { body })).rejects.toMatchObject({ status: 422 })
})
