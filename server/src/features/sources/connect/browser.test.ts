/** The page and the whole flow in a real browser, on a phone, without JavaScript. */
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type BrowserWindow, launchBrowser, openWindow } from '../../../../test/browser.ts'
import { makeGovernedShop, makeShop, storedFor } from '../../../../test/make-shop.ts'

const phone = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let browser: Browser
let phoneWindow: BrowserWindow
let partnerSite: Server
let partnerOrigin: string
beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  browser = await launchBrowser()
  phoneWindow = await openWindow(browser, { ...phone, javaScriptEnabled: false, away: '/favicon.svg' })
  partnerSite = createServer((request, response) => {
    if (request.url === '/logo.png') response.setHeader('content-type', 'image/png').end(pixel)
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<title>Partner</title><h1>Back at the partner</h1>')
  })
  await new Promise<void>((resolve) => partnerSite.listen(0, '127.0.0.1', resolve))
  partnerOrigin = `http://127.0.0.1:${(partnerSite.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser?.close()
  partnerSite?.close()
  await app?.close()
})

async function onPhone(work: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  try {
    await work(phoneWindow.page, phoneWindow.context)
  } finally {
    await phoneWindow.leave()
  }
}

describe('in a browser', () => {
  it('a person goes from the page to the provider and back to the app', async () => {
    const { shop } = await makeGovernedShop(app, {
      redirectUris: [`${partnerOrigin}/callback`],
      logoUrl: `${partnerOrigin}/logo.png`,
    })
    const handoff = await shop.mint({ return_url: `${partnerOrigin}/done` })
    await onPhone(async (page) => {
      const requestedUrls: string[] = []
      page.on('request', (request) => requestedUrls.push(request.url()))
      await page.goto(handoff.url)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Connect Stripe for Hazel & Pine <Studio>',
      )
      expect(await page.locator('header').textContent()).toBe('Partner')
      expect(await page.content()).not.toContain('Whence')
      // The logo is shown, and all requests went to the service.
      await page.locator('header img').waitFor()
      await expect.poll(() => requestedUrls).toContain(`${handoff.url}/logo`)
      expect(requestedUrls.filter((url) => !url.startsWith(app.baseUrl))).toEqual([])
      await page.getByRole('link', { name: 'Continue to Stripe' }).tap()
      await page.locator('[data-choice="approve-one"]').tap()
      await page.getByRole('heading', { name: 'Back at the partner' }).waitFor()
      const landed = new URL(page.url())
      expect(landed.searchParams.get('status')).toBe('success')
      expect(landed.searchParams.get('handoff_id')).toBe(handoff.id)
    })
    expect((await shop.poll(handoff.id)).status).toBe('completed')
    expect((await storedFor(app, shop.profileId)).connections).toHaveLength(1)
  })

  it('a person without an app sees the outcome, also after a reload', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    await onPhone(async (page) => {
      await page.goto(handoff.start_url)
      await page.locator('[data-choice="approve-one"]').tap()
      for (let visit = 0; visit < 2; visit++) {
        await page.getByRole('heading', { level: 1, name: 'Stripe is connected', exact: true }).waitFor()
        expect(await page.locator('header').textContent()).toBe('Whence')
        await page.reload()
      }
    })
  })

  it('a failure page explains what to do', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    await onPhone(async (page) => {
      await page.goto(handoff.start_url)
      await page.locator('[data-choice="deny-app"]').tap()
      expect(await page.getByRole('alert').textContent()).toContain(
        'The owner of the account must allow the app',
      )
    })
  })

  it('the cookies of two tabs are kept apart, hidden from scripts and gone at the end', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    await onPhone(async (page, context) => {
      const second = await context.newPage()
      await page.goto(handoff.start_url)
      await second.goto(handoff.start_url)
      const cookies = await context.cookies()
      // Per attempt: the verifier, and the longer-lived mark that identifies the browser of a late return.
      expect(cookies).toHaveLength(4)
      for (const cookie of cookies) {
        expect(cookie.name).toMatch(/^__Host-/)
        expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })
      }
      for (const tab of [second, page]) {
        await tab.locator('[data-choice="approve-one"]').tap()
        await tab.getByRole('heading', { name: 'Stripe is connected' }).waitFor()
      }
      expect(await context.cookies()).toEqual([])
    })
    expect((await storedFor(app, shop.profileId)).connections).toHaveLength(1)
  })

  it('the pages have no accessibility violation, fit a phone, and forbid forms, scripts and frames', async () => {
    const { shop } = await makeGovernedShop(app)
    const open = await shop.mint()
    const failed = (await shop.connect('decline')).handoff
    const context = await browser.newContext({ ...phone, bypassCSP: true })
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    const page = await context.newPage()
    for (const url of [open.url, failed.url, `${app.baseUrl}/connect/nothing`]) {
      const reply = await page.goto(url)
      const policy = reply!.headers()['content-security-policy']!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("form-action 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('script-src')
      expect(policy).not.toContain('unsafe-inline')
      expect(reply!.headers()['referrer-policy']).toBe('no-referrer')
      await page.addScriptTag({ path: axe })
      const faults = await page.evaluate(async () => {
        const { violations } = await (
          globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
        ).axe.run()
        return violations.map((violation) => violation.id)
      })
      expect(faults, url).toEqual([])
      const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
      expect(isTooWide, url).toBe(false)
    }
    await context.close()
  })
})
