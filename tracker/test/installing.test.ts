import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrowserWindow } from '../../server/test/browser.ts'
import {
  type Collector,
  launchPersonBrowser,
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
let site: Site
let attributes: string

beforeAll(async () => {
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
  ;({ context, page } = shared)
})
afterAll(() => browser.close())

beforeEach(async () => {
  collector = await openCollector()
  attributes = `data-key="trk_live_test" data-origin="${collector.origin}"`
  site = await openSite(() => snippetWith(attributes))
})
afterEach(async () => {
  await shared.leave()
  await Promise.all([site.close(), collector.close()])
})

const at = (host: string) => `http://${host}:${new URL(site.origin).port}`

test('subdomains share the visitor and the session, and count as the same site', async () => {
  await page.goto(`${at('www.shop.test')}/a`, { referer: 'https://search.example/' })
  await until(() => collector.stored().length === 1, 'the landing')
  await page.evaluate(`location.href = '${at('pay.shop.test')}/checkout'`)
  await until(() => collector.stored().length === 2, 'the checkout')
  const [first, second] = collector.stored()
  expect(second).toMatchObject({
    anonymous_id: first!.anonymous_id,
    session_id: first!.session_id,
    session_start: false,
    referrer: '',
  })
  expect((await context.cookies()).map(({ name, domain }) => [name, domain])).toEqual([
    ['whence', '.shop.test'],
  ])
})

test('another site is another visitor', async () => {
  await page.goto(`${at('www.shop.test')}/a`)
  await until(() => collector.stored().length === 1, 'the first site')
  await page.evaluate(`location.href = '${at('www.other.test')}/'`)
  await until(() => collector.stored().length === 2, 'the second site')
  const [first, second] = collector.stored()
  expect(second).toMatchObject({ session_start: true, referrer: `${at('www.shop.test')}/` })
  expect(second!.anonymous_id).not.toBe(first!.anonymous_id)
})

test('without a key nothing is sent until init, which processes queued calls', async () => {
  attributes = ''
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version')
  await page.evaluate('whence("track", "early")')
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  await page.evaluate(`whence('init', { key: 'trk_live_late', origin: '${collector.origin}' })`)
  await until(() => collector.stored().length === 2, 'the page view and the queued call')
  expect(collector.stored().map((event) => event.event_name)).toEqual(['page_view', 'early'])
  expect(JSON.parse(collector.requests[0]!.body).key).toBe('trk_live_late')
})

test('a snippet pasted twice reports once', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the landing')
  await page.addScriptTag({ url: `${site.origin}/tracker.js` })
  await page.evaluate('whence("track", "after")')
  await until(() => collector.stored().length === 2, 'the event after')
  expect(collector.stored().map((event) => event.event_name)).toEqual(['page_view', 'after'])
})

test('with data-forms="marked", only marked forms count, under their own name', async () => {
  attributes += ' data-forms="marked"'
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version')
  await page.evaluate(
    'for (const form of document.forms) form.addEventListener("submit", (e) => e.preventDefault())',
  )
  const submit = async (email: string) => {
    await page.fill('#contact [name=email]', email)
    await page.click('#contact button')
  }
  await submit('unmarked@example.com')
  await page.evaluate('document.querySelector("#contact").setAttribute("data-whence-form", "quote_asked")')
  await submit('marked@example.com')
  await submit('marked@example.com')
  await page.evaluate('document.querySelector("#contact").setAttribute("data-whence-ignore", "")')
  await submit('ignored@example.com')
  await page.evaluate('whence("track", "end")')
  await until(() => collector.ofType('track').length, 'the end')
  const leads = collector.ofType('form_lead').map((event) => [event.event_name, event.user_traits])
  expect(leads).toEqual([['quote_asked', { email: 'marked@example.com' }]])
})

test('errors of a call do not reach the page', async () => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version')
  await page.evaluate(`
    const loop = {}; loop.loop = loop
    whence('track', 'loop', loop)
    whence('track', 'huge', { text: 'x'.repeat(100000) })
    whence('purchase')
    whence()
    whence('track', 'fine')
  `)
  await until(() => collector.ofType('track').length, 'the good call')
  expect(collector.ofType('track').map((event) => event.event_name)).toEqual(['fine'])
  expect(errors).toEqual([])
})

test('sends to a service below a path prefix', async () => {
  attributes = `data-key="trk_live_test" data-origin="${collector.origin}/whence/"`
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the page view')
  expect(collector.requests[0]!.path).toBe('/whence/api/tracking/collect')
})

test('with data-spa="off", only page loads and calls count', async () => {
  attributes += ' data-spa="off"'
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version')
  await page.evaluate('history.pushState(null, "", "/b"); whence("page", { section: "faq" })')
  await until(() => collector.stored().length >= 2, 'the page by hand')
  await page.waitForFunction('!Object.keys(localStorage).some(k => k.startsWith("whence.e."))')
  expect(collector.stored().map((event) => [event.context.navigation, event.properties])).toEqual([
    ['navigate', {}],
    ['manual', { section: 'faq' }],
  ])
})

test('an install check reports its token back', async () => {
  await page.goto(`${site.origin}/a?whence_verify=tok_1`)
  const checks = () =>
    collector.requests.filter((request) => request.path === '/api/tracking/verification/beacon')
  await until(() => checks().length, 'the check')
  expect(JSON.parse(checks()[0]!.body)).toEqual({
    key: 'trk_live_test',
    token: 'tok_1',
    url: `${site.origin}/a?whence_verify=tok_1`,
  })
})

test('the token of a link is sent once, and is removed from the address bar before anything is recorded', async () => {
  await page.goto(`${site.origin}/land?utm_source=mail&whence_link=TOKEN#top`)
  await until(() => collector.stored().length === 1, 'the page view')
  expect(collector.stored()[0]).toMatchObject({
    link_token: 'TOKEN',
    url: `${site.origin}/land?utm_source=mail#top`,
  })
  expect(page.url()).toBe(`${site.origin}/land?utm_source=mail#top`)
  await page.evaluate('whence("track", "later")')
  await until(() => collector.stored().length === 2, 'the event after')
  expect(collector.stored()[1]).not.toHaveProperty('link_token')
})

test('without consent, the token is removed from the address bar and not sent', async () => {
  attributes += ' data-consent="denied"'
  await page.goto(`${site.origin}/land?whence_link=TOKEN`)
  await page.waitForFunction('whence.version && !location.search')
  expect(collector.requests).toEqual([])
})
