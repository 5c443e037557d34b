import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { makeKey, startTestProfile } from '../../../../../test/make.ts'
import type { DataNode } from '../../../../platform/db/nodes.ts'
import { type OutboxEvent, recordEvents } from '../../../facts/outbox/record.ts'
import { createWebhookSubscription } from '../contract.ts'
import { fanOut, listLagging } from './fanout.ts'

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
