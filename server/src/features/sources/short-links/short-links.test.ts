import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { makeOwnProfile, type OwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { moveClock } from '../../../../test/make-shop.ts'
import { readQr } from '../../../../test/read-qr.ts'
import { createTrackingDomain, updateTrackingSettings } from '../tracking/contract.ts'
import { clicksWritten } from './clicks.ts'
import * as contract from './contract.ts'

const scopes = ['tracking:read', 'tracking:write'] as const
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
let own: OwnProfile & { app: TestApp }
let app: TestApp

beforeAll(async () => {
  own = await startTestProfile(scopes, { SANDBOX: 'on' })
  app = own.app
  await allow(own)
})
afterAll(() => app.close())

const allow = ({ call }: OwnProfile, domains = ['shop.example']) =>
  call(updateTrackingSettings, { body: { allowed_domains: domains } })

let made = 0
const make = async (profile: OwnProfile, body: Record<string, unknown> = {}) => {
  const link = { slug: `link-${++made}`, target_url: 'https://shop.example/offer', ...body }
  return (await profile.call(contract.createShortLink, { body: link as never })).data
}

type Opened = { status: number; headers: Record<string, string | string[] | undefined> }
/** `fetch` cannot set Host. */
function open(path: string, { host = 'localhost', agent = BROWSER, method = 'GET' } = {}): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${app.baseUrl}${path}`,
      { method, headers: { host, 'user-agent': agent } },
      (reply) => {
        reply.resume()
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers }))
      },
    )
    sent.on('error', reject).end()
  })
}
const follow = ({ url }: { url: string }, how: { query?: string; agent?: string; method?: string } = {}) => {
  const { pathname, host } = new URL(url)
  return open(`${pathname}${how.query ?? ''}`, { host, ...how })
}

async function counted(profile: OwnProfile, id: string) {
  await clicksWritten(app.service)
  const { data } = await profile.call(contract.listShortLinks, { query: {} })
  const { clicks, bots } = data.find((link) => link.id === id)!
  return { clicks, bots }
}

async function verifyDomain({ call, profileId }: OwnProfile, domain: string) {
  await call(createTrackingDomain, { body: { domain } })
  await app.pool.query(
    `update tracking_domains set status = 'verified', checked_at = now() where profile_id = $1 and domain = $2`,
    [profileId, domain],
  )
}

it('redirects with its parameters, keeps the visitor’s, and counts people and bots apart', async () => {
  const link = await make(own, { utm: { source: 'podcast' }, ad: { campaign_id: 'C1' } })
  expect(link).toMatchObject({ on_own_domain: false, clicks: 0, bots: 0, last_clicked_at: null })
  const opened = await follow(link, { query: '?fbclid=f&utm_source=forged' })
  expect([opened.status, opened.headers.location]).toEqual([
    302,
    `https://shop.example/offer?utm_source=podcast&utm_campaign=${link.slug}&campaign_id=C1&fbclid=f`,
  ])
  expect(opened.headers['cache-control']).toBe('no-store')
  expect(opened.headers['referrer-policy']).toBe('no-referrer-when-downgrade')
  expect(opened.headers['set-cookie']).toBeUndefined()
  await Promise.all(Array.from({ length: 20 }, () => follow(link)))
  for (const agent of ['WhatsApp/2.24', 'Slackbot-LinkExpanding 1.0', 'Googlebot/2.1', ''])
    await follow(link, { agent })
  await follow(link, { method: 'HEAD' })
  expect(await counted(own, link.id)).toEqual({ clicks: 21, bots: 5 })
})

it('answers on the verified domain of its profile, and on no other', async () => {
  const other = await makeOwnProfile(app, scopes)
  await allow(other, ['other.example'])
  await verifyDomain(own, 'go.shop.example')
  await verifyDomain(other, 'go.other.example')
  const link = await make(own, { slug: 'flyer' })
  const theirs = await make(other, { slug: 'flyer', target_url: 'https://other.example/' })
  expect(link).toMatchObject({ url: 'https://go.shop.example/l/flyer', on_own_domain: true })
  const reached = async (host: string, slug = 'flyer') =>
    (await open(`/l/${slug}`, { host })).headers.location
  expect(await reached('go.shop.example:443')).toContain('https://shop.example/offer')
  expect(await reached('go.other.example')).toContain('https://other.example/')
  for (const host of ['localhost', 'evil.example', 'go.shop.example.evil.example'])
    expect((await open('/l/flyer', { host })).status).toBe(404)
  const foreign = { params: { id: theirs.id } }
  for (const refused of [
    () => own.call(contract.updateShortLink, { ...foreign, body: { title: 'x' } }),
    () => own.call(contract.deleteShortLink, foreign),
    () => own.call(contract.getShortLinkCode, { ...foreign, query: {} }),
  ])
    expect(await refusalOf(refused() as never)).toMatchObject({ status: 404, code: 'not_found' })
})

it('ends at once when it is disabled or its domain is taken off, and rests for 90 days after its end', async () => {
  const link = await make(own)
  const params = { id: link.id }
  const opens = async () => (await follow(link)).status
  expect(await opens()).toBe(302)
  await own.call(contract.updateShortLink, { params, body: { enabled: false } })
  await expect.poll(opens).toBe(404)
  await own.call(contract.updateShortLink, { params, body: { enabled: true } })
  await expect.poll(opens).toBe(302)
  await allow(own, ['elsewhere.example'])
  await expect.poll(opens).toBe(404)
  await allow(own)
  await expect.poll(opens).toBe(302)
  await own.call(contract.deleteShortLink, { params })
  await expect.poll(opens).toBe(404)
  const again = () => make(own, { slug: link.slug })
  expect(await refusalOf(again())).toMatchObject({ status: 409, code: 'invalid_state' })
  await moveClock(app, 91 * 86_400)
  expect((await again()).slug).toBe(link.slug)
})

it('keeps the earlier targets', async () => {
  const link = await make(own)
  const change = { params: { id: link.id }, body: { target_url: 'https://shop.example/autumn' } }
  expect((await own.call(contract.updateShortLink, change)).data.target_url).toBe(
    'https://shop.example/autumn',
  )
  const { rows } = await app.pool.query(
    'select target from short_link_versions where link_id = $1 order by version',
    [link.id],
  )
  expect(rows.map(({ target }) => JSON.parse(target).url)).toEqual([
    'https://shop.example/offer',
    'https://shop.example/autumn',
  ])
})

it('a link to a chat carries a new code each time, stored as its hash only', async () => {
  const chat = { app: 'chatapp', account: '34600111222', text: 'Hello' }
  const link = await make(own, { target_url: undefined, chat })
  const opened = await Promise.all([follow(link), follow(link)])
  const texts = opened.map(({ headers }) => new URL(headers.location as string).searchParams.get('text')!)
  const codes = texts.map((text) => /^Hello \(ref (W\w{7})\)$/.exec(text)![1]!)
  expect(new Set(codes).size).toBe(2)
  await clicksWritten(app.service)
  const { rows } = await app.pool.query(
    'select visitor_identifier_id, code_hash from chat_codes where short_link_id = $1',
    [link.id],
  )
  expect(rows).toHaveLength(2)
  for (const row of rows) {
    expect(row.visitor_identifier_id).toBeNull()
    expect(codes).not.toContain(row.code_hash.toString())
  }
})

it('more than its share of visits in a second get a page that says when to try again', async () => {
  const link = await make(own)
  const statuses = await Promise.all(Array.from({ length: 250 }, () => follow(link)))
  const refused = statuses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(250)
  expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await counted(own, link.id)).clicks).toBe(250 - refused.length)
})

it('its QR code is its address', async () => {
  const link = await make(own)
  const reply = await fetch(`${app.baseUrl}/api/v1/short-links/${link.id}/qr.svg?size=300&ecc=H`, {
    headers: { authorization: `Bearer ${own.key}` },
  })
  expect(reply.headers.get('content-type')).toBe('image/svg+xml')
  expect(await readQr(await reply.text())).toBe(link.url)
})

it.each([
  [{ target_url: 'https://evil.example/' }],
  [{ target_url: undefined }],
  [{ chat: { app: 'chatapp', account: '34600111222' } }],
  [{ target_url: undefined, chat: { app: 'chatapp', account: '+34 600' } }],
  [{ target_url: undefined, chat: { app: 'telegram', account: 'x' } }],
  [{ slug: 'api' }],
  [{ slug: 'Two Words' }],
  [{ slug: '-x' }],
  [{ slug: 'x'.repeat(41) }],
  [{ utm: { source: '' } }],
  [{ utm: { colour: 'red' } }],
  [{ ad: { ad_id: 'a b' } }],
  [{ ad: { ad_id: '../' } }],
])('a link with %j is refused and nothing is stored', async (body) => {
  const before = await app.pool.query('select count(*) from short_links')
  expect(await refusalOf(make(own, body))).toMatchObject({ status: 422, code: 'validation_error' })
  expect((await app.pool.query('select count(*) from short_links')).rows).toEqual(before.rows)
})
