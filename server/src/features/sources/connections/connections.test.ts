import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeApp, makeKey, refusalOf } from '../../../../test/make.ts'
import {
  eventsOf,
  makeGovernedShop,
  makeShop,
  moveClock,
  shopWith,
  storedFor,
  triggerSandbox,
} from '../../../../test/make-shop.ts'
import { makeVisitor, walkConsent } from '../../../../test/visitor.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { grantToApp } from '../../account/apps/grants.ts'
import { saveChatbot } from '../chatbot/contract.ts'
import { createManualStore } from '../manual-stores/contract.ts'
import {
  Connection,
  deleteConnection,
  disconnectConnection,
  finalizeConnection,
  getConnection,
  getSyncStatus,
  listCandidates,
  listConnections,
  listPixels,
  startSync,
} from './contract.ts'
import { freshToken } from './refresh.ts'
import { openToken } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('connections', () => {
  it('are listed and read with their health, and filtered by channel', async () => {
    const shop = await makeShop(app)
    const connection = await shop.connected('cardpay')
    expect(connection).toMatchObject({
      channel: 'cardpay',
      status: 'connected',
      // A platform app may not read the account's name, only its id.
      display_name: expect.stringMatching(/^acct_/),
      sync: { state: 'queued', last_success_at: null, last_error: null, progress: null },
    })
    const list = async (query: { channel?: 'cardpay' | 'crmsuite' } = {}) =>
      (await shop.call(listConnections, { query })).data.map((item) => Connection.parse(item).id)
    expect(await list()).toEqual([connection.id])
    expect(await list({ channel: 'cardpay' })).toEqual([connection.id])
    expect(await list({ channel: 'crmsuite' })).toEqual([])
  })

  it('keep id and history when the same account is connected again', async () => {
    const shop = await makeShop(app)
    const first = await shop.connected()
    await shop.call(disconnectConnection, { params: { id: first.id } })
    const reconnected = await shop.connected()
    expect(reconnected).toMatchObject({ id: first.id, status: 'connected', created_at: first.created_at })
    expect(await eventsOf(app, shop.profileId)).toEqual([
      'connection.connected',
      'handoff.completed',
      'connection.revoked',
      'connection.connected',
      'handoff.completed',
    ])
  })

  it('are revoked when disconnected: the token is deleted, the account is free, the provider is notified', async () => {
    const first = await makeShop(app)
    const second = await makeShop(app, first)
    const connection = await first.connected('regionalpay')
    expect((await second.connect('taken', 'regionalpay')).handoff.status).toBe('failed')
    const { data } = await first.call(disconnectConnection, { params: { id: connection.id } })
    expect(data).toMatchObject({ id: connection.id, status: 'revoked' })
    const [row] = (await storedFor(app, first.profileId)).connections
    expect(row).toMatchObject({ token: null, status: 'revoked' })
    expect((await second.connect('taken', 'regionalpay')).handoff.status).toBe('completed')
    const repeated = await first.call(disconnectConnection, { params: { id: connection.id } })
    expect(repeated.data.status).toBe('revoked')
  })

  it('of another profile respond like unknown ones', async () => {
    const shop = await makeShop(app)
    const stranger = await makeShop(app)
    const { id } = await shop.connected('crmsuite')
    for (const entry of [getConnection, disconnectConnection, deleteConnection, listPixels] as const) {
      const foreignRefusal = await refusalOf(stranger.call(entry as typeof getConnection, { params: { id } }))
      const unknown = await refusalOf(
        stranger.call(entry as typeof getConnection, { params: { id: uuidv7() } }),
      )
      expect({ ...foreignRefusal, request_id: '' }).toEqual({ ...unknown, request_id: '' })
      expect(foreignRefusal.status).toBe(404)
    }
  })

  it('store their tokens encrypted', async () => {
    const shop = await makeShop(app)
    const connection = await shop.connected('engine_ads')
    const [row] = (await storedFor(app, shop.profileId)).connections
    const token = openToken(app.service, shop.profileId, connection.id, row!.token!)
    expect(row!.token!.includes(Buffer.from(token.accessToken))).toBe(false)
    expect(() => openToken(app.service, uuidv7(), connection.id, row!.token!)).toThrow('cannot be decrypted')
  })
})

describe('connections without a consent', () => {
  it('can be filtered by every channel that the list contains', async () => {
    const shop = await makeShop(app)
    await shop.call(saveChatbot, { body: { api_key: 'a key of the chatbot' } })
    await shop.connected('cardpay')
    const all = (await shop.call(listConnections)).data
    expect(all.map(({ channel }) => channel)).toEqual(['chatbot', 'cardpay'])
    for (const { channel, id } of all)
      expect((await shop.call(listConnections, { query: { channel } })).data.map((item) => item.id)).toEqual([
        id,
      ])
    expect((await shop.call(listConnections, { query: { channel: 'banklink' } })).data).toEqual([])
  })

  it('have nothing to sync, and no next run', async () => {
    const shop = await makeShop(app)
    const chatbot = (await shop.call(saveChatbot, { body: { api_key: 'a key of the chatbot' } })).data
    const { data: store } = await shop.call(createManualStore, { body: { shop: `store-${Date.now()}` } })
    for (const id of [chatbot.id, store.id]) {
      const request = shop.call(startSync, { body: { connection_id: id } })
      expect(await refusalOf(request)).toMatchObject({ status: 501, code: 'not_implemented' })
      const { sync } = (await shop.call(getConnection, { params: { id } })).data
      expect(sync).toMatchObject({ state: 'idle', next_run_at: null })
    }
  })
})

describe('a route that takes only the provider', () => {
  it('uses the usable one of several connections, regardless of age', async () => {
    const shop = await makeShop(app)
    const params = { provider: 'engine_ads' } as const
    const choose = async (index: number) => {
      await shop.connect('approve-several', 'engine_ads')
      const candidate_id = (await shop.call(listCandidates, { params })).data[index]!.id
      return (await shop.call(finalizeConnection, { params, body: { candidate_id } })).data.connection_id
    }
    const [first, second, third] = [await choose(0), await choose(1), await choose(2)]
    const status = (id: string, value: string) =>
      app.pool.query('update connections set status = $2 where id = $1', [id, value])
    const syncedConnectionId = async () => (await shop.call(startSync, { body: params })).data.connection_id
    expect(await syncedConnectionId()).toBe(third)
    await status(third, 'reconnect_required')
    expect(await syncedConnectionId()).toBe(second)
    await status(second, 'revoked')
    expect(await syncedConnectionId()).toBe(first)
    const { data } = await shop.call(getSyncStatus, { query: params })
    expect(data.connection_id).toBe(first)
  })
})

describe('an error that requires a reconnect', () => {
  it('contains a working link, reused for a while; none for read-only callers', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('social_ads')
    await triggerSandbox(app, 'social_ads', 'act', { action: 'revoke', args: { connection_id: id } })
    const first = await refusalOf(shop.call(listPixels, { params: { id } }))
    expect(first).toMatchObject({ status: 409, code: 'connection_not_ready', reconnect_required: true })
    const secondRefusal = await refusalOf(shop.call(startSync, { body: { connection_id: id } }))
    expect(secondRefusal.reconnect_url).toBe(first.reconnect_url)
    await walkConsent(makeVisitor(), `${first.reconnect_url}/start`, 'approve-one')
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('connected')
    await triggerSandbox(app, 'social_ads', 'act', { action: 'revoke', args: { connection_id: id } })
    const reader = shopWith(app, shop, await makeKey(app, shop.profileId, ['exports:read']))
    const refusal = await refusalOf(reader.call(listPixels, { params: { id } }))
    expect(refusal).toMatchObject({ reconnect_required: true })
    expect(refusal).not.toHaveProperty('reconnect_url')
  })

  it('contains the store of a storefront', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    await shop.call(disconnectConnection, { params: { id } })
    const refusal = await refusalOf(shop.call(startSync, { body: { connection_id: id } }))
    expect(refusal).toMatchObject({ code: 'connection_revoked', reconnect_required: true })
    await walkConsent(makeVisitor(), `${refusal.reconnect_url}/start`, 'approve-one')
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('connected')
  })
})

describe('an app’s key', () => {
  /** Authorizes the app like a person's consent, and returns its key. */
  async function delegate(profileId: string, partner: { id: string }): Promise<string> {
    const scopes = ['connections:read', 'connections:write'] as const
    const { apiKey } = await app.service.db.transaction().execute((tx) =>
      grantToApp(app.service, tx, {
        app: { id: partner.id, name: 'Partner' },
        profileId,
        userId: null,
        plan: { data: null, connections: { grant: 'connections', scopes: [...scopes] }, adoption: false },
        now: app.service.clock.now(),
      }),
    )
    return apiKey
  }

  it('sees only what it connected; ending the authorization revokes its keys and keeps the data', async () => {
    const direct = await makeShop(app)
    const partner = await makeApp(app, direct.workspaceId)
    const other = await makeApp(app, direct.workspaceId)
    const partnerShop = shopWith(app, direct, await delegate(direct.profileId, partner))
    const otherShop = shopWith(app, direct, await delegate(direct.profileId, other))
    await direct.connected('crmsuite')
    const connection = await partnerShop.connected('regionalpay')
    const ids = async (shop: typeof partnerShop) =>
      (await shop.call(listConnections)).data.map(({ id }) => id)
    expect(await ids(partnerShop)).toEqual([connection.id])
    expect(await ids(otherShop)).toEqual([])
    expect(await ids(direct)).toHaveLength(2)
    expect(await refusalOf(direct.call(deleteConnection, { params: { id: connection.id } }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      reason: 'no_app_authorization',
    })
    await partnerShop.call(deleteConnection, { params: { id: connection.id } })
    expect((await refusalOf(partnerShop.call(listConnections))).status).toBe(401)
    const { data } = await direct.call(getConnection, { params: { id: connection.id } })
    expect(data.status).toBe('connected')
  })

  it('that is authorized later sees the connections of that time', async () => {
    const direct = await makeShop(app)
    const connection = await direct.connected('crmsuite')
    const partner = await makeApp(app, direct.workspaceId)
    const laterShop = shopWith(app, direct, await delegate(direct.profileId, partner))
    expect((await laterShop.call(listConnections)).data.map(({ id }) => id)).toEqual([connection.id])
  })

  it('of the governing app sees what a person connected through its page', async () => {
    const { shop, partner } = await makeGovernedShop(app)
    const connection = await shop.connected('cardpay')
    const governing = shopWith(app, shop, await delegate(shop.profileId, partner))
    expect((await governing.call(listConnections)).data.map(({ id }) => id)).toEqual([connection.id])
  })
})

describe('an expiring token', () => {
  it('is refreshed once for many callers on two processes', async () => {
    const twin = await app.startTwin()
    try {
      const shop = await makeShop(app)
      const { id } = await shop.connected('storefront')
      await moveClock(app, 3_500)
      await twin.service.clock.refresh(twin.service.db)
      const ref = { profileId: shop.profileId, id }
      const tokens = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          freshToken(index % 2 === 0 ? app.service : twin.service, ref),
        ),
      )
      expect(new Set(tokens.map(({ token }) => token.accessToken)).size).toBe(1)
      const [row] = (await storedFor(app, shop.profileId)).connections
      expect(row).toMatchObject({ token_version: 2, status: 'connected', refresh_lease_id: null })
    } finally {
      await twin.close()
    }
  })

  it('whose grant was revoked requires a reconnect, once, with its events, and reports the channel when it is connected again', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    await triggerSandbox(app, 'storefront', 'act', { action: 'revoke_grant' })
    await moveClock(app, 3_600)
    const ref = { profileId: shop.profileId, id }
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => freshToken(app.service, ref)))
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'))
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('reconnect_required')
    const announced = (await eventsOf(app, shop.profileId)).filter((type) => type.startsWith('connection.'))
    expect(announced).toEqual(['connection.connected', 'connection.reconnect_required'])
    const reconnected = await shop.connected('storefront')
    expect(reconnected).toMatchObject({ id, status: 'connected' })
    const { rows: health } = await app.pool.query(
      `select provider, data->>'status' as status from outbox_events
       where profile_id = $1 and type = 'channel.health.updated' order by number`,
      [shop.profileId],
    )
    expect(health).toEqual([
      { provider: 'storefront', status: 'reconnect_required' },
      { provider: 'storefront', status: 'connected' },
    ])
  })
})
