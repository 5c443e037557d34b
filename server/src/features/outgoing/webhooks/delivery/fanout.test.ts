import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { makeKey, startTestProfile } from '../../../../../test/make.ts'
import type { DataNode } from '../../../../platform/db/nodes.ts'
import { type OutboxEvent, recordEvents } from '../../../facts/outbox/record.ts'
import { createWebhookSubscription } from '../contract.ts'
import { fanOut, listLagging, matchEvents } from './fanout.ts'

let app: TestApp
let profileId: string
beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
  const key = await makeKey(app, profileId, ['webhooks:write'])
  await app.as(key)(createWebhookSubscription, {
    body: { url: 'https://hooks.example.com/', events: ['connection.connected'], providers: ['platform'] },
  })
})
afterAll(() => app.close())

const now = new Date('2026-05-01T00:00:00Z')
const stored = { connection_id: null, app_id: null, occurred_at: now, recorded_at: now, data: {} }
const event = (id: string): OutboxEvent => ({
  profileId,
  id,
  type: 'connection.connected',
  provider: 'platform',
  occurredAt: now,
  data: {},
})
const record = (...ids: string[]) =>
  app.service.db.transaction().execute((tx) => recordEvents(tx, ids.map(event), now))

it('a profile that only recorded duplicates does not remain lagging', async () => {
  const { db, nodes } = app.service
  const [node] = nodes.list() as [DataNode]
  await record('a', 'b')
  expect(await fanOut(db, profileId, now)).toMatchObject({ more: false, deliveries: 2 })
  expect(await listLagging(node)).toEqual([])
  // Numbers are assigned before the insert detects the duplicates.
  await record('a', 'b')
  expect(await listLagging(node)).toEqual([profileId])
  expect(await fanOut(db, profileId, now)).toMatchObject({ more: false, deliveries: 0 })
  expect(await listLagging(node)).toEqual([])
  await record('a', 'c')
  expect(await fanOut(db, profileId, now)).toMatchObject({ deliveries: 1 })
  expect(await listLagging(node)).toEqual([])
})

it('a change of a channel’s health is sent under the channel and under platform', () => {
  const row = { number: 1, id: 'e', type: 'channel.health.updated', provider: 'chatapp', ...stored }
  const listener = { id: 's', app_id: null, events: [row.type], opens_contact: false, after_number: 0 }
  const profile = { isHealthcare: false, provisionedByAppId: null, grants: [] }
  const deliveriesFor = (...providers: string[]) =>
    matchEvents(profile, [{ ...listener, providers, include_history: true }], [row]).length
  expect([deliveriesFor('chatapp'), deliveriesFor('platform'), deliveriesFor('photoapp')]).toEqual([1, 1, 0])
})

it('history is marked, and left out where the subscription does not include it', () => {
  const occurred_at = new Date('2026-04-01T00:00:00Z')
  const row = { number: 1, id: 'e', type: 'outcome.recorded', provider: 'platform', ...stored, occurred_at }
  const listener = { id: 's', app_id: null, events: [row.type], providers: ['platform'], after_number: 0 }
  const profile = { isHealthcare: false, provisionedByAppId: null, grants: [] }
  const deliveriesFor = (include_history: boolean, event: typeof row) =>
    matchEvents(profile, [{ ...listener, opens_contact: false, include_history }], [event]).map(
      ({ payload }) => (JSON.parse(payload) as { historical?: boolean }).historical,
    )
  expect(deliveriesFor(true, row)).toEqual([true])
  expect(deliveriesFor(false, row)).toEqual([])
  expect(deliveriesFor(false, { ...row, occurred_at: now })).toEqual([undefined])
})
