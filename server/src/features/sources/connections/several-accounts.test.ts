import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { eventsOf, makeShop, moveClock, type Shop, storedFor } from '../../../../test/make-shop.ts'
import { consent, makeVisitor } from '../../../../test/visitor.ts'
import type { Account } from '../../../connectors/connector.ts'
import {
  Candidate,
  finalizeConnection,
  listCandidates,
  listConnections,
  listPendingChoices,
} from './contract.ts'
import { connectionJobs } from './jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('several accounts', () => {
  it('wait for a choice; the chosen account is connected once', async () => {
    const shop = await makeShop(app)
    const params = { provider: 'engine_ads' } as const
    expect((await refusalOf(shop.call(listCandidates, { params }))).status).toBe(404)
    const pendingChoices = async () => (await shop.call(listPendingChoices)).data
    expect(await pendingChoices()).toEqual([])
    const { handoff } = await shop.connect('approve-several', 'engine_ads')
    expect(await pendingChoices()).toEqual([
      { provider: 'engine_ads', accounts: 3, expires_at: expect.any(String) },
    ])
    expect((await (await makeShop(app)).call(listPendingChoices)).data).toEqual([])
    expect(handoff.result).toMatchObject({ pending_selection: { candidate_count: 3 } })
    const candidates = (await shop.call(listCandidates, { params })).data.map((item) => Candidate.parse(item))
    expect(candidates).toHaveLength(3)
    const choose = (candidate_id: string) => shop.call(finalizeConnection, { params, body: { candidate_id } })
    expect(await refusalOf(choose('unknown'))).toMatchObject({ status: 422, code: 'validation_error' })
    const { data } = await choose(candidates[1]!.id)
    expect(data).toEqual({
      provider: 'engine_ads',
      connection_id: expect.any(String),
      already_finalized: false,
    })
    expect(await pendingChoices()).toEqual([])
    expect((await choose(candidates[1]!.id)).data).toEqual({ ...data, already_finalized: true })
    expect(await refusalOf(choose(candidates[2]!.id))).toMatchObject({
      status: 409,
      code: 'invalid_state',
      reason: 'selection_already_made',
    })
    const stored = await storedFor(app, shop.profileId)
    expect(stored.connections.map((row) => row.external_id)).toEqual([candidates[1]!.id])
    expect(stored.selections.map((row) => row.token)).toEqual([null])
  })

  it('an account of another profile is refused, and another one can be chosen', async () => {
    const first = await makeShop(app)
    const second = await makeShop(app, first)
    const firstConnection = await first.connected('social_ads')
    await second.connect('approve-several', 'social_ads')
    const params = { provider: 'social_ads' } as const
    const choose = (candidate_id: string) =>
      second.call(finalizeConnection, { params, body: { candidate_id } })
    expect(await refusalOf(choose(firstConnection.external_id))).toMatchObject({
      status: 409,
      code: 'account_connected_elsewhere',
    })
    const candidates = (await second.call(listCandidates, { params })).data
    const free = candidates.find((candidate) => candidate.id !== firstConnection.external_id)!
    expect((await choose(free.id)).data.already_finalized).toBe(false)
  })

  it('the pending consent expires after 60 minutes', async () => {
    const shop = await makeShop(app)
    const params = { provider: 'engine_search_console' } as const
    await shop.connect('approve-several', 'engine_search_console')
    const [candidate] = (await shop.call(listCandidates, { params })).data
    expect((await shop.call(listPendingChoices)).data).toHaveLength(1)
    await moveClock(app, 60 * 60 + 1)
    expect((await shop.call(listPendingChoices)).data).toEqual([])
    expect((await refusalOf(shop.call(listCandidates, { params }))).status).toBe(404)
    const choice = shop.call(finalizeConnection, { params, body: { candidate_id: candidate!.id } })
    expect((await refusalOf(choice)).status).toBe(404)
    expect((await storedFor(app, shop.profileId)).connections).toEqual([])
  })

  it('an expired pending consent loses its token, an open one keeps it', async () => {
    const expiredShop = await makeShop(app)
    const pendingShop = await makeShop(app)
    const tokenOf = async ({ profileId }: Shop) =>
      (await storedFor(app, profileId)).selections.map((row) => row.token)
    const collect = () => runSchedule(app.service, connectionJobs, 'connections.drop_lapsed_selections')
    await expiredShop.connect('approve-several', 'engine_search_console')
    await moveClock(app, 60 * 60 - 30)
    await pendingShop.connect('approve-several', 'engine_search_console')
    await collect()
    expect(await tokenOf(expiredShop)).toEqual([expect.any(Buffer)])
    await moveClock(app, 60)
    await collect()
    expect(await tokenOf(expiredShop)).toEqual([null])
    expect(await tokenOf(pendingShop)).toEqual([expect.any(Buffer)])
  })

  it('twenty concurrent equal choices create one connection', async () => {
    const shop = await makeShop(app)
    const params = { provider: 'engine_search_console' } as const
    await shop.connect('approve-several', 'engine_search_console')
    const [candidate] = (await shop.call(listCandidates, { params })).data
    const body = { candidate_id: candidate!.id }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.call(finalizeConnection, { params, body })),
    )
    expect(new Set(replies.map((reply) => reply.data.connection_id)).size).toBe(1)
    expect(replies.filter((reply) => !reply.data.already_finalized)).toHaveLength(1)
    expect(
      (await eventsOf(app, shop.profileId)).filter((type) => type === 'connection.connected'),
    ).toHaveLength(1)
  })
})

describe('a provider that sends false accounts at login', () => {
  const honest: Account = { id: 'acct_1', name: 'Shop', kind: 'account', currency: 'EUR', timezone: 'UTC' }
  const falseAccounts: [string, Partial<Account>[]][] = [
    ['a name that the database cannot store', [{ name: 'a\0b' }]],
    ['a name with half a character', [{ name: 'Shop \ud800' }]],
    ['a name of a megabyte', [{ name: 'x'.repeat(1_000_000) }]],
    ['an id of a megabyte', [{ id: 'x'.repeat(1_000_000) }]],
    ['an empty id', [{ id: '' }]],
    ['a currency and a time zone that do not exist', [{ currency: 'ZZZZZZ', timezone: 'Mars/Phobos' }]],
    ['the same account twice', [{}, {}]],
    ['one unreadable account among others', [{}, { id: 'acct_2', name: '\0' }, { id: 'acct_3' }]],
    ['three thousand accounts', Array.from({ length: 3000 }, (_, index) => ({ id: `acct_${index}` }))],
    ['markup', [{ name: '<img src=x onerror=alert(1)>', id: '"><script>alert(1)</script>' }]],
  ]

  it.each(falseAccounts)('%s: the hand-off ends, and the connections stay readable', async (_, accounts) => {
    const configured = app.service.providers.get('cardpay')!
    const connector = {
      ...configured.connector,
      listAccounts: async () => accounts.map((lie) => ({ ...honest, ...lie })),
    }
    const providers = app.service.providers as Map<string, typeof configured>
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    providers.set('cardpay', { ...configured, connector })
    try {
      const page = await visitor.open(callback)
      expect([200, 303]).toContain(page.status)
      expect(page.text).not.toMatch(/<script>alert|<img src=x/)
    } finally {
      providers.set('cardpay', configured)
    }
    const settled = await shop.poll(handoff.id)
    expect(['completed', 'failed']).toContain(settled.status)
    expect((await visitor.open(handoff.url)).text).not.toMatch(/<script>alert|<img src=x/)
    expect(Array.isArray((await shop.call(listConnections)).data)).toBe(true)
  })
})
