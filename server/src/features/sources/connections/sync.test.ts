import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { shortIt as it, splitForRun } from '../../../../test/length.ts'
import { refusalOf } from '../../../../test/make.ts'
import {
  eventsOf,
  firstDayRead,
  makeShop,
  moveClock,
  type Shop,
  storedFor,
  triggerSandbox,
} from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import type { SyncPage } from '../../../connectors/connector.ts'
import { disconnectConnection, getConnection, getSyncStatus, startSync } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // Starts at noon, so that no midnight adds a day between two syncs that must have equal results.
  const toNoon = 86_400_000 - ((Date.now() + 43_200_000) % 86_400_000)
  await moveClock(app, Math.ceil(toNoon / 1000))
})
afterAll(() => app.close())

const drain = () => drainJobs(app.service, jobs)
const syncOf = async (shop: Shop, id: string) =>
  (await shop.call(getConnection, { params: { id } })).data.sync

/** Spend of past days only: a platform's figure for today grows between syncs. */
async function counts(profileId: string) {
  const { rows } = await app.pool.query<Record<string, string>>(
    `select (select count(*) from ad_entities where profile_id = $1) as entities,
            (select count(*) from ad_delivery where profile_id = $1) as delivery,
            (select sum(spend_minor) from ad_delivery where profile_id = $1 and level = 'ad'
               and day < (select max(day) from ad_delivery where profile_id = $1)) as spend,
            (select count(*) from search_queries where profile_id = $1) as queries,
            (select count(*) from events where profile_id = $1 and name = 'contact_updated') as contacts,
            (select count(*) from payments where profile_id = $1) as payments,
            (select count(*) from conversions where profile_id = $1) as conversions`,
    [profileId],
  )
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]))
}

describe('a sync', () => {
  it('of ads stores the structure and its daily delivery, once over repeated runs', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('social_ads')
    expect((await syncOf(shop, id)).state).toBe('queued')
    await drain()
    const sync = await syncOf(shop, id)
    expect(sync).toMatchObject({ state: 'idle', last_error: null, progress: null })
    expect(sync.last_success_at).not.toBeNull()
    const first = await counts(shop.profileId)
    expect(first.entities).toBeGreaterThan(10)
    expect(first.delivery).toBeGreaterThan(500)
    const { data } = await shop.call(startSync, {
      body: { provider: 'social_ads', since: firstDayRead(app) },
    })
    expect(data).toEqual({ connection_id: id, state: 'queued' })
    await drain()
    expect(await counts(shop.profileId)).toEqual(first)
  })

  it('stores a restatement', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('engine_ads')
    await drain()
    const before = await counts(shop.profileId)
    const day = new Date(app.service.clock.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
    await triggerSandbox(app, 'engine_ads', 'act', { action: 'restate', args: { day, percent: 150 } })
    await shop.call(startSync, { body: { connection_id: id } })
    await drain()
    const after = await counts(shop.profileId)
    expect(after.spend).toBeGreaterThan(before.spend!)
    expect(after.delivery).toBe(before.delivery)
  })

  test.each(splitForRun(['engine_search_console', 'crmsuite'] as const, 1))(
    'of %s stores what it read',
    async (provider) => {
      const shop = await makeShop(app)
      const { id } = await shop.connected(provider)
      await drain()
      expect((await syncOf(shop, id)).state).toBe('idle')
      const stored = await counts(shop.profileId)
      expect(provider === 'crmsuite' ? stored.contacts : stored.queries).toBeGreaterThan(10)
    },
  )

  test.each(splitForRun(['cardpay', 'crmsuite', 'regionalpay', 'storefront'] as const, 2))(
    'of %s creates its outcomes once over repeated runs',
    async (provider) => {
      const shop = await makeShop(app)
      await shop.connected(provider)
      await drain()
      await app.service.processor.settled(shop.profileId)
      const first = await counts(shop.profileId)
      expect(first.conversions).toBeGreaterThan(5)
      if (provider !== 'crmsuite') expect(first.payments).toBeGreaterThan(5)
      await shop.call(startSync, { body: { provider, since: firstDayRead(app) } })
      await drain()
      await app.service.processor.settled(shop.profileId)
      expect(await counts(shop.profileId)).toEqual(first)
    },
  )

  it('stores the rest of a page with a bad record, counts the record, and clears it once it can be read', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('regionalpay')
    const match = '/v1/payments/search'
    await triggerSandbox(app, 'regionalpay', 'fault', { kind: 'bad_record', match, times: 1 })
    await drain()
    await app.service.processor.settled(shop.profileId)
    const first = await syncOf(shop, id)
    expect(first).toMatchObject({ state: 'idle', last_error: null, set_aside: { records: 1 } })
    expect(first.set_aside.last_reason).toMatch(/^Not readable at /)
    const { payments } = await counts(shop.profileId)
    await shop.call(startSync, { body: { connection_id: id, since: firstDayRead(app) } })
    await drain()
    await app.service.processor.settled(shop.profileId)
    expect((await syncOf(shop, id)).set_aside).toEqual({ records: 0, last_reason: null })
    expect((await counts(shop.profileId)).payments).toBe(payments! + 1)
  })

  const withoutIds = [
    ['engine_search_console', ['/webmasters/v3/sites/']],
    ['tiktok_ads', ['/open_api/v1.3/report/integrated/', '/open_api/v1.3/campaign/get/']],
  ] as const
  test.each(splitForRun(withoutIds, 1))(
    'of %s clears entries without an id once their days are read again',
    async (provider, lists) => {
      const shop = await makeShop(app)
      const { id } = await shop.connected(provider)
      for (const match of lists)
        await triggerSandbox(app, provider, 'fault', { kind: 'bad_record', match, times: 1 })
      await drain()
      expect(await syncOf(shop, id)).toMatchObject({ state: 'idle', set_aside: { records: lists.length } })
      await shop.call(startSync, { body: { connection_id: id, since: firstDayRead(app) } })
      await drain()
      expect((await syncOf(shop, id)).set_aside).toEqual({ records: 0, last_reason: null })
    },
  )

  const permissions = [
    ['tiktok_ads', 'no_gmv_max', {}],
    ['storefront', 'deny_fields', { fields: ['Order.email'] }],
  ] as const
  test.each(splitForRun(permissions, 1))(
    'of %s clears the entry of a missing permission once it is granted',
    async (provider, action, args) => {
      const shop = await makeShop(app)
      await triggerSandbox(app, provider, 'act', { action, args })
      const { id } = await shop.connected(provider)
      await drain()
      const before = await syncOf(shop, id)
      await triggerSandbox(app, provider, 'act', { action: 'reset', args: {} })
      expect(before).toMatchObject({ state: 'idle', set_aside: { records: 1 } })
      await shop.call(startSync, { body: { connection_id: id, since: firstDayRead(app) } })
      await drain()
      expect((await syncOf(shop, id)).set_aside).toEqual({ records: 0, last_reason: null })
    },
  )

  it('that is interrupted continues after the last stored page', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('cardpay')
    await triggerSandbox(app, 'cardpay', 'fault', { kind: 'html_error', match: '/v1/refunds', times: 4 })
    await drain()
    const status = (await shop.call(getSyncStatus, { query: { provider: 'cardpay' } })).data
    expect(status).toMatchObject({ provider: 'cardpay', connection_id: id, state: 'failed' })
    expect(status.last_error).not.toBeNull()
    expect(status.progress).toMatchObject({ unit: 'payments' })
    const cut = await app.service.db
      .selectFrom('connection_syncs')
      .select(['cursor', 'pages', 'began_at'])
      .where('connection_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(cut.pages).toBeGreaterThan(0)
    expect(cut.cursor).not.toBeNull()
    expect(status.complete_until).toBeNull()
    await moveClock(app, 31)
    await shop.call(startSync, { body: { connection_id: id } })
    await drain()
    const completed = await syncOf(shop, id)
    expect(completed).toMatchObject({
      state: 'idle',
      last_error: null,
      complete_until: cut.began_at!.toISOString(),
    })
    expect(completed.last_attempt_at! > completed.complete_until!).toBe(true)
  })

  describe('of a provider whose pagination does not end', () => {
    /** Replaces the connector's pages for one connection's sync; the rest of the service is real. */
    async function syncWith(shop: Shop, id: string, syncPage: (cursor: string | null) => SyncPage) {
      const configured = app.service.providers.get('cardpay')!
      const replaced = { ...configured, connector: { ...configured.connector, sync: { page: fakePage } } }
      let calls = 0
      async function fakePage(_session: unknown, _window: unknown, cursor: string | null): Promise<SyncPage> {
        if (++calls > 50) throw new Error('The sync does not end')
        return syncPage(cursor)
      }
      const { service } = app
      const providers = new Map(service.providers).set('cardpay', replaced)
      await shop.call(startSync, { body: { connection_id: id } })
      await drainJobs({ ...service, providers }, jobs)
      return { sync: await syncOf(shop, id), calls }
    }
    const page = (cursor: string | null): SyncPage => ({
      records: [],
      cursor,
      progress: { done: 0, total: null, unit: 'payments' },
    })
    const cursorOf = async (id: string) =>
      (await app.pool.query('select cursor from connection_syncs where connection_id = $1', [id])).rows[0]
        .cursor

    it('and returns each page as the next one ends after the second', async () => {
      const shop = await makeShop(app)
      const { id } = await shop.connected('cardpay')
      await drain()
      const { sync, calls } = await syncWith(shop, id, () => page('again'))
      expect(sync).toMatchObject({ state: 'failed' })
      expect(sync.last_error).toContain('the cursor of the current page')
      expect([calls % 2, await cursorOf(id)]).toEqual([0, null])
      await moveClock(app, 31)
      await shop.call(startSync, { body: { connection_id: id } })
      await drain()
      expect(await syncOf(shop, id)).toMatchObject({ state: 'idle', last_error: null })
    })

    it('and always has another page ends after 100,000', async () => {
      const shop = await makeShop(app)
      const { id } = await shop.connected('cardpay')
      await drain()
      await app.pool.query(
        `update connection_syncs set cursor = '0', pages = 99998, since_day = '2026-01-01', until_day = '2026-01-02'
         where connection_id = $1`,
        [id],
      )
      const { sync, calls } = await syncWith(shop, id, (cursor) => page(String(Number(cursor) + 1)))
      expect(sync).toMatchObject({ state: 'failed' })
      expect(sync.last_error).toContain('without an end')
      expect([calls, await cursorOf(id)]).toEqual([2, null])
    })
  })

  it('whose grant was revoked requires a reconnect', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('regionalpay')
    await triggerSandbox(app, 'regionalpay', 'act', { action: 'revoke_grant' })
    await drain()
    expect((await shop.call(getConnection, { params: { id } })).data).toMatchObject({
      status: 'reconnect_required',
      sync: { state: 'failed' },
    })
    expect(await eventsOf(app, shop.profileId)).toContain('connection.reconnect_required')
    const refusal = await refusalOf(shop.call(startSync, { body: { connection_id: id } }))
    expect(refusal).toMatchObject({ status: 409, code: 'connection_not_ready', reconnect_required: true })
  })

  const refusals = [
    ['social_ads', 'Error validating access token'],
    ['cardpay', 'The refresh token is not valid.'],
    ['engine_ads', 'The refresh token is not valid.'],
    ['engine_search_console', 'The refresh token is not valid.'],
    ['crmsuite', 'The refresh token is not valid.'],
    ['regionalpay', 'The refresh token is not valid.'],
    ['storefront', 'The refresh token is not valid.'],
  ] as const
  test.each(splitForRun(refusals, 2))(
    'of %s that fails shows the provider’s message after ours',
    async (provider, expectedText) => {
      const shop = await makeShop(app)
      const { id } = await shop.connected(provider)
      await triggerSandbox(app, provider, 'act', { action: 'revoke', args: { connection_id: id } })
      await drain()
      const { last_error: message, next_run_at: next } = await syncOf(shop, id)
      expect(message).toMatch(/^The (provider|store|account) .*\. Provider: /)
      expect(message).toContain(expectedText)
      expect(next).toBeNull()
    },
  )

  it('of a disconnected account does not start', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    await shop.call(disconnectConnection, { params: { id } })
    await drain()
    expect(await syncOf(shop, id)).toMatchObject({ state: 'idle', last_success_at: null })
    const refusal = await refusalOf(shop.call(startSync, { body: { connection_id: id } }))
    expect(refusal).toMatchObject({ status: 409, code: 'connection_revoked' })
    const request = shop.call(startSync, { body: { provider: 'storefront', connection_id: id } })
    expect((await refusalOf(request)).status).toBe(422)
  })

  it('runs on schedule', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('engine_search_console')
    await drain()
    const first = await syncOf(shop, id)
    await moveClock(app, 6 * 3600 + 60)
    // All other connections are due too; syncing them would take a minute.
    await app.pool.query('update connection_syncs set next_run_at = null where connection_id <> $1', [id])
    await runSchedule(app.service, jobs, 'connections.queue_due_syncs')
    await drain()
    expect((await syncOf(shop, id)).last_success_at! > first.last_success_at!).toBe(true)
    expect((await storedFor(app, shop.profileId)).connections).toHaveLength(1)
  })
})
