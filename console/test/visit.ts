/** A person at the console in a real Chromium, and on request a picture of every page they look at. */
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../../server/test/app.ts'
import { PASSWORD } from '../../server/test/make.ts'

const artifacts = join(import.meta.dirname, '../../artifacts')
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

export type Visit = { page: Page; context: BrowserContext; close(): Promise<void> }

/** Fails on anything the policy blocked, any script error, and any request to another host. */
export async function openConsole(
  browser: Browser,
  app: TestApp,
  options: { viewport?: typeof phone; dark?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: app.baseUrl,
    viewport: options.viewport ?? desktop,
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${app.baseUrl}/`))
      faults.push(request.url())
  })
  return {
    page,
    context,
    async close() {
      await context.close()
      expect(faults).toEqual([])
    },
  }
}

export async function signInAs(visit: Visit, person: { email: string }, password = PASSWORD): Promise<void> {
  const { page } = visit
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

/** Kept for people to look at, where they ask for it (`PICTURES=1`): each costs as much as opening the page. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return
  await mkdir(artifacts, { recursive: true })
  await page.screenshot({ path: join(artifacts, `console-${name}.png`), fullPage: true })
}

/** What axe calls serious or critical on the page as it stands. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )
}

/** Colours are judged once they stay: what moves has arrived (for who asked for less motion, nothing moves for ever), and a change of scheme or size is painted. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })()`)
}
