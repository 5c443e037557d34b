import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { makeOwnProfile, startTestProfile } from '../../../../../test/make.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type Settled, settleDeliveries } from './save-attempts.ts'

/** More than fit in a statement, so that a batch has a full and a padded one. */
const PROFILES = 18
const PER_PROFILE = 2
const now = new Date('2026-05-01T00:00:00Z')
const subscriptionId = uuidv7()
const everySubscription = new Set([subscriptionId])

let app: TestApp
const profileIds: string[] = []

beforeAll(async () => {
  const first = await startTestProfile()
  app = first.app
  profileIds.push(first.profileId)
  while (profileIds.length < PROFILES) profileIds.push((await makeOwnProfile(app)).profileId)
})
afterAll(() => app.close())

async function queue(profileId: string): Promise<string[]> {
  const ids = Array.from({ length: PER_PROFILE }, () => uuidv7())
  for (const id of ids)
    await app.pool.query(
      `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
         next_attempt_at, recorded_at, created_at)
       values ($1, $2, $3, 'e', 'connection.connected', '{}', 'pending', $4, $4, $4)`,
      [profileId, id, subscriptionId, now],
    )
  return ids
}

function attempt(profileId: string, id: string, change: Partial<Settled> = {}): Settled {
  const entry = {
    attempt: 1,
    at: now.toISOString(),
    response_status: 204,
    error: null,
    duration_ms: profileIds.indexOf(profileId),
  }
  return {
    profileId,
    subscriptionId,
    id,
    number: null,
    recordedAt: null,
    status: 'delivered',
    nextAttemptAt: null,
    entry,
    endedAt: now,
    gone: false,
    ...change,
  }
}

async function stored(ids: readonly string[]) {
  const { rows } = await app.pool.query(
    `select profile_id, id, status, attempt_count, attempts, next_attempt_at, settled_at
     from webhook_deliveries where id = any($1::uuid[]) order by id`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id as string, row]))
}

it('attempts of many profiles written together equal those written separately', async ({ skip }) => {
  skip(app.service.nodes.isDistributed, 'on Citus attempts are written one profile at a time')
  const { db } = app.service
  for (const count of [1, 2, 5, PROFILES]) {
    const selected = profileIds.slice(0, count)
    const byProfile = await Promise.all(selected.map(async (id) => [id, await queue(id)] as const))
    const delivered = byProfile.flatMap(([profileId, ids]) => attempt(profileId, ids[0]!))
    const retryAt = new Date(now.getTime() + 5000)
    const retried = byProfile.flatMap(([profileId, ids]) =>
      attempt(profileId, ids[1]!, { status: 'pending', nextAttemptAt: retryAt }),
    )
    await settleDeliveries(db, delivered, everySubscription)
    await settleDeliveries(db, [...delivered, ...retried], everySubscription)
    const rows = await stored(byProfile.flatMap(([, ids]) => ids))
    for (const { profileId, id, entry } of delivered)
      expect(rows.get(id)).toMatchObject({
        profile_id: profileId,
        status: 'delivered',
        attempt_count: 1,
        attempts: [entry],
        next_attempt_at: null,
        settled_at: now,
      })
    for (const { id, entry } of retried)
      expect(rows.get(id)).toMatchObject({
        status: 'pending',
        attempts: [entry],
        next_attempt_at: retryAt,
        settled_at: null,
      })
  }
})

it('an attempt with another profile’s id changes nothing', async ({ skip }) => {
  skip(app.service.nodes.isDistributed, 'on Citus attempts are written one profile at a time')
  const [ownProfileId, otherProfileId] = profileIds as [string, string]
  const [id, anchoredProfileId] = [(await queue(ownProfileId))[0]!, (await queue(otherProfileId))[0]!]
  await settleDeliveries(
    app.service.db,
    [attempt(otherProfileId, id), attempt(ownProfileId, anchoredProfileId)],
    everySubscription,
  )
  const rows = await stored([id, anchoredProfileId])
  expect([...rows.values()].map((row) => row.status)).toEqual(['pending', 'pending'])
})

it('two senders that write the same deliveries of many profiles do not deadlock', async ({ skip }) => {
  skip(app.service.nodes.isDistributed, 'on Citus attempts are written one profile at a time')
  const { db } = app.service
  const inOrder = profileIds.toSorted()
  const attempts = await Promise.all(
    inOrder.map(async (profileId) => attempt(profileId, (await queue(profileId))[0]!)),
  )
  const writers = async () => {
    const { rows } = await app.pool.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%update webhook_deliveries%'`,
    )
    return rows[0].waiting as number
  }
  const holder = await app.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from webhook_deliveries where profile_id = $1 and id = $2 for update', [
      attempts[8]!.profileId,
      attempts[8]!.id,
    ])
    const everything = settleDeliveries(db, attempts, everySubscription)
    await vi.waitFor(async () => expect(await writers()).toBe(1))
    const most = settleDeliveries(db, attempts.slice(2), everySubscription)
    await vi.waitFor(async () => expect(await writers()).toBe(2))
    await holder.query('commit')
    await Promise.all([everything, most])
  } finally {
    holder.release()
  }
  const rows = await stored(attempts.map(({ id }) => id))
  expect(new Set([...rows.values()].map((row) => `${row.status} ${row.attempt_count}`))).toEqual(
    new Set(['delivered 1']),
  )
})
