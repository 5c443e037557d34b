// The tracker next to banners: published packages where there are any, else the documented interface.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrowserWindow } from '../../server/test/browser.ts'
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
let site: Site
let attributes: string
/** Scripts of the page that run before the tracker. */
let before: string
let scripts: Record<'consentMode' | 'tcf' | 'shopify' | 'wp', string>

beforeAll(async () => {
  scripts = {
    consentMode: await cookieConsent(),
    tcf: await tcfBanner(),
    shopify: SHOPIFY,
    wp: WP,
  }
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
  ;({ context, page } = shared)
})
afterAll(() => browser.close())

beforeEach(async () => {
  collector = await openCollector()
  attributes = 'data-signals="auto"'
  before = ''
  site = await openSite(
    () =>
      `<script>${before}</script>${snippetWith(`data-key="trk_live_test" data-origin="${collector.origin}" ${attributes}`)}`,
  )
})
afterEach(async () => {
  await shared.leave()
  await Promise.all([site.close(), collector.close()])
})

/** vanilla-cookieconsent, connected to consent mode as its guide shows. */
async function cookieConsent(): Promise<string> {
  const library = await readFile(
    createRequire(import.meta.url).resolve('vanilla-cookieconsent/dist/cookieconsent.umd.js'),
    'utf8',
  )
  return `${library}
window.dataLayer = window.dataLayer || []
window.gtag = function () { dataLayer.push(arguments) }
gtag('consent', 'default', { ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied', analytics_storage: 'denied', wait_for_update: 500 })
const state = (category) => CookieConsent.acceptedCategory(category) ? 'granted' : 'denied'
const update = () => gtag('consent', 'update', { analytics_storage: state('analytics'), ad_storage: state('ads'), ad_user_data: state('ads'), ad_personalization: state('ads') })
const run = () => CookieConsent.run({
  categories: { necessary: { readOnly: true, enabled: true }, analytics: {}, ads: {} },
  language: { default: 'en', translations: { en: { consentModal: { title: 'Cookies' }, preferencesModal: { sections: [] } } } },
  onFirstConsent: update, onConsent: update, onChange: update,
})
if (document.body) run()
else document.addEventListener('DOMContentLoaded', run)
window.choose = (statistics, ads) => CookieConsent.acceptCategory([...(statistics ? ['analytics'] : []), ...(ads ? ['ads'] : [])])`
}

/** The reference implementation of the framework's interface. */
async function tcfBanner(): Promise<string> {
  const list = {
    gvlSpecificationVersion: 3,
    vendorListVersion: 1,
    tcfPolicyVersion: 5,
    lastUpdated: '2026-02-26T00:00:00Z',
    purposes: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n + 1, { id: n + 1 }])),
    specialPurposes: {},
    features: {},
    specialFeatures: {},
    stacks: {},
    vendors: {},
    dataCategories: {},
  }
  const source = `
    import { CmpApi } from '@iabtechlabtcf/cmpapi'
    import { GVL, TCModel, TCString } from '@iabtechlabtcf/core'
    const api = new CmpApi(10, 1, true)
    const encode = (purposes) => {
      const model = new TCModel(new GVL(${JSON.stringify(list)}))
      model.cmpId = 10
      model.cmpVersion = 1
      model.purposeConsents.set(purposes)
      return TCString.encode(model)
    }
    api.update('', true)
    window.tcf = { api, encode }
    window.choose = (statistics, ads) => api.update(encode([1, ...(statistics ? [8] : []), ...(ads ? [3, 4, 7] : [])]))`
  const result = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    write: false,
  })
  return result.outputFiles[0]!.text
}

/** As documented by the platform; not published as a package. */
const SHOPIFY = `
window.Shopify = { loadFeatures(features, done) { setTimeout(() => {
  const stated = { marketing: '', analytics: '', preferences: '', sale_of_data: '', gpc: '' }
  Shopify.customerPrivacy = {
    currentVisitorConsent: () => stated,
    analyticsProcessingAllowed: () => stated.analytics === 'yes',
    marketingAllowed: () => stated.marketing === 'yes',
    saleOfDataAllowed: () => stated.sale_of_data === 'yes',
    setTrackingConsent(choice) { Object.assign(stated, choice); document.dispatchEvent(new CustomEvent('visitorConsentCollected')) },
  }
  document.dispatchEvent(new CustomEvent('shopifyCustomerPrivacyApiLoaded'))
  done()
}) } }
window.choose = (statistics, ads) => {
  const yes = (is) => is ? 'yes' : 'no'
  if (Shopify.customerPrivacy) Shopify.customerPrivacy.setTrackingConsent({ analytics: yes(statistics), marketing: yes(ads), sale_of_data: yes(ads) })
  else document.addEventListener('shopifyCustomerPrivacyApiLoaded', () => choose(statistics, ads))
}`

/** The plugin's documented functions and cookies; not published as a package. */
const WP = `
window.wp_consent_type = 'optin'
window.wp_has_consent = (category) => document.cookie.includes('wp_consent_' + category + '=allow')
window.choose = (statistics, ads) => {
  for (const [category, is] of [['statistics', statistics], ['marketing', ads]]) {
    document.cookie = 'wp_consent_' + category + '=' + (is ? 'allow' : 'deny') + ';path=/'
    document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change', { detail: { [category]: is ? 'allow' : 'deny' } }))
  }
}`

const loaded = () =>
  page.waitForFunction(
    `whence.version && (whence('signals', (s) => { window.reported = s }), window.reported)`,
  )
const stateIs = (statistics: string, userData: string, personalization = userData) =>
  page.waitForFunction(
    `window.reported && JSON.stringify([reported.statistics, reported.ad_user_data, reported.ad_personalization]) === '${JSON.stringify([statistics, userData, personalization])}'`,
  )
const sent = () =>
  collector.stored().map((event) => [event.event_name, event.properties.consent ?? null, event.signals ?? []])
const granted = { ad_user_data: 'granted', ad_personalization: 'granted' }
const denied = { ad_user_data: 'denied', ad_personalization: 'denied' }

/** Opens a page with the banner before or after the tracker. */
async function open(name: keyof typeof scripts, order: 'banner first' | 'tracker first'): Promise<void> {
  if (order === 'banner first') before = scripts[name]
  else attributes += ' data-consent="pending"'
  await page.goto(`${site.origin}/landing?gclid=g1`)
  await loaded()
  if (order === 'tracker first') await page.addScriptTag({ content: scripts[name] })
}

const banners = ['consentMode', 'tcf', 'shopify', 'wp'] as const
const sources = { consentMode: 'consent_mode', tcf: 'tcf', shopify: 'shopify', wp: 'wp' }
const orders = ['banner first', 'tracker first'] as const

test.each(banners.flatMap((name) => orders.map((order) => [name, order] as const)))(
  '%s, %s: nothing leaves before the choice; then what was chosen; a change of mind in both directions',
  async (name, order) => {
    await open(name, order)
    await stateIs('pending', 'pending')
    expect(await page.evaluate('Object.keys(localStorage).filter(k => k.startsWith("whence"))')).toEqual([])
    expect(collector.requests).toEqual([])

    await page.evaluate('choose(true, false)')
    await stateIs('granted', 'denied')
    await page.evaluate('whence("track", "statistics")')
    await until(() => collector.stored().length === 2, 'the page view and the event')
    const source = sources[name]
    expect(sent()).toEqual([
      ['page_view', denied, [source, 'held']],
      ['statistics', denied, [source]],
    ])

    await page.evaluate('choose(true, true)')
    await stateIs('granted', 'granted')
    await page.evaluate('whence("track", "everything")')
    await until(() => collector.stored().length === 3, 'the event with ads')
    expect(sent().at(-1)).toEqual(['everything', granted, [source]])

    await page.evaluate('choose(false, false)')
    await stateIs('denied', 'denied')
    await page.evaluate('whence("track", "refused")')
    expect(await page.evaluate('Object.keys(localStorage).filter(k => k.startsWith("whence"))')).toEqual([])

    await page.evaluate('choose(true, true)')
    await stateIs('granted', 'granted')
    await until(() => collector.stored().length === 4, 'the page after the second grant')
    expect(collector.stored().map((event) => event.event_name)).not.toContain('refused')
  },
)

test('a remembered grant applies while the banner of the next page is loading', async () => {
  await open('tcf', 'banner first')
  await page.evaluate('choose(true, false)')
  await until(() => collector.stored().length === 1, 'the first page')
  await page.goto(`${site.origin}/second`)
  await until(() => collector.stored().length === 2, 'the second page, whose banner shows again')
  expect(collector.stored()[1]!.properties.consent).toEqual(denied)
})

test('TCF: where the law does not apply, the banner has no effect', async () => {
  before = `${scripts.tcf};tcf.api.update(null)`
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the page view')
  expect(sent()).toEqual([['page_view', null, ['attribute']]])
})

test('contradictory banners: the most restrictive value of each purpose, and the event says so', async () => {
  before = `${scripts.tcf};window.first = choose;${scripts.consentMode};`
  await page.goto(`${site.origin}/a`)
  await loaded()
  await page.evaluate('first(true, true); choose(true, false)')
  await stateIs('granted', 'denied')
  await page.evaluate('whence("track", "both")')
  await until(() => collector.ofType('track').length === 1, 'the event')
  expect(sent().at(-1)).toEqual(['both', denied, ['tcf', 'consent_mode', 'conflict']])
  await page.evaluate('first(false, true)')
  await stateIs('denied', 'denied')
})

test('the page’s own call precedes banners from then on', async () => {
  await open('tcf', 'banner first')
  await page.evaluate('choose(true, true)')
  await stateIs('granted', 'granted')
  await page.evaluate('whence("consent", "granted", { ads: false })')
  await stateIs('granted', 'denied')
  await page.evaluate('choose(true, true); whence("track", "after")')
  await until(() => collector.ofType('track').length === 1, 'the event')
  expect(sent().at(-1)).toEqual(['after', denied, ['page']])
})

test('a banner that never answers: nothing is sent, stored or guessed', async () => {
  before = 'window.__tcfapi = () => {}'
  await page.goto(`${site.origin}/a`)
  await loaded()
  await page.evaluate('whence("track", "x")')
  expect(await page.evaluate('[reported.statistics, Object.keys(localStorage)]')).toEqual(['pending', []])
  // A later grant by the page proves that the events were kept.
  await page.evaluate('whence("consent", "granted")')
  await until(() => collector.stored().length === 2, 'both events')
})

test.each([
  ['frozen', 'window.dataLayer = Object.freeze([])', []],
  ['no array', 'window.dataLayer = { push: 1 }', []],
  ['a proxy that throws', 'window.dataLayer = new Proxy([], { get() { throw new Error("no") } })', []],
  [
    'a getter that throws',
    'Object.defineProperty(window, "dataLayer", { get() { throw new Error("no") } })',
    [],
  ],
  [
    'with foreign entries',
    'window.dataLayer = [null, 1, "consent", { get 0() { throw new Error("no") } }, Object.freeze(["consent"])]',
    [],
  ],
  [
    'frozen with a refusal',
    'window.dataLayer = Object.freeze([["consent", "default", { ad_user_data: "granted" }], ["consent", "update", { ad_user_data: "denied" }]])',
    ['consent_mode'],
  ],
  [
    'whose push is foreign',
    'window.dataLayer = []; Object.defineProperty(dataLayer, "push", { value: 1 })',
    [],
  ],
])('dataLayer %s: nothing breaks, and the visit counts', async (_, script, found) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  before = script
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the page view')
  expect(collector.stored()[0]!.signals).toEqual(found.length ? found : ['attribute'])
  expect(errors).toEqual([])
})

test('survives a later wrap of push, and a dataLayer that the page replaces', async () => {
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the page view')
  await loaded()
  await page.evaluate(`
    window.dataLayer = []
    const inner = dataLayer.push
    window.calls = []
    dataLayer.push = (...entries) => { calls.push(entries.length); return inner.apply(dataLayer, entries) }
    window.gtag = function () { return dataLayer.push(arguments) }
    gtag('consent', 'update', { analytics_storage: 'granted', ad_user_data: 'denied' })`)
  await stateIs('granted', 'denied', 'unspecified')
  expect(await page.evaluate('[gtag("event", "x"), calls.length]')).toEqual([2, 2])
  await page.evaluate('dataLayer = [["consent", "update", { ad_user_data: "granted" }]]')
  await stateIs('granted', 'granted', 'unspecified')
})

test('without the attribute banners are not read, and the events say that there is one', async () => {
  attributes = ''
  before = scripts.tcf
  await page.goto(`${site.origin}/a`)
  await until(() => collector.stored().length === 1, 'the page view')
  expect(sent()).toEqual([['page_view', null, ['unread']]])
})

test('if the second script cannot be loaded, only a remembered choice applies', async () => {
  collector.withoutSecondScript()
  await page.goto(`${site.origin}/a`)
  await page.waitForFunction('whence.version && document.querySelector("script[src*=tracker-consent]")')
  await page.evaluate('whence("consent", "granted"); whence("track", "x")')
  await until(() => collector.stored().length === 2, 'the page’s own grant')
  await page.goto(`${site.origin}/b`)
  await until(() => collector.stored().length === 3, 'the next page')
})

test('a withdrawal in one tab applies in the other', async () => {
  await open('consentMode', 'banner first')
  await page.evaluate('choose(true, true)')
  await until(() => collector.stored().length === 1, 'the page view')
  const other = await context.newPage()
  await other.goto(`${site.origin}/other`)
  await until(() => collector.stored().length === 2, 'the other tab')
  await other.evaluate('whence("consent", "denied")')
  await stateIs('denied', 'unspecified')
  await page.evaluate('whence("track", "after")')
  expect(await page.evaluate('Object.keys(localStorage).filter(k => k.startsWith("whence"))')).toEqual([])
  await page.evaluate('choose(true, false)')
  await stateIs('granted', 'denied')
  await other.close()
})

test('Global Privacy Control holds against a banner; a later grant lifts it only where the profile allows', async () => {
  const optedOut = await newPerson(browser)
  await optedOut.addInitScript(
    'Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { value: true })',
  )
  page = await optedOut.newPage()
  before = scripts.tcf
  await page.goto(`${site.origin}/a`)
  await loaded()
  await page.evaluate('choose(true, true)')
  await until(() => collector.stored().length === 1, 'the page view')
  expect(sent()).toEqual([['page_view', denied, ['gpc']]])
  expect(await page.evaluate('reported')).toMatchObject({ gpc: true, statistics: 'granted', source: 'gpc' })

  attributes += ' data-gpc="explicit_choice_wins"'
  await page.goto(`${site.origin}/b`)
  await loaded()
  // The grant of the page before, made without this setting, was not kept.
  await until(() => collector.stored().length === 2, 'the second page')
  expect(sent().at(-1)).toEqual(['page_view', denied, ['gpc']])
  await page.evaluate('choose(true, true); whence("track", "lifted")')
  await until(() => collector.stored().length === 3, 'the event')
  expect(sent().at(-1)).toEqual(['lifted', granted, ['tcf', 'gpc_lifted']])
  await page.evaluate('choose(true, false); whence("track", "again")')
  await until(() => collector.stored().length === 4, 'the last event')
  expect(sent().at(-1)).toEqual(['again', denied, ['gpc']])
  page = shared.page
  await optedOut.close()
})

const excludedCounts = () =>
  collector.requests
    .filter(({ path }) => path === '/api/tracking/excluded')
    .map(({ body }) => (JSON.parse(body) as { reason: string }).reason)

test('excluded paths are counted without a visitor, and nothing of them is recorded', async () => {
  attributes = 'data-exclude="/admin*, /preview/*"'
  await page.goto(`${site.origin}/admin/orders?gclid=g1`)
  await until(() => excludedCounts().length === 1, 'the count')
  await page.evaluate('whence("track", "x"); whence("identify", { email: "a@b.co" })')
  expect(await context.cookies()).toEqual([])
  await page.goto(`${site.origin}/shop`)
  await until(() => collector.stored().length === 1, 'the page that counts')
  expect(new URL(collector.stored()[0]!.url).pathname).toBe('/shop')
  expect(excludedCounts()).toEqual(['path'])
  const counted = collector.requests.find(({ path }) => path === '/api/tracking/excluded')!
  expect(JSON.parse(counted.body)).toEqual({ key: 'trk_live_test', reason: 'path' })
})

test('a link of the console marks this browser as the owner’s until another removes the mark', async () => {
  attributes = ''
  const answers: Record<string, boolean> = { ON: true, OFF: false }
  collector.answer(({ path, body }) => {
    if (!path.endsWith('/own-browser')) return { status: 202 }
    const { token } = JSON.parse(body) as { token: string }
    return token in answers ? { status: 202, json: { data: { is_own: answers[token] } } } : { status: 422 }
  })
  await page.goto(`${site.origin}/a?whence_own=ON&x=1`)
  await until(() => excludedCounts().length === 1, 'the first excluded page')
  expect(page.url()).toBe(`${site.origin}/a?x=1`)
  expect(await page.locator('[role=status]').textContent()).toContain('no longer counted')
  // A refusal of consent erases what is known of visitors, not this mark.
  await page.evaluate('whence("consent", "denied"); whence("consent", "granted")')
  await page.goto(`${site.origin}/b`)
  await until(() => excludedCounts().length >= 2, 'the next page')
  await page.goto(`${site.origin}/c?whence_own=WRONG`)
  await until(() => page.url() === `${site.origin}/c`, 'the address bar')
  expect(collector.stored()).toEqual([])
  await page.goto(`${site.origin}/d?whence_own=OFF`)
  await until(() => collector.stored().length === 1, 'the page that counts again')
  expect(excludedCounts()).toContain('own')
})
