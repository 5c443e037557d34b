/**
 * Defence in depth for `profile_id`: PostgreSQL plans every statement that the service sends while all its routes, the
 * pipeline and the jobs run, and each scan of a tenant's table must be bound to a profile.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../src/app.ts'
import { recordEvent } from '../../src/features/facts/outbox/record.ts'
import { createWebhookSubscription } from '../../src/features/outgoing/webhooks/contract.ts'
import { createDispatcher } from '../../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeWorld } from '../oracle/generate.ts'
import { Stage } from '../oracle/player.ts'
import { sampleOf } from '../samples.ts'
import { fittingCredential, makeTenant, send, type Tenant } from '../tenants.ts'
import { until } from '../until.ts'
import { acrossTenants } from './across-tenants.ts'
import { planOf, unboundScans } from './tenant-scans.ts'

let app: TestApp
const texts = new Set<string>()

beforeAll(async () => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args as [string | { text?: string }]
    const text = typeof sent === 'string' ? sent : sent?.text
    if (typeof text === 'string' && /profile_id|from|into|update/i.test(text)) texts.add(text)
    return query.apply(this, args)
  })
  app = await startTestApp({ SANDBOX: 'on', INGEST_BURST: '1000000', INGEST_PER_SECOND: '1000000' })
  const tenant = await makeTenant(app)
  const stage = new Stage(app)
  await stage.open()
  for (const seed of [1, 2, 3]) await stage.enter(makeWorld(seed))
  await sendToSubscribers(tenant)
  // Routes that delete or end something run last.
  const ends = (name: string) => (/archive|delete|remove|revoke|signOut|password/i.test(name) ? 1 : 0)
  for (const { entry } of [...routes].sort((a, b) => ends(a.entry.name) - ends(b.entry.name))) {
    const sample = sampleOf(entry)
    if ('workspaceId' in sample.params) sample.params.workspaceId = tenant.workspaceId
    if (entry.access.kind === 'profile') sample.query = { ...sample.query, profile_id: tenant.profileId }
    await send(app, entry, await fittingCredential(app, tenant, entry), sample)
  }
})
afterAll(async () => {
  vi.restoreAllMocks()
  await app.close()
})

/** One event through the dispatcher and the sender, to an endpoint that fails once. */
async function sendToSubscribers(tenant: Tenant): Promise<void> {
  const { service } = app
  let tries = 0
  const publicHttp: Outbound = {
    send: async () => ({ status: tries++ === 0 ? 500 : 200, headers: {}, bytes: new Uint8Array() }),
    close: async () => {},
  }
  await app.as(tenant.key)(createWebhookSubscription, {
    body: { url: 'https://hooks.example.com/', events: ['recompute.completed'], providers: ['platform'] },
  })
  const now = service.clock.now()
  const event = {
    type: 'recompute.completed',
    provider: 'platform',
    profileId: tenant.profileId,
    occurredAt: now,
    data: {},
  }
  await service.db.transaction().execute((tx) => recordEvent(tx, event, now))
  const dispatcher = createDispatcher({ ...service, publicHttp }, { pollMs: 5, lookMs: 20 })
  dispatcher.start()
  await until(() => tries > 0)
  await service.clock.set(service.db, 60_000)
  await until(() => tries > 1)
  await dispatcher.stop()
}

it('every scan of a tenant’s table is bound to a profile', async () => {
  const client = await app.pool.connect()
  const faults: string[] = []
  const unplanned: string[] = []
  let planned = 0
  try {
    for (const text of texts) {
      if (acrossTenants.some(({ part }) => text.includes(part))) continue
      const plan = await planOf(client, text).catch((error: unknown) => {
        unplanned.push(`${error}: ${text.trim().replace(/\s+/g, ' ').slice(0, 200)}`)
        return undefined
      })
      if (plan === undefined) continue
      planned++
      const unbound = unboundScans(plan)
      if (unbound.length > 0)
        faults.push(`${[...new Set(unbound)]}: ${text.trim().replace(/\s+/g, ' ').slice(0, 300)}`)
    }
  } finally {
    client.release()
  }
  expect(faults).toEqual([])
  expect(unplanned).toEqual([])
  expect(planned).toBeGreaterThan(200)
}, 120_000)

describe('detects a statement that', () => {
  const unboundOf = async (text: string) => {
    const client = await app.pool.connect()
    try {
      return unboundScans((await planOf(client, text))!)
    } finally {
      client.release()
    }
  }

  it.each([
    ['reads by id alone', 'select * from connections where id = $1', ['connections']],
    ['counts all tenants', 'select count(*) from conversions', ['conversions']],
    [
      'updates by id alone',
      `update webhook_subscriptions set status = 'paused' where id = $1`,
      ['webhook_subscriptions'],
    ],
    ['deletes by id alone', 'delete from webhook_deliveries where id = $1', ['webhook_deliveries']],
    [
      'joins by id alone',
      'select * from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id where d.profile_id = $1',
      ['webhook_subscriptions'],
    ],
    [
      'forgets a sub-select',
      'select (select count(*) from credits c where c.conversion_id = v.id) from conversions v where v.profile_id = $1',
      ['credits'],
    ],
    [
      'takes the profile for something else',
      'select * from goals where id = $1 and profile_id is not null',
      ['goals'],
    ],
  ])('%s', async (_, text, expected) => {
    expect([...new Set(await unboundOf(text))]).toEqual(expected)
  })

  it.each([
    ['is bound by a value', 'select * from goals where profile_id = $1 and id = $2'],
    [
      'is bound by a list',
      'select profile_id, count(*) from goals where profile_id = any($1::uuid[]) group by 1',
    ],
    [
      'is bound by another table',
      'select * from webhook_deliveries d join webhook_subscriptions s on s.profile_id = d.profile_id and s.id = d.subscription_id where d.profile_id = $1',
    ],
    ['reads no tenant’s table', 'select * from profiles where id = $1'],
    ['writes a row', 'insert into goals (profile_id, id) values ($1, $2) on conflict do nothing'],
  ])('%s is not', async (_, text) => {
    expect(await unboundOf(text)).toEqual([])
  })
})
