/** The collector, called with Segment's official Node client. */
import { gzipSync } from 'node:zlib'
import { Analytics } from '@segment/analytics-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeOwnProfile, startTestProfile } from '../../../../test/make.ts'
import { issueTrackingKey, listTrackedEvents, updateTrackingSettings } from '../tracking/contract.ts'
import { toEvent } from './to-event.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write', 'tracking:read', 'tracking:write'])
})
afterAll(() => profile.app.close())

async function send(work: (analytics: Analytics) => void, writeKey = profile.key) {
  const problems: unknown[] = []
  const analytics = new Analytics({ writeKey, host: profile.app.baseUrl, maxRetries: 0 })
  analytics.on('error', (problem) => problems.push(problem))
  work(analytics)
  await analytics.closeAndFlush()
  return problems
}
const stored = async () =>
  (
    await profile.app.pool.query<{ name: string }>(
      'select name from events where profile_id = $1 order by name',
      [profile.profileId],
    )
  ).rows.map((row) => row.name)

it('stores what the client tracks, once per messageId, and a bad message does not affect others', async () => {
  const order = {
    userId: 'customer-7',
    event: 'Order Completed',
    messageId: 'message-1',
    properties: { order_id: 'A-1', revenue: 49.9, currency: 'EUR' },
  }
  const work = (analytics: Analytics) => {
    analytics.identify({ userId: 'customer-7', traits: { email: 'ana@example.com' }, messageId: 'message-0' })
    analytics.page({
      anonymousId: 'visitor-7',
      properties: { url: 'https://shop.example/' },
      messageId: 'message-2',
    })
    analytics.track(order)
    analytics.track({ userId: 'customer-7', event: 'Bad', properties: { value: {} }, messageId: 'message-3' })
    analytics.group({ userId: 'customer-7', groupId: 'team' })
  }
  expect(await send(work)).toEqual([])
  expect(await stored()).toEqual(['identify', 'page_view', 'payment_received'])
  expect(await send(work)).toEqual([])
  expect(await stored()).toEqual(['identify', 'page_view', 'payment_received'])
})

it('an amount with more decimals than its currency is rounded, not lost', async () => {
  const shop = await makeOwnProfile(profile.app, ['events:write', 'tracking:write'])
  const order = (key: string, properties: object) => ({
    userId: 'customer-8',
    event: 'Order Completed',
    messageId: key,
    properties,
  })
  const problems = await send((analytics) => {
    analytics.track(order('third', { revenue: 33.33333, currency: 'EUR' }))
    analytics.track(order('yen', { revenue: '120.5', currency: 'JPY' }))
    analytics.track(order('own', { revenue: 10.005 }))
  }, shop.key)
  const { key } = (await shop.call(issueTrackingKey)).data
  const fromPage = { ...order('page', { revenue: 7.125, currency: 'EUR' }), anonymousId: 'v', writeKey: key }
  const body = JSON.stringify(fromPage)
  await fetch(`${profile.app.baseUrl}/v1/track`, { method: 'POST', body })
  const { rows } = await profile.app.pool.query<{ money: object }>(
    "select body->'money' as money from events where profile_id = $1 order by body->'money'->>'minor'",
    [shop.profileId],
  )
  expect([problems, rows.map((row) => row.money)]).toEqual([
    [],
    [
      { minor: 1000, currency: 'EUR' },
      { minor: 120, currency: 'JPY' },
      { minor: 3333, currency: 'EUR' },
      { minor: 712, currency: 'EUR', reported: '7.125' },
    ],
  ])
})

it('a refused category is a refusal of ads; without one nothing is stated', () => {
  const consentOf = (categoryPreferences: object | undefined, properties = {}) => {
    const context = { consent: { categoryPreferences } }
    const message = { type: 'track', event: 'Signed Up', userId: 'x', context, properties }
    const event = toEvent(message, { now: new Date(), sentAt: undefined })!
    return (event.properties as { consent?: unknown }).consent
  }
  const refusal = { ad_user_data: 'denied', ad_personalization: 'denied' }
  expect(consentOf({ Analytics: true, Advertising: false })).toEqual(refusal)
  expect(consentOf({ Advertising: false }, { consent: { ad_user_data: 'granted' } })).toEqual(refusal)
  expect(consentOf({ Analytics: true, Advertising: true })).toBeUndefined()
  expect(consentOf(undefined)).toBeUndefined()
})

it('a wrong key, or one without the scope, stores nothing', async () => {
  const before = await stored()
  const track = (analytics: Analytics) => analytics.track({ userId: 'x', event: 'Signed Up' })
  expect(await send(track, 'nonsense')).toHaveLength(1)
  const reply = await fetch(`${profile.app.baseUrl}/v1/track`, {
    method: 'POST',
    headers: { authorization: `Bearer ${profile.owner.token}` },
    body: JSON.stringify({ event: 'Signed Up', userId: 'x' }),
  })
  expect(reply.status).toBe(401)
  expect(await stored()).toEqual(before)
})

it('a body that is not a JSON object is a 400, and never a redirect or 500', async () => {
  for (const body of ['', '[]', '{', '{"batch":7}']) {
    const headers = { authorization: `Basic ${Buffer.from(`${profile.key}:`).toString('base64')}` }
    const { status } = await fetch(`${profile.app.baseUrl}/v1/batch`, { method: 'POST', headers, body })
    expect([body, status]).toEqual([body, 400])
  }
})

it('an unreadable message does not affect others', async () => {
  const good = { type: 'track', event: 'Kept', userId: 'x', messageId: 'kept-1' }
  const bad = `{"type":"track","event":"Lost","userId":"x","properties":{"n":12345678901234567890}}`
  const { status } = await fetch(`${profile.app.baseUrl}/v1/batch`, {
    method: 'POST',
    body: `{"writeKey":"${profile.key}","batch":[${bad},${JSON.stringify(good)}]}`,
  })
  expect(status).toBe(200)
  expect(await stored()).toContain('kept')
  expect(await stored()).not.toContain('lost')
})

it('a compressed body is read; an invalid one, or one beyond the limit once decompressed, is refused', async () => {
  const post = async (body: Buffer) => {
    const headers = {
      authorization: `Basic ${Buffer.from(`${profile.key}:`).toString('base64')}`,
      'content-encoding': 'gzip',
    }
    return (await fetch(`${profile.app.baseUrl}/v1/batch`, { method: 'POST', headers, body })).status
  }
  const message = { type: 'track', event: 'Zipped', userId: 'zip', messageId: 'zip-1' }
  expect(await post(gzipSync(JSON.stringify({ batch: [message] })))).toBe(200)
  expect(await stored()).toContain('zipped')
  expect(await post(Buffer.from('{"batch":[]}'))).toBe(400)
  expect(await post(gzipSync(`{"batch":[],"x":"${'x'.repeat(600 * 1024)}"}`))).toBe(413)
})

it('the URL of a page contains its ad, click and campaign', () => {
  const url =
    'https://shop.example/?GCLID=g1&utm_source=search&utm_medium=cpc&adset_id=8&ad_id=7&constructor=x'
  const sent = { now: new Date('2026-05-01T12:00:00Z'), sentAt: undefined }
  const page = { type: 'page', properties: { url }, context: { campaign: { source: 'other' } } }
  expect(toEvent(page, sent)).toMatchObject({
    utm: { source: 'other', medium: 'cpc' },
    click_ids: { gclid: 'g1' },
    ad: { ad_id: '7', ad_set_id: '8' },
  })
  expect(toEvent({ ...page, type: 'track', event: 'Click', context: { page: { url } } }, sent)).toMatchObject(
    {
      click_ids: {},
      ad: {},
    },
  )
})

describe('with the tracking key, from a page', () => {
  const post = (path: string, key: string, body: unknown) =>
    fetch(`${profile.app.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`, 'user-agent': PERSON },
      body: JSON.stringify(body),
    })
  const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0'
  const url = 'https://shop.example/?gclid=g1'
  const context = { page: { url, referrer: 'https://search.example/' }, locale: 'de-DE' }

  it('the tracker’s rules apply to messages, and only a page view creates a touch', async () => {
    const otherProfile = await makeOwnProfile(profile.app, ['tracking:read', 'tracking:write'])
    const { key } = (await otherProfile.call(issueTrackingKey)).data
    const message = { anonymousId: 'visitor-9', context }
    const batch = [
      { ...message, type: 'page', messageId: 'p-1', properties: { url } },
      { ...message, type: 'track', messageId: 't-1', event: 'Order Completed', properties: { revenue: 9.9 } },
      { ...message, type: 'track', messageId: 't-2', event: 'Bad', properties: { revenue: {} } },
      { type: 'track', messageId: 't-3', event: 'Of no visitor' },
    ]
    const answer = await post('b', key, { batch, sentAt: new Date().toISOString() })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect((await post('p', key, batch[0])).status).toBe(200)
    const { data } = await otherProfile.call(listTrackedEvents, { query: { limit: '10' } })
    const trackedEvents = data.map(({ event_name, click_ids, channel }) => ({
      event_name,
      click_ids,
      channel,
    }))
    expect(trackedEvents).toHaveLength(3)
    expect(trackedEvents).toEqual(
      expect.arrayContaining([
        { event_name: 'page_view', click_ids: { gclid: 'g1' }, channel: 'paid_search' },
        { event_name: 'order_placed', click_ids: {}, channel: null },
      ]),
    )
    await otherProfile.call(updateTrackingSettings, { body: { allowed_domains: ['other.example'] } })
    expect((await post('t', key, { ...batch[1], messageId: 't-4' })).status).toBe(200)
    expect((await otherProfile.call(listTrackedEvents, { query: { limit: '10' } })).data).toHaveLength(3)
  })

  const tracked = async (otherProfile: Awaited<ReturnType<typeof makeOwnProfile>>) =>
    (await otherProfile.call(listTrackedEvents, { query: { limit: '20' } })).data.map(
      ({ event_name }) => event_name,
    )

  it('a message with unstorable text or an invalid time does not affect others', async () => {
    const otherProfile = await makeOwnProfile(profile.app, ['tracking:read', 'tracking:write'])
    const { key } = (await otherProfile.call(issueTrackingKey)).data
    const pages = [
      'https://shop.example/?utm_source=%00a&gclid=%00',
      'https://shop.example/?utm_source=%ED%A0%80',
      `https://shop.example/?utm_source=${'x'.repeat(511)}%F0%9F%98%80`,
      `https://shop.example/?x=${'x'.repeat(2023)}😀`,
    ]
    for (const [at, url] of pages.entries()) {
      const message = {
        anonymousId: 'v',
        messageId: `nul-${at}`,
        properties: { url, title: `${'x'.repeat(511)}😀` },
      }
      expect([url, (await post('p', key, message)).status]).toEqual([url, 200])
    }
    const times = [{ toString: null }, ['2026-05-01'], '+275760-09-13T00:00:00Z', '9999-12-31T00:00:00Z', 'x']
    const batch = times.map((timestamp, at) => {
      return { type: 'track', event: `Time ${at}`, anonymousId: 'v', messageId: `time-${at}`, timestamp }
    })
    for (const sentAt of ['-271821-04-20T00:00:00Z', { toString: null }])
      expect((await post('b', key, { batch, sentAt })).status).toBe(200)
    expect((await tracked(otherProfile)).sort()).toEqual([
      ...Array(4).fill('page_view'),
      'time_0',
      'time_1',
      'time_3',
      'time_4',
    ])
    const byServer = { batch, sentAt: '-271821-04-20T00:00:00Z', writeKey: profile.key }
    const body = JSON.stringify(byServer)
    const answer = await fetch(`${profile.app.baseUrl}/v1/batch`, { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(await stored()).toContain('time_0')
  })

  it('nothing is stored of a visitor who refused, or has not consented if the profile requires it', async () => {
    const otherProfile = await makeOwnProfile(profile.app, ['tracking:read', 'tracking:write'])
    const { key } = (await otherProfile.call(issueTrackingKey)).data
    const track = async (event: string, categoryPreferences?: unknown) => {
      const message = {
        anonymousId: 'v',
        event,
        messageId: event,
        context: { consent: { categoryPreferences } },
      }
      expect((await post('t', key, message)).status).toBe(200)
    }
    await track('refused', { Advertising: false, Analytics: true })
    await track('unclear', { Analytics: 'no' })
    await track('agreed', { Advertising: true, Analytics: true })
    await track('unasked')
    for (const consent_mode of ['pending', 'denied'] as const) {
      await otherProfile.call(updateTrackingSettings, { body: { consent_mode } })
      await track(`${consent_mode} unasked`, {})
      await track(`${consent_mode} refused`, { C0002: true, C0004: false })
      await track(`${consent_mode} agreed`, { C0002: true, C0004: true })
    }
    expect((await tracked(otherProfile)).sort()).toEqual([
      'agreed',
      'denied_agreed',
      'pending_agreed',
      'unasked',
    ])
  })

  it('the preflight is answered, and the settings contain the collector’s address', async () => {
    const { key } = (await profile.call(issueTrackingKey)).data
    const preflight = await fetch(`${profile.app.baseUrl}/v1/t`, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Authorization, Content-Type, X-Retry-Count',
    ])
    const settings = await fetch(`${profile.app.baseUrl}/v1/projects/${key}/settings`)
    const apiHost = `${profile.app.baseUrl.replace('http://', '')}/v1`
    expect(await settings.json()).toMatchObject({
      integrations: { 'Segment.io': { apiKey: key, apiHost, protocol: 'http' } },
    })
  })

  it('a server with the tracking key learns that nothing is stored', async () => {
    const { key } = (await profile.call(issueTrackingKey)).data
    const message = { type: 'track', event: 'Signed Up', userId: 'customer-1', messageId: 'by-server' }
    const answer = await post('batch', key, { batch: [message] })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('API key')])
  })

  it('an unknown key, and an API key in the settings, are refused', async () => {
    expect((await post('t', 'trk_live_unknown', { event: 'X', anonymousId: 'v' })).status).toBe(401)
    const settings = await fetch(`${profile.app.baseUrl}/v1/projects/${profile.key}/settings`)
    expect(settings.status).toBe(401)
  })
})

it('an event named like an Object.prototype member keeps its name', () => {
  const sent = { now: new Date('2026-05-01T12:00:00Z'), sentAt: undefined }
  expect(toEvent({ type: 'track', event: 'Constructor' }, sent)?.event_name).toBe('constructor')
})

it('a wrong sender clock is corrected by sentAt', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const timeFor = (sentAt: string) =>
    toEvent({ type: 'track', event: 'Signed Up', timestamp: '2026-05-02T09:00:00Z' }, { now, sentAt })
      ?.timestamp
  expect(timeFor('2026-05-02T10:00:00Z')).toBe('2026-05-01T11:00:00.000Z')
  expect(timeFor('2026-05-01T12:00:30Z')).toBe('2026-05-02T09:00:00.000Z')
})
