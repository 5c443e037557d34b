// Adds the visitor's id to links, forms, payment elements and carts, in a real browser.
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

const PAYMENT_LINK = 'https://buy.stripe.com/test_1?prefilled_email=ada%40example.com'
let browser: Browser
let shared: BrowserWindow
let context: BrowserContext
let page: Page
let collector: Collector
let site: Site
let attributes: string
let html: string
let cart: Record<string, string>
let posted: { path: string; body: string }[]
let opened: URL[]
let visited: string[]

beforeAll(async () => {
  browser = await launchPersonBrowser()
  shared = await openPersonWindow(browser)
})
afterAll(() => browser.close())

beforeEach(async () => {
  attributes = html = ''
  cart = {}
  posted = []
  opened = []
  visited = []
  collector = await openCollector()
  site = await openSite(
    () => `${snippetWith(`data-key="trk_live_test" data-origin="${collector.origin}" ${attributes}`)}${html}`,
    ({ method, path, body }) => {
      if (path.endsWith('/cart.js')) return { token: 't', attributes: cart }
      if (path.startsWith('/late')) visited.push(path)
      if (method !== 'POST') return undefined
      posted.push({ path, body })
      if (path.endsWith('/cart/update.js')) Object.assign(cart, JSON.parse(body).attributes)
      return {}
    },
  )
  ;({ context, page } = shared)
  await context.route(/^https:\/\/(buy\.stripe\.com|pay\.example)\//, (route) => {
    opened.push(new URL(route.request().url()))
    return route.fulfill({ contentType: 'text/html', body: '<title>Pay</title>' })
  })
})
afterEach(async () => {
  await shared.leave()
  await context.unrouteAll()
  await site.close()
  await collector.close()
})

const visitor = async () =>
  (await page.evaluate<string>('document.cookie')).match(/whence=([0-9a-f-]{36})/)?.[1]
const loaded = () => page.waitForFunction('whence.version && document.readyState === "complete"')
async function open(): Promise<string> {
  await page.goto(`${site.origin}/`)
  await loaded()
  await until(() => collector.stored().length, 'the page view')
  return (await visitor())!
}

test('a click adds the visitor’s id to a payment link without changing the rest of the URL', async () => {
  html = `<a id="pay" href="${PAYMENT_LINK}">Pay</a>`
  const id = await open()
  expect(await page.getAttribute('#pay', 'href')).toBe(PAYMENT_LINK)
  await page.click('#pay')
  await page.waitForURL(/buy\.stripe\.com/)
  expect(opened.map(String)).toEqual([`${PAYMENT_LINK}&client_reference_id=${id}`])
})

test('also adds the id to links that a script inserts later or that open in a new tab', async () => {
  const id = await open()
  const address = `${site.origin}/late`
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
    '<a id="late" data-whence-checkout href="${address}#x" target="_blank"><b>Pay</b></a>')`)
  const [tab] = await Promise.all([context.waitForEvent('page'), page.click('#late b')])
  await tab.waitForLoadState()
  await tab.close()
  expect(visited).toEqual([`/late?client_reference_id=${id}`])
  expect(await page.getAttribute('#late', 'href')).toBe(`${address}?client_reference_id=${id}#x`)
})

test('a middle click opens the URL with the visitor’s id', async () => {
  html = '<a id="pay" href="https://buy.stripe.com/a">Pay</a>'
  const id = await open()
  // In place of the tab, because the headless shell's background tabs crash at another site.
  await page.evaluate(`addEventListener('auxclick', (event) => {
    event.preventDefault()
    window.followed = event.target.href
  })`)
  await page.click('#pay', { button: 'middle' })
  expect(await page.evaluate('followed')).toBe(`https://buy.stripe.com/a?client_reference_id=${id}`)
})

test('the context menu of a link has the URL with the visitor’s id', async () => {
  html = '<a id="pay" href="https://buy.stripe.com/a">Pay</a>'
  const id = await open()
  await page.click('#pay', { button: 'right' })
  expect(await page.getAttribute('#pay', 'href')).toBe(`https://buy.stripe.com/a?client_reference_id=${id}`)
})

test('keeps ids that the page itself wrote', async () => {
  html = `<a id="own" href="https://buy.stripe.com/a?client_reference_id=mine">Pay</a>
    <stripe-pricing-table id="table" client-reference-id="mine"></stripe-pricing-table>`
  await open()
  expect(await page.getAttribute('#table', 'client-reference-id')).toBe('mine')
  await page.click('#own')
  await until(() => opened.length === 1, 'the checkout')
  expect(opened[0]!.searchParams.getAll('client_reference_id')).toEqual(['mine'])
})

test('other links are unchanged; marked links get the id under the given name', async () => {
  html = `<a id="other" href="https://pay.example/?a=1">Pay</a>
    <a id="marked" data-whence-checkout href="https://pay.example/m">Pay</a>
    <a id="named" data-whence-checkout="ref" href="https://pay.example/n">Pay</a>`
  const id = await open()
  for (const name of ['other', 'marked', 'named']) {
    await page.click(`#${name}`, { button: 'right' })
  }
  const hrefs = await page.evaluate(
    "['other', 'marked', 'named'].map((id) => document.getElementById(id).href)",
  )
  expect(hrefs).toEqual([
    'https://pay.example/?a=1',
    `https://pay.example/m?client_reference_id=${id}`,
    `https://pay.example/n?ref=${id}`,
  ])
})

test('adds the id to pricing tables and buy buttons, also to those inserted later', async () => {
  html = '<stripe-pricing-table id="table"></stripe-pricing-table>'
  const id = await open()
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
    '<div><stripe-buy-button id="button"></stripe-buy-button></div>')`)
  for (const name of ['table', 'button']) {
    await page.waitForFunction(
      `document.getElementById('${name}').getAttribute('client-reference-id') === '${id}'`,
    )
  }
})

test('adds the id to a marked form however it is submitted, and not to others', async () => {
  html = `<form id="a" data-whence-checkout action="/pay" method="post"><button>Pay</button></form>
    <form id="b" data-whence-checkout="ref" action="/pay" method="post"></form>
    <form id="c" action="/pay" method="post"><input name="x" value="1"></form>`
  const id = await open()
  const sent = await page.evaluate(`(async () => {
    for (const name of ['a', 'b', 'c'])
      await fetch('/pay', { method: 'POST', body: new URLSearchParams(new FormData(document.getElementById(name))) })
  })()`)
  expect(sent).toBeUndefined()
  expect(posted.map(({ body }) => body)).toEqual([`whence_id=${id}`, `ref=${id}`, 'x=1'])
  await page.click('#a button')
  await until(() => posted.length === 4, 'the submitted form')
  expect(posted[3]!.body).toBe(`whence_id=${id}`)
  expect(await page.content()).not.toContain('name="whence_id"')
})

test('updates a store’s cart once, and again after a purchase removed the cart', async () => {
  html = '<script>window.Shopify = { routes: { root: "/de/" } }</script>'
  const id = await open()
  await until(() => posted.length === 1, 'the cart')
  expect(posted[0]).toEqual({
    path: '/de/cart/update.js',
    body: JSON.stringify({ attributes: { _whence_id: id } }),
  })
  await open()
  cart = {}
  await open()
  await until(() => posted.length === 2, 'the new cart')
  expect(cart).toEqual({ _whence_id: id })
})

test('detects a store whose script loads after the tracker', async () => {
  html =
    '<script>addEventListener("DOMContentLoaded", () => { window.Shopify = { routes: { root: "/" } } })</script>'
  const id = await open()
  await until(() => posted.length === 1, 'the cart')
  expect(cart).toEqual({ _whence_id: id })
})

test('passes on no id without consent; withdrawn consent removes the id, a new visitor replaces it', async () => {
  attributes = 'data-consent="pending"'
  html = `<script>window.Shopify = { routes: { root: "/" } }</script>
    <a id="pay" href="https://buy.stripe.com/a">Pay</a><stripe-pricing-table id="table"></stripe-pricing-table>
    <form id="form" data-whence-checkout></form>`
  await page.goto(`${site.origin}/`)
  await loaded()
  const currentIds = async () => {
    await page.click('#pay', { button: 'right' })
    return page.evaluate(`[
      new URL(document.getElementById('pay').href).searchParams.get('client_reference_id'),
      document.getElementById('table').getAttribute('client-reference-id'),
      new FormData(document.getElementById('form')).get('whence_id'),
    ]`)
  }
  await page.evaluate('window.seen = []; whence("visitor", (id) => seen.push(id))')
  expect(await currentIds()).toEqual([null, null, null])
  expect(posted).toEqual([])

  await page.evaluate('whence("consent", "granted")')
  const first = await visitor()
  expect(await currentIds()).toEqual([first, first, first])
  await until(() => cart._whence_id === first, 'the cart')

  await page.evaluate('whence("reset")')
  const second = await visitor()
  expect(second).not.toBe(first)
  expect(await currentIds()).toEqual([second, second, second])
  await until(() => cart._whence_id === second, 'the new visitor')

  await page.evaluate('whence("consent", "denied")')
  expect(await currentIds()).toEqual([null, null, null])
  await until(() => cart._whence_id === '', 'the refusal')
  expect(await page.evaluate('seen')).toEqual([first, second])
})

test('does not pass on an earlier visitor while consent is pending', async () => {
  html = `<a id="pay" href="https://buy.stripe.com/a">Pay</a><stripe-pricing-table id="table"></stripe-pricing-table>
    <form id="form" data-whence-checkout></form>`
  const id = await open()
  attributes = 'data-consent="pending"'
  await page.goto(`${site.origin}/later`)
  await loaded()
  expect(await visitor()).toBe(id)
  await page.click('#pay', { button: 'right' })
  expect(
    await page.evaluate(`[
      document.getElementById('pay').search,
      document.getElementById('table').getAttribute('client-reference-id'),
      new FormData(document.getElementById('form')).get('whence_id'),
    ]`),
  ).toEqual(['', null, null])
})

test('a page with denied consent removes an earlier id from the cart', async () => {
  html = '<script>window.Shopify = { routes: { root: "/" } }</script>'
  const id = await open()
  await until(() => cart._whence_id === id, 'the cart')
  attributes = 'data-consent="denied"'
  await page.goto(`${site.origin}/later`)
  await until(() => cart._whence_id === '', 'the refusal')
  expect(await visitor()).toBeUndefined()
})

test('mode "marked" changes only marked elements, mode "off" none', async () => {
  html = `<script>window.Shopify = { routes: { root: "/" } }</script>
    <a id="known" href="https://buy.stripe.com/a">Pay</a><stripe-pricing-table id="table"></stripe-pricing-table>
    <a id="marked" data-whence-checkout href="https://pay.example/m">Pay</a>`
  const currentIds = async () => {
    for (const name of ['known', 'marked']) await page.click(`#${name}`, { button: 'right' })
    return page.evaluate(`[
      ...['known', 'marked'].map((id) => new URL(document.getElementById(id).href).search),
      document.getElementById('table').getAttribute('client-reference-id'),
    ]`)
  }
  attributes = 'data-checkout="marked"'
  const id = await open()
  expect(await currentIds()).toEqual(['', `?client_reference_id=${id}`, null])
  attributes = 'data-checkout="off"'
  await open()
  expect(await currentIds()).toEqual(['', '', null])
  expect(posted).toEqual([])
})

test('a page can request the visitor before and after the tracker loads', async () => {
  html = '<script>window.seen = []; whence("visitor", (id) => seen.push(id))</script>'
  const id = await open()
  await page.evaluate('whence("visitor", (id) => seen.push(id))')
  expect(await page.evaluate('seen')).toEqual([id, id])
})
