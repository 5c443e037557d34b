/** A person at the console in a real Chromium, and on request a picture of every page they look at. */
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../../server/test/app.ts'
import { type BrowserWindow, openWindow } from '../../server/test/browser.ts'
import { PASSWORD, type Person } from '../../server/test/make.ts'

const artifacts = join(import.meta.dirname, '../../artifacts')
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }
const wide = { width: 1920, height: 1080 }

export type Visit = { page: Page; context: BrowserContext; close(): Promise<void> }

type Look = { viewport?: typeof phone; dark?: boolean }

/** Windows that the person before has left, by browser and look: what is cached there spares the next half of each page. */
const left = new WeakMap<Browser, Map<string, BrowserWindow[]>>()

/** Fails on anything the policy blocked, any script error, and any request to another host. */
export async function openConsole(browser: Browser, app: TestApp, look: Look = {}): Promise<Visit> {
  const free = windowsLeft(browser, look)
  const window = free.pop() ?? (await openLook(browser, app, look))
  const { page, context } = window
  const faults: string[] = []
  const onError = (error: Error) => faults.push(error.message)
  const onConsole = (message: ConsoleMessage) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) faults.push(message.text())
  }
  const onRequest = (request: Request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${app.baseUrl}/`))
      faults.push(request.url())
  }
  page.on('pageerror', onError).on('console', onConsole).on('request', onRequest)
  return {
    page,
    context,
    async close() {
      await window.leave()
      page.off('pageerror', onError).off('console', onConsole).off('request', onRequest)
      free.push(window)
      expect(faults).toEqual([])
    },
  }
}

/** What a browser's console lists in red from now on: failed answers and requests, and errors. A page left early is none. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  const place = (url: string) => new URL(url).pathname
  page.on('response', (reply) => {
    if (reply.status() >= 400)
      errors.push(`${reply.status()} ${reply.request().method()} ${place(reply.url())}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') errors.push(`${reason} ${place(request.url())}`)
  })
  page.on('console', (message) => {
    // A failed answer is named above, with its address.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  return errors
}

function windowsLeft(browser: Browser, look: Look): BrowserWindow[] {
  const ofBrowser = left.get(browser) ?? new Map<string, BrowserWindow[]>()
  left.set(browser, ofBrowser)
  const key = JSON.stringify(look)
  const windows = ofBrowser.get(key) ?? []
  ofBrowser.set(key, windows)
  return windows
}

function openLook(
  browser: Browser,
  app: TestApp,
  { viewport = desktop, dark }: Look,
): Promise<BrowserWindow> {
  return openWindow(browser, {
    away: '/favicon.svg',
    baseURL: app.baseUrl,
    viewport,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
}

export async function signInAs(visit: Visit, person: { email: string }, password = PASSWORD): Promise<void> {
  const { page } = visit
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

/** For who has signed in before: the session that they have, without the way through the form. */
export async function bringSession(visit: Visit, person: Person): Promise<void> {
  await visit.context.addCookies([
    {
      name: '__Host-whence_session',
      value: person.token,
      domain: '127.0.0.1',
      path: '/',
      secure: true,
      httpOnly: true,
    },
  ])
}

/**
 * Once every menu and dialog is closed and the focus is back where it was: it is given back by a timer, a moment after they
 * are gone. One that starts now and takes longer ends after it.
 */
export async function untilClosed(page: Page): Promise<void> {
  await page.locator('[role=menu], [role=dialog]').first().waitFor({ state: 'detached' })
  await page.evaluate('new Promise((done) => setTimeout(done, 20))')
}

/** Enter on it once it keeps the focus, which `press` does not wait for. */
export async function pressEnter(target: Locator): Promise<void> {
  await target.waitFor()
  const keepsFocus = async (element: unknown) => {
    const field = element as { focus(): void; ownerDocument: { activeElement: unknown } }
    field.focus()
    await new Promise((done) => setTimeout(done, 20))
    return field.ownerDocument.activeElement === element
  }
  await expect.poll(() => target.evaluate(keepsFocus)).toBe(true)
  await target.page().keyboard.press('Enter')
}

/** Opens the search of everything by its keys, for which the page listens a moment after it is drawn. */
export async function openSearch(page: Page): Promise<Locator> {
  const menu = page.getByRole('dialog', { name: 'Search', exact: true })
  const box = menu.locator('input:focus')
  await expect
    .poll(async () => {
      if ((await menu.count()) === 0) await page.keyboard.press('Control+k')
      return box.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
  return box
}

/** Kept for people to look at, where they ask for it (`PICTURES=1`): each costs as much as opening the page. */
export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.PICTURES === undefined) return
  await mkdir(artifacts, { recursive: true })
  await page.screenshot({ path: join(artifacts, `console-${name}.png`), fullPage })
}

/** The same in both schemes, and from a desktop on a wide screen too; afterwards the page is as it was. */
export async function pictures(page: Page, name: string, dark: boolean): Promise<void> {
  if (process.env.PICTURES === undefined) return
  const own = page.viewportSize()!
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await picture(page, `${name}-${scheme}`)
    if (own.width < desktop.width) continue
    await page.setViewportSize(wide)
    await picture(page, `${name.replace('desktop', 'wide')}-${scheme}`)
    await page.setViewportSize(own)
  }
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
}

/** Rules whose findings are never serious; without them axe needs a third less time. */
const lesserRules = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  .map(({ id }) => [id, { enabled: false }]))`

/** What axe calls serious or critical on the current page. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'], rules: ${lesserRules} }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )
}

/** Colours are judged once they stay: what moves has arrived (for who asked for less motion, nothing moves for ever), and a change of scheme or size is painted. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    // One that follows scrolling ends with the scrolling, not with time.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline)
    await Promise.allSettled(timed.map(({ finished }) => finished))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })()`)
}
