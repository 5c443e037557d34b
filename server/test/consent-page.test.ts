/** The sandboxes' consent page on a phone, without JavaScript, and with a screen reader. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { connectorCases } from './connector-cases.ts'
import { type RunningSandbox, startSandbox } from './sandbox-server.ts'

const [spec] = connectorCases
let browser: Browser
let running: RunningSandbox
beforeAll(async () => {
  running = await startSandbox(spec!)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await running?.close()
})

const phone = { viewport: { width: 360, height: 740 } }
const pageUrl = () =>
  spec!.connector.oauth.authorizeUrl(running.app, {
    redirectUri: running.redirectUri,
    state: 's',
    codeChallenge: 'c'.repeat(43),
    shop: null,
  })

test('works without JavaScript on a phone, and loads nothing from other hosts', async () => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false })
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(pageUrl())
  expect(hosts).toEqual(new Set([new URL(running.redirectUri).host]))
  await page.click('[data-choice="decline"]')
  const isDenied = (url: URL) => url.searchParams.get('error_reason') === 'user_denied'
  await page.waitForURL(isDenied, { waitUntil: 'commit' })
  await context.close()
})

test('has no axe violations, and fits a phone', async () => {
  // The page's own policy allows no script at all, axe included.
  const context = await browser.newContext({ ...phone, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(pageUrl())
  const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(axePath, 'utf8'))
  const violations: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
  )
  expect(violations).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await context.close()
})
