/** Hand-offs under mail scanners, impatient people, crashes and attackers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { hostileReturnUrls } from '../../../../test/hostile-return-urls.ts'
import { depth, shortIt as it } from '../../../../test/length.ts'
import { makeApp, makeKey, refusalOf } from '../../../../test/make.ts'
import {
  makeGovernedShop,
  makeShop,
  moveClock,
  type Shop,
  shopWith,
  storedFor,
} from '../../../../test/make-shop.ts'
import { consent, makeVisitor, walkConsent } from '../../../../test/visitor.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { mintHandoff } from '../handoffs/contract.ts'

const ROUNDS = Number(process.env.RACE_ROUNDS ?? depth(1, 4))
const BROWSERS = 20
const LOOKS = depth(100, 1000)

let app: TestApp
let twin: TestApp
beforeAll(async () => {
  app = await startTestApp()
  twin = await app.startTwin()
})
afterAll(async () => {
  await twin.close()
  await app.close()
})

const nothingStored = { connections: [], accounts: [], selections: [] }
const onTwin = (url: string) => url.replace(app.baseUrl, twin.baseUrl)

describe('link scanners', () => {
  const agents = [
    'Mozilla/5.0 (compatible; BarracudaCentral)',
    'Mozilla/5.0 (Windows NT 10.0) SafeLinks',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23',
  ]

  test(`${LOOKS} looks need no right to write, and cost the person nothing`, async () => {
    const { shop } = await makeGovernedShop(app)
    const handoff = await shop.mint()
    // The process has a read-only database connection, so any write would fail.
    const readOnly = await app.startTwin({ readOnly: true })
    const look = (url: string) => url.replace(app.baseUrl, readOnly.baseUrl)
    const looks = Array.from({ length: LOOKS }, (_, index) => index)
    const statuses = new Set<number>()
    for (let at = 0; at < looks.length; at += 50)
      await Promise.all(
        looks.slice(at, at + 50).map(async (index) => {
          const url = index % 2 === 0 ? handoff.url : handoff.start_url
          const method = index % 4 < 2 ? 'GET' : 'HEAD'
          const agent = agents[index % agents.length]!
          const reply = await fetch(look(url), {
            method,
            redirect: 'manual',
            headers: { 'user-agent': agent },
          })
          await reply.arrayBuffer()
          statuses.add(reply.status)
        }),
      )
    expect([...statuses].sort()).toEqual([200, 303])
    const visitor = makeVisitor()
    const callback = await consent(visitor, look(handoff.start_url), 'approve-one')
    expect((await visitor.open(look(callback))).status).toBe(503)
    await readOnly.close()
    expect((await visitor.open(callback)).location).toBe(handoff.url)
    expect((await shop.poll(handoff.id)).status).toBe('completed')
  })
})

describe('exactly one consent counts', () => {
  test(`${BROWSERS} browsers finish at once on two processes, ${ROUNDS} rounds: one connection, all reported so`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const shop = await makeShop(app)
      const handoff = await shop.mint()
      const browsers = await Promise.all(
        Array.from({ length: BROWSERS }, async () => {
          const visitor = makeVisitor()
          return { visitor, callback: await consent(visitor, handoff.start_url, 'approve-one') }
        }),
      )
      const pages = await Promise.all(
        browsers.map(({ visitor, callback }, index) =>
          visitor.open(index % 2 === 0 ? callback : onTwin(callback)),
        ),
      )
      expect(pages.map((page) => page.location)).toEqual(pages.map(() => handoff.url))
      const stored = await storedFor(app, shop.profileId)
      expect([stored.connections.length, stored.accounts.length, stored.selections.length]).toEqual([1, 1, 0])
      const settled = await shop.poll(handoff.id)
      expect(settled.result).toMatchObject({ connection_id: stored.connections[0]!.id })
      expect(stored.connections[0]).toMatchObject({ status: 'connected', token_version: 1 })
    }
  })

  it('two tabs do not interfere with each other', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const browser = makeVisitor()
    const first = await consent(browser, handoff.start_url, 'approve-one')
    const second = await consent(browser, handoff.start_url, 'approve-one')
    expect((await browser.open(first)).location).toBe(handoff.url)
    expect((await browser.open(second)).location).toBe(handoff.url)
    expect((await storedFor(app, shop.profileId)).connections).toHaveLength(1)
  })

  it('two profiles of one workspace want one account at once: one gets it; in two workspaces both do', async () => {
    const first = await makeShop(app)
    const shops = [first, await makeShop(app, first)]
    const outcomes = await finishTogether(shops)
    expect(outcomes.map((handoff) => handoff.status).sort()).toEqual(['completed', 'failed'])
    expect(outcomes.find((handoff) => handoff.status === 'failed')!.result).toMatchObject({
      reason: 'account_connected_elsewhere',
    })
    const apart = await finishTogether([await makeShop(app), await makeShop(app)])
    expect(apart.map((handoff) => handoff.status)).toEqual(['completed', 'completed'])
  })

  async function finishTogether(shops: Shop[]) {
    const runs = await Promise.all(
      shops.map(async (shop) => {
        const handoff = await shop.mint()
        const visitor = makeVisitor()
        return { shop, handoff, visitor, callback: await consent(visitor, handoff.start_url, 'approve-one') }
      }),
    )
    await Promise.all(
      runs.map(({ visitor, callback }, index) => visitor.open(index === 0 ? callback : onTwin(callback))),
    )
    return Promise.all(runs.map(({ shop, handoff }) => shop.poll(handoff.id)))
  }

  it('a crash between the exchange and the commit frees the link after 3 minutes, not before', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    const dying = await app.startTwin()
    const configured = dying.service.providers.get('cardpay')!
    const lost = Promise.withResolvers<void>()
    const providers = dying.service.providers as Map<string, typeof configured>
    providers.set('cardpay', {
      ...configured,
      connector: {
        ...configured.connector,
        async listAccounts(...args) {
          const accounts = await configured.connector.listAccounts(...args)
          // From here on this process has no database connection, as if it had been killed.
          await dying.pool.end()
          lost.resolve()
          return accounts
        },
      },
    })
    const began = await databaseNow(app.service.db)
    const died = await visitor.open(callback.replace(app.baseUrl, dying.baseUrl))
    await lost.promise
    const ended = await databaseNow(app.service.db)
    expect(died.status).toBe(503)
    await dying.close().catch(() => {})

    expect((await shop.poll(handoff.id)).status).toBe('pending')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    const tooEarly = await makeVisitor().open(handoff.start_url)
    expect([tooEarly.status, tooEarly.text.includes('handoff_used')]).toEqual([410, true])
    const { claim_until } = await app.service.db
      .selectFrom('handoffs')
      .select('claim_until')
      .where('id', '=', handoff.id)
      .executeTakeFirstOrThrow()
    const claimedAt = new Date(claim_until!.getTime() - 3 * 60_000)
    expect([claimedAt >= began, claimedAt <= ended]).toEqual([true, true])
    // A minute is left for a slow machine.
    await moveClock(app, 2 * 60)
    expect((await makeVisitor().open(handoff.start_url)).status).toBe(410)
    await moveClock(app, 61)
    const replay = await visitor.open(callback)
    expect(replay.text).toContain('state_invalid')
    await walkConsent(makeVisitor(), handoff.start_url, 'approve-one')
    expect((await shop.poll(handoff.id)).status).toBe('completed')
  })
})

describe('a state that does not hold touches no hand-off', () => {
  type Attack = (parts: { callback: string; other: string }) => string
  const withState = (callback: string, state: string | null) => {
    const url = new URL(callback)
    if (state === null) url.searchParams.delete('state')
    else url.searchParams.set('state', state)
    return url.href
  }
  const stateOf = (callback: string) => new URL(callback).searchParams.get('state')!
  const attacks: [string, Attack][] = [
    ['missing', ({ callback }) => withState(callback, null)],
    ['empty', ({ callback }) => withState(callback, '')],
    ['twice', ({ callback }) => `${callback}&state=${encodeURIComponent(stateOf(callback))}`],
    ['with a changed payload', ({ callback }) => withState(callback, `A${stateOf(callback).slice(1)}`)],
    [
      'with a changed signature',
      ({ callback }) => withState(callback, `${stateOf(callback).slice(0, -2)}AA`),
    ],
    ['unsigned', ({ callback }) => withState(callback, stateOf(callback).split('.')[0]!)],
    [
      'of one hand-off signed for another',
      ({ callback, other }) =>
        withState(callback, `${stateOf(other).split('.')[0]}.${stateOf(callback).split('.')[1]}`),
    ],
    [
      'of another hand-off, in a browser that did not start it',
      ({ callback, other }) => withState(callback, stateOf(other)),
    ],
    [
      'at another provider’s callback',
      ({ callback }) => callback.replace('/callback/cardpay', '/callback/regionalpay'),
    ],
  ]

  it.each(attacks)('%s', async (_name, attack) => {
    const shop = await makeShop(app)
    const [ownHandoff, otherHandoff] = [await shop.mint(), await shop.mint()]
    const visitor = makeVisitor()
    const callback = await consent(visitor, ownHandoff.start_url, 'approve-one')
    const other = await consent(makeVisitor(), otherHandoff.start_url, 'approve-one')
    const page = await visitor.open(attack({ callback, other }))
    expect(page.status).toBe(400)
    expect(page.text).toContain('state_invalid')
    expect((await shop.poll(ownHandoff.id)).status).toBe('pending')
    expect((await shop.poll(otherHandoff.id)).status).toBe('pending')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    expect((await visitor.open(callback)).location).toBe(ownHandoff.url)
  })

  it('replayed, with and without the cookie, changes nothing and shows the actual outcome', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    const cookies = new Map(visitor.cookies)
    await visitor.open(callback)
    expect(visitor.cookies.size).toBe(0)
    const before = await storedFor(app, shop.profileId)
    expect((await visitor.open(callback)).location).toBe(handoff.url)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    expect((await visitor.open(callback)).location).toBe(handoff.url)
    expect(await storedFor(app, shop.profileId)).toEqual(before)
  })

  it('a code from the attacker’s consent is useless in the victim’s browser', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const attacker = await consent(makeVisitor(), handoff.start_url, 'approve-one')
    const victim = makeVisitor()
    await victim.open(handoff.start_url)
    expect((await victim.open(attacker)).text).toContain('state_invalid')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
  })

  it.each([
    [
      'another attempt’s',
      (ownValue: string, otherValue: string) => (ownValue === otherValue ? 'x' : otherValue),
    ],
    ['changed', (ownValue: string) => `${ownValue.startsWith('A') ? 'B' : 'A'}${ownValue.slice(1)}`],
    ['empty', () => ''],
  ])('in a browser whose cookie has the right name and a value that is %s', async (_name, forge) => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    const visitor = makeVisitor()
    const callback = await consent(visitor, handoff.start_url, 'approve-one')
    const second = makeVisitor()
    await consent(second, handoff.start_url, 'approve-one')
    const [[name, ownValue] = ['', '']] = [...visitor.cookies].filter(([name]) => name.includes('connect'))
    const otherValue = [...second.cookies].find(([name]) => name.includes('connect'))![1]
    visitor.cookies.set(name, forge(ownValue, otherValue))
    const page = await visitor.open(callback)
    expect(page.status).toBe(400)
    expect(page.text).toContain('state_invalid')
    expect((await shop.poll(handoff.id)).status).toBe('pending')
    expect(await storedFor(app, shop.profileId)).toEqual(nothingStored)
    visitor.cookies.set(name, ownValue)
    expect((await visitor.open(callback)).location).toBe(handoff.url)
  })

  it('the cookie is bound to the host, secure and short-lived', async () => {
    const shop = await makeShop(app)
    const started = await makeVisitor().open((await shop.mint()).start_url)
    const [cookie, mark, ...extraCookies] = started.headers.getSetCookie()
    expect(extraCookies).toEqual([])
    expect(mark).toMatch(
      /^__Host-whence_browser_[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=2700; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(cookie).toMatch(
      /^__Host-whence_connect_[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('a link with any character changed is not found', async () => {
    const shop = await makeShop(app)
    const { url } = await shop.mint()
    const token = url.split('/').at(-1)!
    for (const at of [0, 10, 21, 22, 40, 63]) {
      const wrong = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect((await makeVisitor().open(url.replace(token, wrong))).status).toBe(404)
    }
    expect((await makeVisitor().open(`${url.slice(0, -1)}/start`)).status).toBe(404)
  })
})

describe('an address to return to', () => {
  const origin = 'https://partner.example'

  it(`${hostileReturnUrls.length} hostile ones are refused with 400 and create nothing`, async () => {
    expect(hostileReturnUrls.length).toBeGreaterThanOrEqual(250)
    const { shop } = await makeGovernedShop(app)
    expect((await refusalOf(shop.mint({ return_url: 'https://other.example/' }))).message).toContain(
      'allowed_return_origins',
    )
    const call = (return_url: string) =>
      shop.call(mintHandoff, { params: { provider: 'cardpay' }, body: { return_url } })
    const letThrough: string[] = []
    for (let at = 0; at < hostileReturnUrls.length; at += 20)
      await Promise.all(
        hostileReturnUrls.slice(at, at + 20).map(async (url) => {
          const refusal = await refusalOf(call(url)).catch(() => undefined)
          if (refusal?.status !== 400) letThrough.push(url)
        }),
      )
    expect(letThrough).toEqual([])
    const rows = await app.service.db
      .selectFrom('handoffs')
      .select('id')
      .where('profile_id', '=', shop.profileId)
      .execute()
    expect(rows).toEqual([])
  })

  it('is accepted for exactly the registered and the additionally allowed origins', async () => {
    const { shop } = await makeGovernedShop(app, { allowedReturnOrigins: ['https://extra.example:8443'] })
    for (const url of [
      `${origin}/anything?x=1#f`,
      'https://PARTNER.example:443/',
      'https://extra.example:8443/x',
    ])
      expect((await shop.mint({ return_url: url })).status).toBe('pending')
  })

  it('is refused if no app governs the profile, or another app than the key’s', async () => {
    const direct = await makeShop(app)
    const body = { return_url: `${origin}/` }
    expect(await refusalOf(direct.mint(body))).toMatchObject({ status: 400, code: 'invalid_parameter' })
    const { shop } = await makeGovernedShop(app)
    const other = await makeApp(app, shop.workspaceId)
    const delegated = shopWith(app, shop, await makeKey(app, shop.profileId, ['connections:write']))
    await app.service.db
      .updateTable('credentials')
      .set({ app_id: other.id })
      .where('profile_id', '=', shop.profileId)
      .execute()
    expect(await refusalOf(delegated.mint(body))).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect((await delegated.mint()).status).toBe('pending')
  })
})
