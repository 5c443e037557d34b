import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  refusalOf,
  startTestProfile,
} from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
} from './contract.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['webhooks:read', 'webhooks:write']))
})
afterAll(() => app.close())

async function subscribe(): Promise<string> {
  const body = {
    url: 'https://hooks.example.com/',
    events: ['connection.connected' as const],
    providers: ['platform' as const],
  }
  return (await call(createWebhookSubscription, { body })).data.id
}

type Status = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** Ids have increasing times, so that they are in this order. */
async function deliver(rows: readonly { to: string; status: Status }[]): Promise<string[]> {
  const start = Date.now()
  const ids = rows.map((_, index) => uuidv7(new Date(start + index)))
  await app.pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status, recorded_at, created_at)
     select $1, id, subscription_id, id::text, 'connection.connected', '{}', status, now(), now()
     from unnest($2::uuid[], $3::uuid[], $4::text[]) as r(id, subscription_id, status)`,
    [profileId, ids, rows.map((row) => row.to), rows.map((row) => row.status)],
  )
  return ids
}

type Query = { subscription_id?: string; status?: Status }

async function listed(query: Query): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const pageQuery: Record<string, string> = {
      ...query,
      limit: '2',
      ...(cursor === undefined ? {} : { cursor }),
    }
    const page = await call(listWebhookDeliveries, { query: pageQuery })
    expect(page.data.length).toBeLessThanOrEqual(2)
    ids.push(...page.data.map((row) => row.id))
    cursor = (page.pagination as { cursor: string | null }).cursor
  }
  return ids
}

it('lists deliveries newest first, paginated, filtered by subscription and status', async () => {
  const [first, second, deleted] = [await subscribe(), await subscribe(), await subscribe()]
  const rows = [
    { to: first, status: 'delivered' as const },
    { to: second, status: 'failed' as const },
    { to: deleted, status: 'failed' as const },
    { to: first, status: 'failed' as const },
    { to: second, status: 'pending' as const },
    { to: first, status: 'cancelled' as const },
    { to: first, status: 'delivered' as const },
    { to: second, status: 'delivered' as const },
  ]
  const ids = await deliver(rows)
  await call(deleteWebhookSubscription, { params: { id: deleted } })
  const expected = (holds: (row: (typeof rows)[number]) => boolean) =>
    ids.filter((_, index) => rows[index]!.to !== deleted && holds(rows[index]!)).reverse()
  expect(await listed({})).toEqual(expected(() => true))
  for (const to of [first, second])
    expect(await listed({ subscription_id: to })).toEqual(expected((row) => row.to === to))
  for (const status of ['pending', 'delivered', 'failed', 'cancelled'] as const) {
    expect(await listed({ status })).toEqual(expected((row) => row.status === status))
    expect(await listed({ subscription_id: first, status })).toEqual(
      expected((row) => row.to === first && row.status === status),
    )
  }
})

it("another profile's deliveries are not listed", async () => {
  const [id] = await deliver([{ to: await subscribe(), status: 'delivered' }])
  const stranger = await makePerson(app)
  const other = await makeProfile(stranger, await makeWorkspace(stranger))
  const otherCall = app.as(await makeKey(app, other, ['webhooks:read']))
  const refusals = await Promise.all(
    [id!, uuidv7()].map((unknown) => refusalOf(otherCall(getWebhookDelivery, { params: { id: unknown } }))),
  )
  expect(refusals.map(({ status, code }) => [status, code])).toEqual([
    [404, 'not_found'],
    [404, 'not_found'],
  ])
  expect((await otherCall(listWebhookDeliveries)).data).toEqual([])
})

it('a delivery of another profile responds like an unknown one', async () => {
  const [id] = await deliver([{ to: await subscribe(), status: 'delivered' }])
  expect((await call(getWebhookDelivery, { params: { id: id! } })).data.id).toBe(id)
  const stranger = await makePerson(app)
  const otherProfileId = await makeProfile(stranger, await makeWorkspace(stranger))
  const otherCall = app.as(await makeKey(app, otherProfileId, ['webhooks:read', 'webhooks:write']))
  const params = { id: id! }
  for (const request of [
    () => otherCall(getWebhookDelivery, { params }),
    () => otherCall(replayWebhookDelivery, { params }),
  ])
    expect(await refusalOf(request())).toMatchObject({ status: 404, code: 'not_found' })
})
