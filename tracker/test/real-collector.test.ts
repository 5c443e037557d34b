// From the service's snippet through a real browser to the data of the service.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import * as tracking from '../../server/src/features/sources/tracking/contract.ts'
import type { Client } from '../../server/src/platform/contract/client.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import type { BrowserWindow } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../server/test/make.ts'
import { writeTracker } from '../build.ts'
import { launchPersonBrowser, newPerson, openPersonWindow, openSite, type Site } from './site.ts'

let app: TestApp
let browser: Browser
let shared: BrowserWindow
let site: Site
let snippet = ''
let profileId: string
let call: Client
let context: BrowserContext
let page: Page

beforeAll(async () => {
  await writeTracker()
  app = await startTestApp()
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
  site = await openSite(() => snippet)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await app?.close()
})

beforeEach(async () => {
  ;({ context, page } = shared)
  const person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person))
  call = app.as(await makeKey(app, profileId, ['tracking:read', 'tracking:write']))
  await call(tracking.issueTrackingKey)
  snippet = (await call(tracking.getTrackingSnippet)).data.html
})
afterEach(() => shared.leave())

const outboxEmpty = () =>
  page.waitForFunction('!Object.keys(localStorage).some(k => k.startsWith("whence.e."))')
const loaded = () => page.waitForFunction('whence.version')

async function stored() {
  const { data } = await call(tracking.listTrackedEvents, { query: { limit: '200' } })
  return data.toSorted((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
}

test('a visit from an ad to a lead and a sale arrives completely, once, and as one person', async () => {
  await page.goto(`${site.origin}/land?gclid=g1&utm_source=search&ad_id=7&campaign_id=9`, {
    referer: 'https://search.example/q',
  })
  await loaded()
  await outboxEmpty()
  await page.reload()
  await page.fill('#contact [name=email]', 'ada@example.com')
  await page.click('#contact button')
  await page.waitForURL(/\/thanks/)
  await loaded()
  await page.evaluate(`whence('purchase', { value: '19.90', currency: 'EUR', order_id: 'o-1' })`)
  await outboxEmpty()
  const events = await stored()
  expect(events.map((event) => event.event_name)).toEqual([
    'page_view',
    'page_view',
    'lead_created',
    'page_view',
    'order_placed',
  ])
  expect(events[0]).toMatchObject({
    channel: 'paid_search',
    referrer: 'https://search.example/q',
    utm: { source: 'search' },
    click_ids: { gclid: 'g1' },
    is_bot: false,
  })
  expect(events.filter((event) => event.is_bot)).toEqual([])
  expect(new Set(events.map((event) => `${event.anonymous_id} ${event.session_id}`)).size).toBe(1)

  await app.service.processor.settled(profileId)
  const touches = await app.pool.query(
    'select channel, ad_external_id, campaign_external_id, click_id from touches where profile_id = $1',
    [profileId],
  )
  expect(touches.rows).toEqual([
    { channel: 'paid_search', ad_external_id: '7', campaign_external_id: '9', click_id: 'g1' },
  ])
  const conversions = await app.pool.query(
    'select outcome_type, value_minor::int, currency from conversions where profile_id = $1 order by occurred_at',
    [profileId],
  )
  expect(conversions.rows).toEqual([
    { outcome_type: 'lead_created', value_minor: null, currency: null },
    { outcome_type: 'order_placed', value_minor: 1990, currency: 'EUR' },
  ])
})

test('each event is stored once despite beacons, resends and an hour offline', async () => {
  context = await newPerson(browser)
  page = await context.newPage()
  await page.goto(`${site.origin}/a`)
  await loaded()
  await outboxEmpty()
  await context.setOffline(true)
  await page.evaluate(`for (let n = 0; n < 60; n++) whence('track', 'offline_' + n)`)
  await context.setOffline(false)
  await outboxEmpty()
  // This page gets no response, so its events leave by beacon and the next page sends them again.
  await page.evaluate(`window.fetch = () => new Promise(() => {}); whence('track', 'leaving')`)
  await page.goto(`${site.origin}/b`)
  await loaded()
  await outboxEmpty()
  const names = (await stored()).map((event) => event.event_name)
  const offline = Array.from({ length: 60 }, (_, n) => `offline_${n}`)
  expect(names).toEqual(['page_view', ...offline, 'leaving', 'page_view'])
  await context.close()
})

test('an install check opened in a browser is seen', async () => {
  const { check_url } = (await call(tracking.startVerification, { body: { url: `${site.origin}/` } })).data
  await page.goto(check_url)
  await expect
    .poll(async () => (await call(tracking.getVerification)).data?.status, { timeout: 30_000, interval: 50 })
    .toBe('seen')
})

test('the settings of the profile reach the browser: denied consent sends nothing', async () => {
  await call(tracking.updateTrackingSettings, { body: { consent_mode: 'denied' } })
  snippet = (await call(tracking.getTrackingSnippet)).data.html
  await page.goto(`${site.origin}/a?gclid=g1`)
  await loaded()
  await page.evaluate('whence("track", "x")')
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  await page.evaluate('whence("consent", "granted")')
  await outboxEmpty()
  expect((await stored()).map((event) => event.event_name)).toEqual(['page_view'])
})

test('a revoked key is rejected and the browser drops the event', async () => {
  const [key] = (await call(tracking.listTrackingKeys)).data
  await call(tracking.revokeTrackingKey, { params: { id: key!.id } })
  const rejection = page.waitForResponse((response) => response.url().endsWith('/api/tracking/collect'))
  await page.goto(`${site.origin}/a`)
  expect((await rejection).status()).toBe(401)
  await outboxEmpty()
  expect(await stored()).toEqual([])
})

test('a visit continues on another listed domain: one visitor, one session, no referral', async () => {
  await call(tracking.updateTrackingSettings, { body: { allowed_domains: ['one.test', 'two.test'] } })
  snippet = (await call(tracking.getTrackingSnippet)).data.html
  expect(snippet).toContain('data-domains="one.test,two.test"')
  const port = new URL(site.origin).port
  await page.goto(`http://one.test:${port}/land?gclid=g1`, { referer: 'https://search.example/q' })
  await loaded()
  await outboxEmpty()
  const sister = `<a id="sister" href="http://two.test:${port}/sister?x=1">Sister shop</a>`
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(sister)})`)
  const answered = page.waitForResponse('**/api/tracking/visit')
  await page.hover('#sister')
  await answered
  // The token is loaded on hover; an earlier click would go without it.
  await page.waitForFunction(
    `(() => {
    sister.addEventListener('click', (event) => event.preventDefault(), { once: true })
    sister.click()
    return sister.href.includes('whence_visit=')
  })()`,
    undefined,
    { polling: 250 },
  )
  await page.click('#sister')
  await page.waitForURL('**/sister?x=1')
  const views = async () => (await stored()).filter((event) => event.event_name === 'page_view')
  await expect.poll(async () => (await views()).length).toBe(2)
  const events = await stored()
  expect(new Set(events.map((event) => event.anonymous_id)).size).toBe(1)
  expect(new Set(events.map((event) => event.session_id)).size).toBe(1)
  await app.service.processor.settled(profileId)
  const { rows } = await app.pool.query('select channel from touches where profile_id = $1', [profileId])
  expect(rows).toEqual([{ channel: 'paid_search' }])
  const pages = await app.pool.query('select body from events where profile_id = $1', [profileId])
  expect(JSON.stringify(pages.rows.map(({ body }) => body.page))).not.toContain('whence_visit')
})

test.each([
  ['a page of the business', 'http://one.test/', true],
  ['a page of anyone else', 'https://elsewhere.example/', false],
])('a token from %s continues its visit: %s %s', async (_, referer, continues) => {
  await call(tracking.updateTrackingSettings, { body: { allowed_domains: ['one.test', 'two.test'] } })
  snippet = (await call(tracking.getTrackingSnippet)).data.html
  const visitor = '0b5ba9f2-6c5d-4f0e-9a51-2f5b8f8f1c01'
  const reply = await fetch(`${app.baseUrl}/api/tracking/visit`, {
    method: 'POST',
    headers: { origin: 'http://one.test', 'user-agent': await page.evaluate('navigator.userAgent') },
    body: JSON.stringify({ key: /trk_\w+/.exec(snippet)![0], visit: `${visitor}.${visitor}.abc` }),
  })
  const { data } = (await reply.json()) as { data: { visit: string } }
  const port = new URL(site.origin).port
  await page.goto(`http://two.test:${port}/land?whence_visit=${data.visit}`, { referer })
  await expect.poll(async () => (await stored()).length).toBe(1)
  expect((await stored())[0]!.anonymous_id === visitor).toBe(continues)
  expect(page.url()).toBe(`http://two.test:${port}/land`)
})
