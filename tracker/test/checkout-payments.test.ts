// From an ad through the tracker to a checkout, and back with the payment: each connector's sandbox receives a payment with
// exactly what a real browser passed on, and the payment must be credited to the visitor's touch.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import type { Provider } from '../../server/src/connectors/connector.ts'
import { explainConversion } from '../../server/src/features/attribution/crediting/contract.ts'
import { listPayments } from '../../server/src/features/corrections/payments/contract.ts'
import * as tracking from '../../server/src/features/sources/tracking/contract.ts'
import type { Client } from '../../server/src/platform/contract/client.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import type { BrowserWindow } from '../../server/test/browser.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { longIt, shortIt as test } from '../../server/test/length.ts'
import { makeKey } from '../../server/test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../server/test/make-shop.ts'
import { writeTracker } from '../build.ts'
import { launchPersonBrowser, openPersonWindow, openSite, type Site, until } from './site.ts'

let app: TestApp
let browser: Browser
let shared: BrowserWindow
let page: Page
let site: Site
let shop: Shop
let call: Client
let snippet = ''
let html = ''
let posted: { path: string; body: string }[]
let opened: URL[]

beforeAll(async () => {
  await writeTracker()
  app = await startTestApp()
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
  page = shared.page
  await shared.context.route('https://buy.stripe.com/**', (route) => {
    opened.push(new URL(route.request().url()))
    return route.fulfill({ contentType: 'text/html', body: '<title>Pay</title>' })
  })
  site = await openSite(
    () => snippet + html,
    ({ method, path, body }) => {
      if (path === '/cart.js') return { attributes: {} }
      if (method !== 'POST') return undefined
      posted.push({ path, body })
      return {}
    },
  )
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await app?.close()
})

beforeEach(async () => {
  posted = []
  opened = []
  shop = await makeShop(app)
  call = app.as(
    await makeKey(app, shop.profileId, [
      'tracking:read',
      'tracking:write',
      'payments:read',
      'conversions:read',
    ]),
  )
  await call(tracking.issueTrackingKey)
  snippet = (await call(tracking.getTrackingSnippet)).data.html
})
afterEach(() => shared.leave())

/** An anonymous visitor arrives from an ad. */
async function arriveFromAd(content: string): Promise<void> {
  html = content
  await page.goto(`${site.origin}/land?gclid=g1&utm_source=search&ad_id=7&campaign_id=9`)
  await page.waitForFunction('whence.version && document.readyState === "complete"')
  await page.waitForFunction('!Object.keys(localStorage).some(k => k.startsWith("whence.e."))')
}

const sentForm = async (): Promise<string> => {
  await page.click('#checkout button')
  await until(() => posted.length === 1, 'the form at the shop’s own server')
  return new URLSearchParams(posted[0]!.body).get('whence_id')!
}

/** The provider reports the payment a minute later; it is the only one of the provider without an email. */
async function paymentOf(provider: Provider, action: string, args: Record<string, unknown>) {
  await shop.connected(provider)
  await drainJobs(app.service, jobs)
  await moveClock(app, 60)
  const now = app.service.clock.now().getTime()
  await triggerSandbox(app, provider, 'act', { action, args: { amount_minor: 4321, ...args } })
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
  const query = {
    from: new Date(now - 30_000).toISOString(),
    to: new Date(now + 600_000).toISOString(),
    limit: '200',
  }
  const payments = (await call(listPayments, { query })).data.filter(({ value }) => value === 43.21)
  expect(payments).toHaveLength(1)
  const params = { id: payments[0]!.payment_id }
  return (await call(explainConversion, { params, query: { model: 'last_touch' } })).data
}

const credited = {
  attribution_eligible: true,
  models: [
    {
      touches: [expect.objectContaining({ channel: 'paid_other', weight: 1, status: 'credited' })],
    },
  ],
}

test('a payment link: client_reference_id', async () => {
  await arriveFromAd('<a id="pay" href="https://buy.stripe.com/a">Pay</a>')
  await page.click('#pay')
  await until(() => opened.length === 1, 'the payment page')
  const visitor = opened[0]!.searchParams.get('client_reference_id')
  expect(await paymentOf('cardpay', 'new_charge', { anonymous_id: visitor })).toMatchObject(credited)
})

test('a charge keeps the visitor when it is updated later, as every charge is when it settles', async () => {
  await arriveFromAd('<a id="pay" href="https://buy.stripe.com/a">Pay</a>')
  await page.click('#pay')
  await until(() => opened.length === 1, 'the payment page')
  const visitor = opened[0]!.searchParams.get('client_reference_id')
  const { outcome_event_id: id } = await paymentOf('cardpay', 'new_charge', { anonymous_id: visitor })
  await triggerSandbox(app, 'cardpay', 'act', { action: 'update_charge' })
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
  const query = { model: 'last_touch' } as const
  expect((await call(explainConversion, { params: { id }, query })).data).toMatchObject(credited)
})

longIt('a subscription from a pricing table: client_reference_id', async () => {
  await arriveFromAd('<stripe-pricing-table id="table"></stripe-pricing-table>')
  await page.locator('#table[client-reference-id]').waitFor({ state: 'attached' })
  const visitor = await page.getAttribute('#table', 'client-reference-id')
  const args = { anonymous_id: visitor, subscription: true }
  expect(await paymentOf('cardpay', 'new_charge', args)).toMatchObject(credited)
})

const form =
  '<form id="checkout" data-whence-checkout action="/pay" method="post"><button>Pay</button></form>'

longIt('a session created by the shop’s server: metadata of the session', async () => {
  await arriveFromAd(form)
  const metadata = { whence_id: await sentForm() }
  expect(await paymentOf('cardpay', 'new_charge', { metadata })).toMatchObject(credited)
})

test('a store’s cart: cart attributes become order attributes', async () => {
  await arriveFromAd('<script>window.Shopify = { routes: { root: "/" } }</script>')
  await until(() => posted.length === 1, 'the cart')
  const { attributes } = JSON.parse(posted[0]!.body)
  expect(await paymentOf('storefront', 'new_order', { attributes })).toMatchObject(credited)
})

test('a preference created by the shop’s server: metadata of the payment', async () => {
  await arriveFromAd(form)
  const metadata = { whence_id: await sentForm() }
  expect(await paymentOf('regionalpay', 'new_charge', { metadata })).toMatchObject(credited)
})

longIt('an order of the newer checkouts without metadata: external_reference', async () => {
  await arriveFromAd(form)
  const args = { known: false, order_id: `A-17_whence_${await sentForm()}` }
  expect(await paymentOf('regionalpay', 'new_order', args)).toMatchObject(credited)
})
