import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, startTestProfile } from '../../../../test/make.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import type { Client } from '../../../platform/contract/client.ts'
import * as contract from './contract.ts'

let app: TestApp
let profileId: string
let call: Client
let key: string

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['tracking:read', 'tracking:write']))
  key = (await call(contract.issueTrackingKey)).data.key
})
afterAll(() => app.close())

function pageView(over: Partial<ReturnType<typeof makeWirePage>> = {}) {
  const now = new Date().toISOString()
  return makeWirePage({
    event_id: randomUUID(),
    anonymous_id: randomUUID(),
    session_id: randomUUID(),
    occurred_at: now,
    sent_at: now,
    url: 'https://shop.example/?gclid=x',
    title: 'Shop',
    click_ids: { gclid: 'x' },
    tz: 'Europe/Madrid',
    ...over,
  })
}

async function collect(body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140 Safari/537',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    status: reply.status,
    body: (await reply.json()) as { data: Record<string, unknown>; error: { code: string } },
  }
}

it('returns the same key on every request', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => call(contract.issueTrackingKey)))
  expect(new Set(all.map((reply) => reply.data.key))).toEqual(new Set([key]))
  expect((await call(contract.listTrackingKeys)).data).toHaveLength(1)
})

it('stores the good events of a batch, lists the bad ones, and counts a retry as a duplicate', async () => {
  const good = pageView()
  const first = await collect({ key, events: [good, { ...pageView(), url: 5 }] })
  expect(first.status).toBe(202)
  expect(first.body.data).toMatchObject({
    accepted: 1,
    duplicates: 0,
    rejected: [{ index: 1, code: 'validation_error' }],
  })
  const repeated = await collect({
    key,
    events: [{ ...good, sent_at: new Date(Date.now() + 500).toISOString() }],
  })
  expect(repeated.body.data).toMatchObject({ accepted: 0, duplicates: 1 })
})

it.each([
  ['a body that is not JSON', '{', 400, 'invalid_request'],
  ['an unknown key', { key: 'trk_live_nope', events: [pageView()] }, 401, 'unauthorized'],
  ['a body without a key', { events: [] }, 422, 'validation_error'],
])('refuses %s', async (_, body, status, code) => {
  const reply = await collect(body)
  expect([reply.status, reply.body.error.code]).toEqual([status, code])
})

it('marks automated visitors and creates no touch for them', async () => {
  const event = pageView()
  await collect({ key, events: [event] }, { 'user-agent': 'Googlebot/2.1' })
  await app.service.processor.settled(profileId)
  const rows = await sql<{ is_bot: boolean; touches: number }>`
    select e.is_bot, (select count(*)::int from touches t where t.profile_id = ${profileId} and t.id = e.id) as touches
    from events e where e.profile_id = ${profileId} and e.external_id = ${event.event_id}`.execute(
    app.service.db,
  )
  expect(rows.rows).toEqual([{ is_bot: true, touches: 0 }])
})

it('accepts events only from the sites in the settings', async () => {
  await call(contract.updateTrackingSettings, { body: { allowed_domains: ['shop.example'] } })
  expect(
    (await collect({ key, events: [pageView({ url: 'https://www.shop.example/a' })] })).body.data,
  ).toMatchObject({ accepted: 1 })
  const response = await collect({ key, events: [pageView({ url: 'https://evil.example/' })] })
  expect(response.body.data).toMatchObject({ accepted: 0, rejected: [{ code: 'forbidden' }] })
  await call(contract.updateTrackingSettings, { body: { allowed_domains: [] } })
})

it('pages through the feed without a gap or a repeat', async () => {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await call(contract.listTrackedEvents, {
      query: { limit: '2', ...(cursor === undefined ? {} : { cursor }) },
    })
    ids.push(...page.data.map((row) => row.id))
    cursor = (page.pagination as { cursor: string | null }).cursor ?? undefined
  } while (cursor !== undefined)
  const total = await sql<{
    n: number
  }>`select count(*)::int as n from events where profile_id = ${profileId}`.execute(app.service.db)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(total.rows[0]!.n)
  await expect(call(contract.listTrackedEvents, { query: { cursor: 'nonsense' } })).rejects.toMatchObject({
    status: 400,
  })
})

it('stores the result of a domain’s DNS check', async () => {
  const target = new URL(app.service.config.BASE_URL).hostname
  app.service.dns = {
    cnames: async (domain) => (domain === 'good.shop.example' ? [`${target}.`] : []),
    texts: async () => [],
  }
  const good = (await call(contract.createTrackingDomain, { body: { domain: 'good.shop.example' } })).data
  const bad = (await call(contract.createTrackingDomain, { body: { domain: 'bad.shop.example' } })).data
  expect((await call(contract.verifyTrackingDomain, { params: { id: good.id } })).data.status).toBe(
    'verified',
  )
  const failed = (await call(contract.verifyTrackingDomain, { params: { id: bad.id } })).data
  expect(failed).toMatchObject({ status: 'failed', detail: expect.stringContaining('no CNAME') })
  expect((await call(contract.getTrackingOrigin)).data.origin).toBe('https://good.shop.example')
  const { html } = (await call(contract.getTrackingSnippet)).data
  expect(html).toContain(`data-canonical="${app.service.config.BASE_URL}"`)
  expect((await call(contract.getStorefrontPixelInstaller)).data.code).toContain(key)
  const container = (await call(contract.getTagManagerInstaller)).data
  expect(JSON.stringify(container)).toContain('https://good.shop.example/tracker.js')
  await call(contract.deleteTrackingDomain, { params: { id: good.id } })
  expect((await call(contract.listTrackingDomains)).data.map(({ id }) => id)).toEqual([bad.id])
  expect((await call(contract.getTrackingOrigin)).data.origin).not.toBe('https://good.shop.example')
})

it('completes an install check when the page with its token reports', async () => {
  const started = (await call(contract.startVerification, { body: { url: 'https://shop.example/' } })).data
  const token = new URL(started.check_url).searchParams.get('whence_verify')
  const post = (body: unknown) =>
    fetch(`${app.baseUrl}/api/tracking/verification/beacon`, { method: 'POST', body: JSON.stringify(body) })
  expect((await post({ key, token: 'other', url: 'https://shop.example/' })).status).toBe(404)
  expect((await call(contract.getVerification)).data?.status).toBe('waiting')
  expect((await post({ key, token, url: 'https://shop.example/x' })).status).toBe(202)
  expect((await call(contract.getVerification)).data).toMatchObject({
    status: 'seen',
    seen_url: 'https://shop.example/x',
  })
})

it('refuses a revoked key', async () => {
  const [row] = (await call(contract.listTrackingKeys)).data
  await call(contract.revokeTrackingKey, { params: { id: row!.id } })
  expect((await collect({ key, events: [pageView()] })).status).toBe(401)
})

it('continues a visit only between listed domains, without a referral between them', async () => {
  const person = await makePerson(app)
  const make = async (domains: string[]) => {
    const profile = await makeProfile(person, await makeWorkspace(person))
    const profileCall = app.as(await makeKey(app, profile, ['tracking:read', 'tracking:write']))
    await profileCall(contract.updateTrackingSettings, { body: { allowed_domains: domains } })
    return { profile, key: (await profileCall(contract.issueTrackingKey)).data.key }
  }
  const visitor = `${randomUUID()}.${randomUUID()}.abc`
  const requestVisit = async (key: string, visit: unknown, origin = 'https://www.one.example') => {
    const reply = await fetch(`${app.baseUrl}/api/tracking/visit`, {
      method: 'POST',
      headers: { origin, 'user-agent': 'Browser/1' },
      body: JSON.stringify({ key, visit }),
    })
    const { data, error } = (await reply.json()) as { data?: { visit: string }; error?: { code: string } }
    return data?.visit ?? [reply.status, error?.code]
  }
  const two = await make(['one.example', 'two.example'])
  const continued = await requestVisit(two.key, `${randomUUID()}.${randomUUID()}.abc`)
  const both = await Promise.all([1, 2].map(() => requestVisit(two.key, continued, 'https://two.example')))
  expect(both.filter((answer) => typeof answer === 'string')).toHaveLength(1)
  expect(await requestVisit(two.key, continued)).toEqual([422, 'validation_error'])
  const token = (await requestVisit(two.key, visitor)) as string
  expect(((await requestVisit(two.key, token, 'https://two.example')) as string).slice(0, 73)).toBe(
    visitor.slice(0, 73),
  )
  expect(await requestVisit(two.key, token, 'https://elsewhere.example')).toEqual([403, 'forbidden'])
  for (const wrong of [undefined, 7, '', `${token}x`, 'not.a.visit'])
    expect(await requestVisit(two.key, wrong)).toEqual([422, 'validation_error'])
  const other = await make(['one.example', 'two.example'])
  expect(await requestVisit(other.key, token)).toEqual([422, 'validation_error'])
  for (const domains of [[], ['one.example']])
    expect(await requestVisit((await make(domains)).key, visitor)).toEqual([403, 'forbidden'])

  for (const [anonymous_id, referrer] of [
    ['from one', 'https://www.one.example/cart'],
    ['from afar', 'https://afar.example/'],
  ] as const)
    await collect({
      key: two.key,
      events: [
        pageView({ url: 'https://two.example/', anonymous_id, referrer, utm: {}, click_ids: {}, ad: {} }),
      ],
    })
  await app.service.processor.settled(two.profile)
  const { rows } = await app.pool.query(
    'select channel, referrer_host from touches where profile_id = $1 order by channel',
    [two.profile],
  )
  expect(rows).toEqual([
    { channel: 'direct', referrer_host: null },
    { channel: 'referral', referrer_host: 'afar.example' },
  ])
})

it('an identity signal counts as an event and comes from allowed sites only', async () => {
  const person = await makePerson(app)
  const profile = await makeProfile(person, await makeWorkspace(person))
  const profileCall = app.as(await makeKey(app, profile, ['tracking:read', 'tracking:write']))
  const { data } = await profileCall(contract.issueTrackingKey)
  const signal = async (origin: string | undefined, email: string, stated = {}) => {
    const reply = await fetch(`${app.baseUrl}/api/tracking/identity-signal`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...(origin === undefined ? {} : { origin }) },
      body: JSON.stringify({ key: data.key, anonymous_id: randomUUID(), user_traits: { email }, ...stated }),
    })
    return [reply.status, ((await reply.json()) as { error?: { code: string } }).error?.code]
  }
  expect(await signal('https://anywhere.example', 'a@example.com')).toEqual([202, undefined])
  for (const consent of ['denied', 'pending', { ad_user_data: 'denied' }, null])
    expect(await signal('https://anywhere.example', 'no@example.com', { consent })).toEqual([
      422,
      'validation_error',
    ])
  await profileCall(contract.updateTrackingSettings, { body: { allowed_domains: ['shop.example'] } })
  await expect.poll(() => signal('https://elsewhere.example', 'b@example.com')).toEqual([403, 'forbidden'])
  expect(await signal(undefined, 'c@example.com')).toEqual([403, 'forbidden'])
  expect(await signal('https://www.shop.example', 'd@example.com')).toEqual([202, undefined])
  // A batch larger than the burst passes once, and the limit takes minutes to recover from this one.
  await expect.poll(() => app.service.ingestLimit.spend(profile, 500_000)).toBe(0)
  expect(await signal('https://shop.example', 'e@example.com')).toEqual([429, 'rate_limit_exceeded'])
})

it('counts ad clicks that carry their ad, each visitor once', async () => {
  const person = await makePerson(app)
  const profile = await makeProfile(person, await makeWorkspace(person))
  const profileCall = app.as(await makeKey(app, profile, ['tracking:read', 'tracking:write']))
  const { data } = await profileCall(contract.issueTrackingKey)
  const ad = { campaign_id: 'C1', ad_id: 'A1' }
  const anonymous_id = randomUUID()
  const views = [
    pageView({ anonymous_id }),
    pageView({ anonymous_id, ad }),
    // Tagged, but no click of an ad.
    pageView({ url: 'https://shop.example/', click_ids: {}, ad }),
  ]
  expect((await collect({ key: data.key, events: views })).status).toBe(202)
  await app.service.processor.settled(profile)
  expect((await profileCall(contract.getTrackingQuality)).data).toMatchObject({
    visitors: 2,
    with_click_id: 2,
    with_ad: 1,
  })
})

it('in a new database the script may create time-ordered ids immediately', () => {
  expect(app.service.timedIdsFrom.getTime()).toBeLessThanOrEqual(Date.now())
})
