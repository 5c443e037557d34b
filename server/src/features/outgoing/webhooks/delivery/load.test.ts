import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { makeKey, makeOwnProfile, startTestProfile } from '../../../../../test/make.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { outcomeRecorded } from '../../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../../facts/outbox/record.ts'
import { createWebhookSubscription } from '../contract.ts'
import { fanOut, saveDeliveries } from './fanout.ts'
import { newLane, type QueuePosition } from './lane.ts'
import type { ProfileTurn } from './lanes.ts'
import { type Loaded, loadDue } from './load.ts'

const EVENTS = 3
const now = new Date('2026-05-01T00:00:00Z')
let app: TestApp
/** One turn per profile. */
const load: ProfileTurn[] = []

beforeAll(async () => {
  const first = await startTestProfile()
  app = first.app
  const otherProfiles = [await makeOwnProfile(app), await makeOwnProfile(app)]
  for (const { profileId } of [first, ...otherProfiles]) load.push(await makeQueue(profileId))
})
afterAll(() => app.close())

const body = {
  url: 'https://hooks.example.com/',
  events: ['outcome.recorded' as const],
  providers: ['platform' as const],
}

/** Event numbers are per profile, so all profiles have outcomes with the same numbers. The person's email contains the profile id. */
async function makeQueue(profileId: string): Promise<ProfileTurn> {
  const key = await makeKey(app, profileId, ['webhooks:write', 'customers:read'])
  const { data } = await app.as(key)(createWebhookSubscription, { body })
  const personId = uuidv7()
  await app.pool.query('insert into identifiers (profile_id, id, kind, customer_id) values ($1, $2, 0, $2)', [
    profileId,
    personId,
  ])
  await app.pool.query(
    `insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
     values ($1, $2, 'email', $2, $3, now())`,
    [profileId, personId, `${profileId}@example.com`],
  )
  const outcomes = Array.from({ length: EVENTS }, (_, n) =>
    outcomeRecorded(
      profileId,
      {
        provider: 'crmsuite',
        outcome_type: 'lead_created',
        occurred_at: now.toISOString(),
        recorded_at: now.toISOString(),
        external_id: `contact-${n}`,
        outcome_event_id: uuidv7(),
        conversion_id: uuidv7(),
        customer_key: 'someone',
        value: 1,
      },
      { id: `outcome-${n}`, appId: uuidv7(), connectionId: null, customerId: personId },
    ),
  )
  const { db } = app.service
  await db.transaction().execute((tx) => recordEvents(tx, outcomes, now))
  await fanOut(db, profileId, now)
  const lane = newLane({ subscription_id: data.id, profile_id: profileId, wakes: 1 })
  return { profileId, node: '', turns: [{ lane, limit: 2, after: null, open: [] }] }
}

const ONE_PROFILE_A_LOAD = 'on Citus a load is of one profile'

it('profiles that share a load get the same as alone: their own deliveries about their own people', async ({
  skip,
}) => {
  skip(app.service.nodes.isDistributed, ONE_PROFILE_A_LOAD)
  const loadedTogether = await loadDue(app.service, { load, now })
  for (const part of load) {
    const alone = await loadDue(app.service, { load: [part], now })
    expect(loadedTogether.get(part.profileId)).toEqual(alone.get(part.profileId))
    const { ready, queues } = alone.get(part.profileId) as Loaded
    expect(ready.map(({ profileId, eventId }) => [profileId, eventId])).toEqual([
      [part.profileId, 'outcome-0'],
      [part.profileId, 'outcome-1'],
    ])
    for (const { body } of ready)
      expect(JSON.parse(body).data.contact.email).toBe(`${part.profileId}@example.com`)
    expect(queues.get(part.turns[0]!.lane.id)).toMatchObject({ state: { kind: 'open' }, count: 2 })
  }
})

it('live deliveries are read before history that is due longer, and a position in history is behind both', async () => {
  const { call, profileId } = await makeOwnProfile(app, ['webhooks:write'])
  const { data } = await call(createWebhookSubscription, {
    body: { ...body, url: 'https://hooks.example.com/order' },
  })
  const event = {
    subscriptionId: data.id,
    number: null,
    eventType: 'channel.health.updated',
    recordedAt: now,
  }
  const deliver = (eventId: string, isHistorical: boolean, at: Date) =>
    app.service.db
      .transaction()
      .execute((tx) =>
        saveDeliveries(
          tx,
          profileId,
          [{ ...event, eventId, payload: `{"id":"${eventId}"}`, isHistorical }],
          at,
        ),
      )
  for (const n of [0, 1, 2]) await deliver(`history-${n}`, true, new Date(now.getTime() - 60_000))
  for (const n of [0, 1]) await deliver(`live-${n}`, false, now)
  const lane = newLane({ subscription_id: data.id, profile_id: profileId, wakes: 1 })
  const read = async (after: QueuePosition | null, limit: number) => {
    const turn = { profileId, node: '', turns: [{ lane, limit, after, open: [] }] }
    const loaded = (await loadDue(app.service, { load: [turn], now })).get(profileId) as Loaded
    return { ids: loaded.ready.map(({ eventId }) => eventId), last: loaded.queues.get(data.id)!.last }
  }
  const first = await read(null, 3)
  expect(first.ids).toEqual(['live-0', 'live-1', 'history-0'])
  expect((await read(first.last, 3)).ids).toEqual(['history-1', 'history-2'])
  const afterLive = await read(null, 1)
  expect((await read(afterLive.last, 9)).ids).toEqual(['live-1', 'history-0', 'history-1', 'history-2'])
})

it('a secret that cannot be decrypted blocks its own profile, not others in the same load', async ({
  skip,
}) => {
  skip(app.service.nodes.isDistributed, ONE_PROFILE_A_LOAD)
  const [broken, ...otherTurns] = load as [ProfileTurn, ...ProfileTurn[]]
  await app.pool.query(`update webhook_subscriptions set secret = '\\x00' where profile_id = $1`, [
    broken.profileId,
  ])
  const loaded = await loadDue(app.service, { load, now })
  expect(loaded.get(broken.profileId)).toBeInstanceOf(Error)
  for (const { profileId } of otherTurns) expect((loaded.get(profileId) as Loaded).ready).toHaveLength(2)
})
