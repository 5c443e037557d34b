import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { createWebhookSubscription } from '../../outgoing/webhooks/contract.ts'

let app: TestApp
let profileId: string
let call: TestClient

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['events:write', 'webhooks:write']))
})
afterAll(() => app.close())

async function report(body: Record<string, unknown>): Promise<void> {
  await call(sendEvent, { body })
  await app.service.processor.settled(profileId)
}
const visit = (name: string) =>
  report({
    event_name: 'visit',
    anonymous_id: name,
    timestamp: '2026-05-01T10:00:00Z',
    utm: { utm_source: 'newsletter', utm_medium: 'email' },
  })
const pay = (name: string, key: string, value = 40) =>
  report({
    event_name: 'payment_received',
    anonymous_id: name,
    idempotency_key: key,
    timestamp: '2026-05-02T10:00:00Z',
    properties: { value, currency: 'EUR' },
    user_traits: { email: `${name}@example.com` },
  })
async function announced() {
  const { rows } = await sql<{ id: string; data: Record<string, unknown>; customer_id: string | null }>`
    select id, data, customer_id from outbox_events
    where profile_id = ${profileId} and type = 'conversion.credited' order by number`.execute(app.service.db)
  return rows
}

it('records no event while no subscription includes it', async () => {
  await visit('ana')
  await pay('ana', 'before')
  expect(await announced()).toEqual([])
})

it('announces each conversion once, when it is first credited, without personal data', async () => {
  const url = 'https://hooks.example.com/'
  await call(createWebhookSubscription, {
    body: { url, events: ['conversion.credited'], providers: ['platform'] },
  })
  await pay('ana', 'first', 40)
  await pay('bea', 'nowhere')
  expect(await announced()).toMatchObject([
    { customer_id: null, data: { outcome_type: 'payment_received', value: 40, currency: 'EUR', touches: 1 } },
  ])
  // A new value changes the amount of credit; the conversion was announced already.
  await pay('ana', 'first', 45)
  expect(await announced()).toHaveLength(1)
  // A visit that arrives late credits a conversion that had no credit.
  await visit('bea')
  const rows = await announced()
  expect(rows).toHaveLength(2)
  expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.data.conversion_id))
  expect(JSON.stringify(rows)).not.toContain('@example.com')
})
