import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrowserWindow } from '../../server/test/browser.ts'
import type { SentEvent } from '../src/wire.ts'
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

let browser: Browser
let shared: BrowserWindow
let context: BrowserContext
let page: Page
let collector: Collector
let canonical: Collector
let site: Site

beforeAll(async () => {
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
})
afterAll(() => browser.close())

beforeEach(async () => {
  ;({ context, page } = shared)
  collector = await openCollector()
  canonical = await openCollector()
  site = await openSite(() =>
    snippetWith(
      `data-key="trk_live_test" data-origin="${collector.origin}" data-canonical="${canonical.origin}"`,
    ),
  )
})
afterEach(async () => {
  await shared.leave()
  await Promise.all([site.close(), collector.close(), canonical.close()])
})

const names = (events: { event_name: string }[]) => events.map((event) => event.event_name)
const waiting = () =>
  page.evaluate('Object.keys(localStorage).filter(k => k.startsWith("whence.e.")).length') as Promise<number>
const outboxEmpty = () =>
  page.waitForFunction('!Object.keys(localStorage).some(k => k.startsWith("whence.e."))')

test('events that a broken collector did not store are sent after a reload, with the same id', async () => {
  for (const each of [collector, canonical]) each.answer(() => ({ status: 500 }))
  await page.goto(`${site.origin}/a`)
  await until(() => collector.requests.length && canonical.requests.length, 'the refused tries')
  const tried = collector.events()[0]!
  expect(await waiting()).toBe(1)
  // Only requests of the second page pass, however often the first one retries meanwhile.
  collector.answer(({ body }) => ({ status: body.includes(`${site.origin}/b`) ? 202 : 500 }))
  await page.goto(`${site.origin}/b`)
  await until(() => collector.stored().length === 2, 'the next page')
  await outboxEmpty()
  // And not a late beacon of the first page.
  const last = collector.requests.findLast(({ body }) => body.includes(`${site.origin}/b`))!
  const delivered = JSON.parse(last.body).events as SentEvent[]
  expect(delivered.map((event) => new URL(event.url).pathname)).toEqual(['/a', '/b'])
  expect(delivered[0]).toMatchObject({ event_id: tried.event_id, occurred_at: tried.occurred_at })
  expect(delivered[0]!.sent_at > tried.sent_at).toBe(true)
})

test('events recorded offline are sent once the browser is online', async () => {
  context = await newPerson(browser)
  page = await context.newPage()
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  await context.setOffline(true)
  await page.evaluate('whence("track", "one"); whence("track", "two")')
  await page.waitForFunction('whence.version')
  expect(await waiting()).toBe(2)
  expect(collector.stored()).toHaveLength(1)
  await context.setOffline(false)
  await outboxEmpty()
  expect(names(collector.stored())).toEqual(['page_view', 'one', 'two'])
  expect(canonical.requests).toEqual([])
  await context.close()
})

test('an attempt that started offline does not mark the origin as broken, even if the network is back before it ends', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  await page.evaluate(`
    let online = false
    Object.defineProperty(navigator, 'onLine', { get: () => online })
    const sent = window.fetch
    window.fetch = (...call) => {
      if (online) return sent(...call)
      online = true
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    whence('track', 'one')
  `)
  await outboxEmpty()
  expect(names(collector.stored())).toEqual(['page_view', 'one'])
  expect(canonical.requests).toEqual([])
})

test('leaving the page sends waiting events by beacon, and a later page confirms them', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  // With an endless batch delay and a next page without the tracker, only a beacon can send this event.
  await page.evaluate('window.setTimeout = () => 0')
  await page.evaluate(`whence('track', 'last words'); location.href = '${collector.origin}/elsewhere'`)
  await page.waitForURL('**/elsewhere')
  await until(() => names(collector.stored()).includes('last words'), 'the beacon')
  const sent = collector.events().find((event) => event.event_name === 'last words')!
  await page.goto(`${site.origin}/b`)
  await until(() => collector.ofType('page_view').length === 2, 'the next page')
  await outboxEmpty()
  const again = collector.events().filter((event) => event.event_name === 'last words')
  expect(again).toHaveLength(2)
  expect(again[1]!.event_id).toBe(sent.event_id)
})

test('a tab that becomes hidden sends its events immediately', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  await page.evaluate(`
    window.fetch = () => new Promise(() => {})
    whence('track', 'x')
    Object.defineProperty(document, 'hidden', { get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
  await until(() => names(collector.stored()).includes('x'), 'the beacon')
})

test.for([200, 404, 500])(
  'a first-party origin that answers %i is passed over for the canonical one',
  async (status) => {
    collector.answer(() => ({ status }))
    await page.goto(`${site.origin}/a`)
    await until(() => canonical.stored().length === 1, 'the fail-over')
    await outboxEmpty()
    expect(canonical.events()[0]!.event_id).toBe(collector.events()[0]!.event_id)
    await page.goto(`${site.origin}/b`)
    await until(() => canonical.stored().length === 2, 'the next page')
    expect(collector.requests).toHaveLength(1)
  },
)

test('falls back to the canonical origin while the first-party origin is down', async () => {
  await collector.close()
  await page.goto(`${site.origin}/a`)
  await until(() => canonical.stored().length === 1, 'the fail-over')
})

test.for([429, 503])('%i pauses for Retry-After, across a reload and without fail-over', async (status) => {
  collector.answer(() => ({ status, headers: { 'Retry-After': '3600' } }))
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('Number(localStorage["whence.wait"]) > Date.now() + 3500e3')
  collector.answer(() => ({ status: 202 }))
  await page.goto(`${site.origin}/b`)
  await page.waitForFunction('Object.keys(localStorage).filter(k => k.startsWith("whence.e.")).length === 2')
  expect(collector.requests).toHaveLength(1)
  expect(canonical.requests).toEqual([])
  await page.evaluate('localStorage["whence.wait"] = Date.now()')
  await page.goto(`${site.origin}/c`)
  await outboxEmpty()
  expect(collector.stored().map((event) => new URL(event.url).pathname)).toEqual(['/a', '/b', '/c'])
})

test('waits for a short Retry-After and retries', async () => {
  let attempts = 0
  collector.answer(() =>
    attempts++ === 0 ? { status: 429, headers: { 'Retry-After': '1' } } : { status: 202 },
  )
  await page.goto(`${site.origin}/a`)
  await outboxEmpty()
  expect(collector.requests).toHaveLength(2)
  expect(collector.stored()).toHaveLength(1)
  const [first, second] = collector.events()
  expect(Date.parse(second!.sent_at) - Date.parse(first!.sent_at)).toBeGreaterThanOrEqual(1000)
})

test.for([400, 422])('%i drops the event and the next one is still sent', async (status) => {
  collector.answer(() => ({ status }))
  await page.goto(`${site.origin}/a`)
  await until(() => collector.requests.length === 1, 'the refused page view')
  await outboxEmpty()
  collector.answer(() => ({ status: 202 }))
  await page.evaluate('whence("track", "next")')
  await until(() => collector.requests.length === 2, 'the next event')
  await outboxEmpty()
  expect(names(JSON.parse(collector.requests[1]!.body).events)).toEqual(['next'])
  expect(canonical.requests).toEqual([])
})

test.for([401, 403, 410])('%i drops the event and stops until the next page', async (status) => {
  collector.answer(() => ({ status }))
  await page.goto(`${site.origin}/a`)
  await until(() => collector.requests.length === 1, 'the refused page view')
  await outboxEmpty()
  await page.evaluate('whence("track", "kept")')
  collector.answer(() => ({ status: 202 }))
  await page.goto(`${site.origin}/b`)
  await outboxEmpty()
  expect(collector.requests).toHaveLength(2)
  expect(names(JSON.parse(collector.requests[1]!.body).events)).toEqual(['kept', 'page_view'])
  expect(canonical.requests).toEqual([])
})

test('sends a full outbox in order, in batches of at most 50 events and 60,000 bytes', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  await page.evaluate(
    `for (let n = 0; n < 120; n++) whence('track', 'n' + n, { text: 'é'.repeat(n < 60 ? 0 : 1000) })`,
  )
  await outboxEmpty()
  const batches = collector.requests.slice(1)
  for (const { body } of batches) {
    expect(JSON.parse(body).events.length).toBeLessThanOrEqual(50)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000)
  }
  expect(names(collector.events()).slice(1)).toEqual(Array.from({ length: 120 }, (_, n) => `n${n}`))
})

test('halves a batch that is rejected as too large until it is accepted', async () => {
  collector.answer(({ body }) => ({ status: JSON.parse(body).events.length > 1 ? 413 : 202 }))
  await page.goto(`${site.origin}/a`)
  await page.evaluate(`for (let n = 0; n < 4; n++) whence('track', 'n' + n)`)
  await outboxEmpty()
  const single = collector.requests.filter(({ body }) => JSON.parse(body).events.length === 1)
  expect(names(single.flatMap(({ body }) => JSON.parse(body).events))).toEqual([
    'page_view',
    'n0',
    'n1',
    'n2',
    'n3',
  ])
})

test('consent withdrawn during a request leaves nothing in storage', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  const response = Promise.withResolvers<void>()
  collector.answer(() => response.promise.then(() => ({ status: 503, headers: { 'Retry-After': '60' } })))
  await page.evaluate(`
    const real = fetch
    window.fetch = (...call) => real(...call).finally(() => { window.answered = true })
    whence('track', 'x')
  `)
  await until(() => collector.requests.length === 2, 'the request under way')
  await page.evaluate('whence("consent", "denied")')
  response.resolve()
  await page.waitForFunction('window.answered')
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  expect(await context.cookies()).toEqual([])
})

test('an order whose sum changes while it is being sent is sent again', async () => {
  await page.goto(`${site.origin}/thanks`)
  await until(() => collector.stored().length === 1, 'the landing')
  await outboxEmpty()
  const response = Promise.withResolvers<void>()
  collector.answer(() => response.promise.then(() => ({ status: 202 })))
  const buy = (value: number) =>
    page.evaluate(`whence('purchase', { value: ${value}, currency: 'EUR', order_id: 'o-1' })`)
  await buy(5)
  await until(() => collector.requests.length === 2, 'the request under way')
  await buy(7)
  response.resolve()
  await until(() => collector.requests.length === 3, 'the newer version')
  await outboxEmpty()
  const [first, second] = collector.events().slice(1)
  expect([first!.properties.value, second!.properties.value]).toEqual([5, 7])
  expect(second!.event_id).toBe(first!.event_id)
})

test('blocked storage and cookies lose no event', async () => {
  await using _ = await page.addInitScript(`
    Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed') } })
    Object.defineProperty(document, 'cookie', { get: () => '', set() {} })
  `)
  await page.goto(`${site.origin}/a`)
  await page.evaluate('whence("track", "x")')
  await until(() => collector.stored().length === 2, 'both events')
  const [first, second] = collector.stored()
  expect(second).toMatchObject({ session_id: first!.session_id, session_start: false })
})
