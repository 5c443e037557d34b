import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { depth, shortIt as it } from '../../../../test/length.ts'
import { eventsOf, makeShop, moveClock, storedFor, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { readAccounts } from '../../../connectors/banklink/client.ts'
import { type Provider, providers } from '../../../connectors/connector.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { connectBankLink, startBankLink } from '../bank-links/contract.ts'
import { finalizeConnection, getConnection, listCandidates } from './contract.ts'
import { isRefreshDue, refreshAtOf, retryRefreshAt } from './rules.ts'
import { withSession } from './session.ts'
import { openToken, sealToken } from './store.ts'

/** Long enough to refresh a token of 60 days; the long run also refreshes one of 180. */
const DAYS = depth(48, 200)
/** An unused token of an hour or a day is refreshed at each run of the schedule. */
const ROUNDS = DAYS / 4

const drain = (app: TestApp) => drainJobs(app.service, jobs)

/** Lists the provider's accounts with the connection's token. */
const useToken = (app: TestApp, profileId: string, id: string) =>
  withSession(app.service, { profileId, id }, null, (session, { connector }) =>
    connector.listAccounts(session.http, session.app, session.token),
  )

describe('a token is refreshed after a share of its lifetime', () => {
  const minutes = (lifetime: number, at: number) => {
    const issuedAt = new Date(0)
    const expiresAt = new Date(lifetime * 60_000)
    return isRefreshDue({ refreshAt: refreshAtOf(issuedAt, expiresAt), expiresAt }, new Date(at * 60_000))
  }

  it.each([
    ['an hour', 60, 39, 41],
    ['a day', 1440, 959, 961],
    ['60 days', 86_400, 57_599, 57_601],
    ['180 days', 259_200, 172_799, 172_801],
  ])('%s', (_, lifetime, before, after) => {
    expect(minutes(lifetime, before)).toBe(false)
    expect(minutes(lifetime, after)).toBe(true)
  })

  it('never if it does not expire, always in its last two minutes, and a retry happens before it expires', () => {
    expect(refreshAtOf(new Date(0), null)).toBeNull()
    expect(isRefreshDue({ refreshAt: null, expiresAt: null }, new Date(1e15))).toBe(false)
    const day = fc.integer({ min: 1, max: 400 * DAY_MS })
    fc.assert(
      fc.property(day, day, (lifetime, at) => {
        const expiresAt = new Date(lifetime)
        const refreshAt = refreshAtOf(new Date(0), expiresAt)!
        expect(refreshAt.getTime()).toBeGreaterThanOrEqual(0)
        expect(refreshAt.getTime()).toBeLessThanOrEqual(lifetime)
        if (at >= lifetime - 120_000)
          expect(isRefreshDue({ refreshAt: new Date(1e15), expiresAt }, new Date(at))).toBe(true)
        const remainingMs = lifetime - at
        if (remainingMs > 60_000)
          expect(retryRefreshAt(new Date(at), expiresAt).getTime()).toBeLessThanOrEqual(lifetime)
      }),
    )
  })
})

describe('a token that the provider refuses before it expires', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  it.each(['engine_ads', 'engine_search_console', 'crmsuite', 'regionalpay', 'storefront'] as const)(
    'of %s is refreshed and the call retried, once for all callers',
    async (provider) => {
      const shop = await makeShop(app)
      const { id } = await shop.connected(provider)
      await triggerSandbox(app, provider, 'act', { action: 'expire_tokens' })
      const calls = Array.from({ length: 8 }, () => useToken(app, shop.profileId, id))
      for (const accounts of await Promise.all(calls)) expect(accounts).toHaveLength(1)
      const [row] = (await storedFor(app, shop.profileId)).connections
      expect(row).toMatchObject({ status: 'connected', token_version: 2, refresh_lease_id: null })
      expect(await eventsOf(app, shop.profileId)).not.toContain('connection.reconnect_required')
    },
  )

  it.each([...providers])('of %s requires a reconnect once the grant itself is revoked', async (provider) => {
    const shop = await makeShop(app)
    const { id } = await shop.connected(provider)
    await triggerSandbox(app, provider, 'act', { action: 'revoke', args: { connection_id: id } })
    await expect(useToken(app, shop.profileId, id)).rejects.toThrow()
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('reconnect_required')
    const announced = (await eventsOf(app, shop.profileId)).filter(
      (type) => type === 'connection.reconnect_required',
    )
    expect(announced).toHaveLength(1)
  })

  it('remains connected while refreshes fail for a transient reason', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('regionalpay')
    await triggerSandbox(app, 'regionalpay', 'act', { action: 'expire_tokens' })
    await triggerSandbox(app, 'regionalpay', 'fault', {
      kind: 'server_error',
      match: '/oauth/token',
      times: 4,
    })
    await expect(useToken(app, shop.profileId, id)).rejects.toMatchObject({ reason: 'unavailable' })
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('connected')
    await triggerSandbox(app, 'regionalpay', 'act', { action: 'reset' })
    expect(await useToken(app, shop.profileId, id)).toHaveLength(1)
    expect((await storedFor(app, shop.profileId)).connections[0]).toMatchObject({ refresh_lease_id: null })
  })

  it('affects only its own connection, not those of other tenants', async () => {
    const [shop, other] = [await makeShop(app), await makeShop(app)]
    const otherConnection = await other.connected('crmsuite')
    const { id } = await shop.connected('crmsuite')
    await triggerSandbox(app, 'crmsuite', 'act', { action: 'revoke', args: { connection_id: id } })
    await expect(useToken(app, shop.profileId, id)).rejects.toThrow()
    expect(await useToken(app, other.profileId, otherConnection.id)).toHaveLength(1)
    // No sync ran: the call that failed, such as an export, records the reason.
    const lost = (await shop.call(getConnection, { params: { id } })).data
    expect(lost).toMatchObject({
      status: 'reconnect_required',
      sync: { last_error: 'The provider no longer accepts this connection; reconnect it.' },
    })
  })
})

test(`every kind of token outlives ${DAYS} days in which nothing syncs`, { timeout: 120_000 }, async () => {
  const app = await startTestApp()
  try {
    const shop = await makeShop(app)
    const ids = new Map<Provider, string>()
    for (const provider of providers) ids.set(provider, (await shop.connected(provider)).id)
    await app.pool.query('delete from jobs')
    await app.pool.query('update connection_syncs set next_run_at = null')
    for (let day = 0; day < DAYS; day += 4) {
      await moveClock(app, 4 * 86_400)
      await runSchedule(app.service, jobs, 'connections.queue_due_refreshes')
      await drain(app)
    }
    for (const [provider, id] of ids) {
      expect([provider, await useToken(app, shop.profileId, id)]).toEqual([provider, [expect.anything()]])
      expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('connected')
    }
    const versions = await app.pool.query<{ provider: string; token_version: number }>(
      'select provider, token_version from connections order by provider',
    )
    const renewals = Object.fromEntries(versions.rows.map((row) => [row.provider, row.token_version - 1]))
    // 60 days: every 40; 180 days: after 120.
    expect(renewals).toMatchObject({ social_ads: depth(1, 5), regionalpay: depth(0, 1) })
    expect(renewals).toMatchObject({
      crmsuite: ROUNDS,
      cardpay: ROUNDS,
      storefront: ROUNDS,
      engine_ads: ROUNDS,
      engine_search_console: ROUNDS,
    })
  } finally {
    await app.close()
  }
})

test(`tokens without an end, of an agency and of a bank outlive ${DAYS} days too`, {
  timeout: 120_000,
}, async () => {
  const app = await startTestApp()
  try {
    const { service } = app
    const shop = await makeShop(app)
    const tokenOf = async (id: string) => {
      const row = await service.db
        .selectFrom('connections')
        .select(['token', 'token_version'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return { token: openToken(service, shop.profileId, id, row.token!), version: row.token_version }
    }

    /** A token that does not expire, and no refresh token. */
    const endless = async (provider: Provider) => {
      const ttl = (seconds: number) =>
        triggerSandbox(app, provider, 'act', { action: 'token_ttl', args: { seconds } })
      await ttl(4_000 * 86_400)
      const { id } = await shop.connected(provider)
      await triggerSandbox(app, provider, 'act', { action: 'reset' })
      const stripped = { ...(await tokenOf(id)).token, refreshToken: null, expiresAt: null }
      const token = sealToken(service, shop.profileId, id, stripped)
      await service.db
        .updateTable('connections')
        .set({ token, token_expires_at: null, token_refresh_at: null })
        .where('profile_id', '=', shop.profileId)
        .where('id', '=', id)
        .execute()
      return id
    }
    // Linked by the platform's older OAuth; and a business login's system user.
    const older = await endless('cardpay')
    const systemUser = await endless('social_ads')

    // An agency's token, from which the tokens of its locations are derived.
    await shop.connect('approve-several', 'crmsuite')
    const params = { provider: 'crmsuite' } as const
    const [candidate] = (await shop.call(listCandidates, { params })).data
    const body = { candidate_id: candidate!.id }
    const agency = (await shop.call(finalizeConnection, { params, body })).data.connection_id
    expect((await tokenOf(agency)).token.extra.userType).toBe('Company')

    const { data: link } = await shop.call(startBankLink)
    await fetch(link.url)
    const bank = (await shop.call(connectBankLink, { body: { link_token: link.link_token } })).data.id

    await app.pool.query('delete from jobs')
    await app.pool.query('update connection_syncs set next_run_at = null')
    for (let day = 0; day < DAYS; day += 4) {
      await moveClock(app, 4 * 86_400)
      await runSchedule(service, jobs, 'connections.queue_due_refreshes')
      await drain(app)
    }
    for (const id of [older, systemUser, agency]) {
      expect((await useToken(app, shop.profileId, id)).length).toBeGreaterThan(0)
      expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('connected')
    }
    expect((await tokenOf(older)).version).toBe(1)
    expect((await tokenOf(systemUser)).version).toBe(1)
    expect((await tokenOf(agency)).version).toBe(1 + ROUNDS)
    const { app: banklink, http } = service.banklink!
    const { accounts } = await readAccounts(http, banklink, (await tokenOf(bank)).token.accessToken)
    expect(accounts).toHaveLength(1)

    // The older link ends like any other: the account revokes it, one reconnect is requested, and nothing is refreshed.
    await triggerSandbox(app, 'cardpay', 'act', { action: 'revoke', args: { connection_id: older } })
    await expect(useToken(app, shop.profileId, older)).rejects.toThrow()
    expect((await shop.call(getConnection, { params: { id: older } })).data.status).toBe('reconnect_required')
  } finally {
    await app.close()
  }
})
