import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BrowserWindow, findBrowser } from '../../server/test/browser.ts'
import {
  type Collector,
  launchPersonBrowser,
  newPerson,
  openCollector,
  openPersonWindow,
  openSite,
  type Site,
  snippetWith,
  until,
} from './site.ts'

const KEY = 'trk_live_test'
const { isBundled } = await findBrowser({ prefersInstalled: true })
let browser: Browser
let shared: BrowserWindow
let context: BrowserContext
let page: Page
let collector: Collector
let site: Site
let attributes = ''

beforeAll(async () => {
  browser = await launchPersonBrowser({ prefersInstalled: true })
  shared = await openPersonWindow(browser)
})
afterAll(() => browser.close())

beforeEach(async () => {
  collector = await openCollector()
  site = await openSite(() =>
    snippetWith(`data-key="${KEY}" data-origin="${collector.origin}" ${attributes}`),
  )
  ;({ context, page } = shared)
  attributes = ''
})
afterEach(async () => {
  await shared.leave()
  await site.close()
  await collector.close()
})

/** The first 48 bits are the time. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8ada-a[0-9a-f]{3}-[0-9a-f]{12}$/
const storedNames = () =>
  page.evaluate('Object.keys(localStorage).filter(k => k.startsWith("whence")).sort()')
/** The tracker's outbox is empty: all events so far were acknowledged. */
const outboxEmpty = () =>
  page.waitForFunction('!Object.keys(localStorage).some(k => k.startsWith("whence.e."))')

test('a page view contains visitor, page and arrival', async () => {
  await page.goto(`${site.origin}/land?utm_source=news&gclid=g1&ad_id=7&adset_id=8`, {
    referer: 'https://search.example/q',
  })
  await until(() => collector.stored().length, 'a page view arrives')
  const [request] = collector.requests
  expect(request).toMatchObject({ path: '/api/tracking/collect', contentType: 'text/plain' })
  expect(Object.keys(JSON.parse(request!.body))).toEqual(['key', 'events'])
  expect(JSON.parse(request!.body).key).toBe(KEY)
  const [event] = collector.events()
  expect(event).toEqual({
    event_id: expect.stringMatching(UUID),
    type: 'page_view',
    event_name: 'page_view',
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    anonymous_id: expect.stringMatching(UUID),
    session_id: expect.stringMatching(UUID),
    session_start: true,
    url: `${site.origin}/land?utm_source=news&gclid=g1&ad_id=7&adset_id=8`,
    referrer: 'https://search.example/q',
    title: 'Shop',
    utm: { source: 'news' },
    click_ids: { gclid: 'g1' },
    ad: { ad_id: '7', ad_set_id: '8' },
    properties: {},
    user_traits: {},
    consent: 'granted',
    screen: { w: expect.any(Number), h: expect.any(Number) },
    language: 'en-US',
    tz: expect.any(String),
    context: {
      navigation: 'navigate',
      tracker: expect.any(String),
      first_touch: expect.objectContaining({ click_ids: { gclid: 'g1' } }),
      latest_touch: expect.objectContaining({ click_ids: { gclid: 'g1' } }),
    },
  })
})

test('later pages belong to the same session, and tags kept in URLs count once', async () => {
  await page.goto(`${site.origin}/land?gclid=g1`, { referer: 'https://search.example/q' })
  await until(() => collector.ofType('page_view').length === 1, 'the landing')
  await page.reload()
  await until(() => collector.ofType('page_view').length === 2, 'the reload')
  await page.click('#inside')
  await until(() => collector.ofType('page_view').length === 3, 'the next page')
  const [landing, reload, next] = collector.ofType('page_view')
  for (const later of [reload!, next!]) {
    expect(later).toMatchObject({ session_start: false, referrer: '', utm: {}, click_ids: {} })
    expect([later.anonymous_id, later.session_id]).toEqual([landing!.anonymous_id, landing!.session_id])
    expect(later.context.latest_touch?.click_ids).toEqual({ gclid: 'g1' })
  }
  expect(reload!.context.navigation).toBe('reload')
})

test('history navigation records page views, replacing the query does not', async () => {
  await page.goto(`${site.origin}/a?gclid=g1`)
  await until(() => collector.stored().length === 1, 'the landing')
  await page.evaluate('history.replaceState(null, "", "/a")')
  await page.evaluate('history.pushState(null, "", "/b?gclid=g1"); document.title = "B"')
  await until(() => collector.stored().length === 2, 'the route')
  await page.evaluate('history.back()')
  await until(() => collector.stored().length === 3, 'the way back')
  const paths = collector.stored().map((event) => [new URL(event.url).pathname, event.context.navigation])
  expect(paths).toEqual([
    ['/a', 'navigate'],
    ['/b', 'spa'],
    ['/a', 'spa'],
  ])
  expect(collector.stored()[1]).toMatchObject({
    title: 'B',
    click_ids: {},
    referrer: '',
    session_start: false,
  })
})

test.skipIf(isBundled)('a page from the back/forward cache is a page view of the same visit', async () => {
  await page.goto(`${site.origin}/a?gclid=g1`)
  await until(() => collector.stored().length === 1, 'the landing')
  await page.evaluate('window.alive = true')
  await page.goto(`${site.origin}/b`)
  await until(() => collector.stored().length === 2, 'the second page')
  await page.evaluate('history.back()').catch(() => {})
  await until(() => collector.stored().length === 3, 'the page that came back')
  expect(collector.stored()[2]).toMatchObject({
    type: 'page_view',
    session_start: false,
    click_ids: {},
    referrer: '',
    context: { navigation: 'bfcache' },
  })
  expect(new URL(collector.stored()[2]!.url).pathname).toBe('/a')
  // The page view may arrive before the driver notices the navigation, which would then interrupt the next one.
  await page.waitForURL(`${site.origin}/a?gclid=g1`, { waitUntil: 'commit' })
  expect(await page.evaluate('window.alive')).toBe(true)
})

test('identify, track and purchase send traits, properties and amounts', async () => {
  await page.goto(`${site.origin}/a?gclid=g1`)
  await page.evaluate(`
    whence('identify', 'u-1', { email: ' a@b.co ', shoe: 9 })
    whence('track', 'quote_presented', { deep: { n: 0.1 + 0.2 } })
    whence('purchase', { value: '19.90', currency: 'eur', order_id: 'o-1', sku: 'x' }, { phone: '+15550100' })
    whence('purchase', { value: 'a lot', currency: 'EUR' })
    whence('track', '')
    whence('identify', {})
    whence('nonsense')
  `)
  await until(() => collector.stored().length === 4, 'the events')
  await outboxEmpty()
  const [, identify, track, purchase] = collector.stored()
  expect(identify).toMatchObject({
    type: 'identify',
    event_name: 'identify',
    user_traits: { email: 'a@b.co', external_id: 'u-1' },
    click_ids: {},
  })
  expect(identify!.user_traits).not.toHaveProperty('shoe')
  expect(track).toMatchObject({
    type: 'track',
    event_name: 'quote_presented',
    properties: { deep: { n: 0.3 } },
  })
  expect(purchase).toMatchObject({
    type: 'purchase',
    event_name: 'order_placed',
    properties: { value: '19.90', currency: 'EUR', order_id: 'o-1', sku: 'x' },
    user_traits: { phone: '+15550100' },
  })
  expect(collector.stored()).toHaveLength(4)
})

test('an order reported again is the same event; with another sum it is a newer version', async () => {
  const buy = (value: number) =>
    page.evaluate(`whence('purchase', { value: ${value}, currency: 'EUR', order_id: 'o-1' })`)
  const purchases = () => collector.events().filter((event) => event.type === 'purchase')
  await page.goto(`${site.origin}/thanks`)
  await buy(5)
  await until(() => purchases().length === 1, 'the purchase')
  await outboxEmpty()
  await page.reload()
  await buy(5)
  await buy(7)
  await until(() => purchases().length === 2, 'the purchase again')
  await outboxEmpty()
  expect(purchases().map((event) => event.properties.value)).toEqual([5, 7])
  expect(new Set(purchases().map((event) => event.event_id)).size).toBe(1)
})

test('a contact form is a lead with only its contact fields; log-in and search forms are not', async () => {
  await page.goto(`${site.origin}/a`)
  for (const form of ['login', 'search']) {
    await page.fill(`#${form} input`, 'ada@example.com')
    await page.click(`#${form} button`)
    await page.waitForURL(/\/(in|find)\?/)
    await page.goto(`${site.origin}/a`)
  }
  await page.fill('#contact [name=email]', 'ada@example.com')
  await page.fill('#contact [name=your-name]', 'Ada Lovelace')
  await page.click('#contact button')
  await page.waitForURL(/\/thanks\?/)
  await until(() => collector.ofType('form_lead').length, 'the lead')
  await outboxEmpty()
  expect(collector.ofType('form_lead')).toHaveLength(1)
  expect(collector.ofType('form_lead')[0]).toMatchObject({
    event_name: 'lead_created',
    user_traits: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    properties: { form_id: 'contact', form_name: 'contact', form_action: '/thanks' },
  })
  const lead = JSON.stringify([
    collector.ofType('form_lead')[0]!.properties,
    collector.ofType('form_lead')[0]!.user_traits,
  ])
  expect(lead).not.toMatch(/private|secret/)
})

test('outbound clicks and clicks to chat apps are different events', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await page.click('#chat')
  await page.click('#outside')
  await until(
    () => collector.ofType('outbound_click').length && collector.ofType('chat_click').length,
    'both clicks',
  )
  expect(collector.ofType('chat_click')[0]!.properties).toEqual({
    href: 'https://wa.me/15550100?text=hi',
    host: 'wa.me',
    app: 'chatapp',
    text: 'chat',
  })
  expect(collector.ofType('outbound_click')[0]!.properties).toEqual({
    href: 'https://partner.example/',
    host: 'partner.example',
    kind: 'link',
    text: 'partner',
  })
})

test('an automated browser sends and stores nothing', async () => {
  const robot = await browser.newContext({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  const driven = await newPerson(browser)
  await driven.addInitScript('Object.defineProperty(navigator, "webdriver", { get: () => true })')
  for (const visitor of [robot, driven]) {
    page = await visitor.newPage()
    await page.goto(`${site.origin}/a`)
    await page.waitForFunction('whence.version')
    await page.evaluate('whence("track", "x")')
    expect(await storedNames()).toEqual([])
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  }
  // A person's visit afterwards proves that the collector was reachable.
  page = shared.page
  await page.goto(`${site.origin}/person`)
  await until(() => collector.stored().length, 'the person')
  expect(collector.stored().map((event) => new URL(event.url).pathname)).toEqual(['/person'])
})

test('reads the ad platforms’ cookies unless the visitor denies ads, and remembers the denial', async () => {
  await page.goto(`${site.origin}/first`)
  await page.evaluate(
    `document.cookie = '_fbp=fb.1.1.2'; document.cookie = '_ttp=t1'; document.cookie = '_fbx=no'`,
  )
  await page.evaluate('whence("track", "allowed")')
  await page.evaluate('whence("consent", "granted", { ads: false }); whence("track", "refused")')
  await page.goto(`${site.origin}/second`)
  await page.evaluate(
    'whence("consent", "granted", { ads: true }); whence("track", "again"); whence("track", "stated", { consent: "own" })',
  )
  await until(() => collector.stored().length === 6, 'six events arrive')
  const storedEvents = collector
    .stored()
    .map(({ event_name, cookies, properties }) => [event_name, cookies ?? null, properties.consent ?? null])
  const refusal = { ad_user_data: 'denied', ad_personalization: 'denied' }
  const both = { fbp: 'fb.1.1.2', ttp: 't1' }
  expect(storedEvents).toEqual([
    ['page_view', null, null],
    ['allowed', both, null],
    ['refused', null, refusal],
    ['page_view', null, refusal],
    // A grant is stated too, because it lifts the refusal.
    ['again', both, { ad_user_data: 'granted', ad_personalization: 'granted' }],
    ['stated', both, 'own'],
  ])
})

test('obeys Global Privacy Control whatever the page grants, and shows the notice of the page', async () => {
  const optedOut = await newPerson(browser)
  await optedOut.addInitScript(
    'Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { value: true })',
  )
  const own = await optedOut.newPage()
  await own.goto(`${site.origin}/first`)
  await own.evaluate(
    `document.cookie = '_fbp=fb.1.1.2'; document.body.innerHTML = '<p hidden data-whence-gpc>Honored</p>'`,
  )
  await own.evaluate('whence("consent", "granted", { ads: true }); whence("track", "asked")')
  await until(() => collector.stored().length === 2, 'both events arrive')
  for (const event of collector.stored()) {
    expect(event.signals).toEqual(['gpc'])
    expect(event.properties.consent).toEqual({ ad_user_data: 'denied', ad_personalization: 'denied' })
    expect(event.cookies).toBeUndefined()
  }
  expect(await own.locator('[data-whence-gpc]').isVisible()).toBe(true)
  await optedOut.close()
})

test('denied consent stores and sends nothing, and deletes what was stored before', async () => {
  await page.goto(`${site.origin}/before`)
  await until(() => collector.stored().length === 1, 'the visit before')
  attributes = 'data-consent="denied"'
  await page.goto(`${site.origin}/denied?gclid=g1`)
  await page.waitForFunction('whence.version')
  await page.evaluate('whence("track", "x"); whence("identify", { email: "a@b.co" })')
  await page.click('#chat')
  expect(await storedNames()).toEqual([])
  expect(await context.cookies()).toEqual([])
  await page.evaluate('whence("consent", "granted")')
  await until(() => collector.stored().length === 2, 'the page once agreed')
  await outboxEmpty()
  expect(collector.stored()).toHaveLength(2)
  expect(collector.stored()[1]).toMatchObject({
    type: 'page_view',
    session_start: true,
    click_ids: { gclid: 'g1' },
  })
  expect(collector.stored()[1]!.anonymous_id).not.toBe(collector.stored()[0]!.anonymous_id)
})

test('a denial queued before the script loads applies to the page view', async () => {
  await using _ = await page.addInitScript(
    'window.whence = function () { (whence.q = whence.q || []).push(arguments) }; whence("consent", "denied")',
  )
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version')
  expect(await storedNames()).toEqual([])
  await page.evaluate('whence("consent", "granted")')
  await until(() => collector.stored().length, 'the page once agreed')
  expect(collector.stored()).toHaveLength(1)
})

test('pending consent keeps events in memory, and a grant is remembered', async () => {
  attributes = 'data-consent="pending"'
  await page.goto(`${site.origin}/a?gclid=g1`)
  await page.waitForFunction('whence.version')
  await page.evaluate('whence("track", "early")')
  expect(await storedNames()).toEqual([])
  expect(await context.cookies()).toEqual([])
  expect(collector.requests).toEqual([])
  await page.evaluate('whence("consent", "granted")')
  await until(() => collector.stored().length === 2, 'what was waiting')
  expect(collector.stored().map((event) => [event.event_name, event.click_ids, event.session_start])).toEqual(
    [
      ['page_view', { gclid: 'g1' }, true],
      ['early', {}, false],
    ],
  )
  await page.goto(`${site.origin}/b`)
  await until(() => collector.stored().length === 3, 'the next page without asking')
})

test('a session ends after the minutes of the snippet, and the visitor stays the same', async () => {
  attributes = 'data-session-minutes="5"'
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  const idle = async (minutes: number) => {
    const [cookie] = await context.cookies()
    const [id, session, lastSeen] = cookie!.value.split('.')
    const value = [id, session, (Number.parseInt(lastSeen!, 36) - minutes * 60_000).toString(36)].join('.')
    await context.addCookies([{ ...cookie!, value }])
  }
  await idle(4)
  await page.evaluate('whence("track", "soon")')
  await until(() => collector.stored().length === 2, 'the event soon after')
  await idle(6)
  await page.evaluate('whence("track", "late")')
  await until(() => collector.stored().length === 3, 'the event long after')
  const [first, soon, late] = collector.stored()
  expect(soon).toMatchObject({ session_id: first!.session_id, session_start: false })
  expect(late).toMatchObject({ anonymous_id: first!.anonymous_id, session_start: true })
  expect(late!.session_id).not.toBe(first!.session_id)
})

test('reset starts a new visitor', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await page.evaluate('whence("reset"); whence("track", "x")')
  await until(() => collector.stored().length === 2, 'the event after')
  const [before, after] = collector.stored()
  expect(after!.anonymous_id).not.toBe(before!.anonymous_id)
  expect(after!.session_start).toBe(true)
})

test('a reused window starts with a new visitor', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the first visitor')
  await page.evaluate(
    'addEventListener("pagehide", () => { localStorage.late = 1; document.cookie = "late=1" })',
  )
  await shared.leave()
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] })
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 2, 'the second visitor')
  const [first, second] = collector.stored()
  expect(second!.anonymous_id).not.toBe(first!.anonymous_id)
  expect(second!.session_start).toBe(true)
})
