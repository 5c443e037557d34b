/** Opens the console in a real Chromium, and takes screenshots on request. */
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../../server/test/app.ts'
import { type BrowserWindow, openWindow } from '../../server/test/browser.ts'
import { PASSWORD, type Person } from '../../server/test/make.ts'
import { isStale } from '../../tools/build.mjs'

const artifacts = join(import.meta.dirname, '../../artifacts')
// A run of a single file builds nothing, and would test the previous build.
if (isStale(join(import.meta.dirname, '../..'), 'console'))
  throw new Error('The console changed after its last build: run `npm run build`')
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }
const wide = { width: 1920, height: 1080 }

export type Visit = { page: Page; context: BrowserContext; close(): Promise<void> }

type Look = { viewport?: typeof phone; dark?: boolean }

/** Windows of earlier visits, by browser and look. Their cache halves the load time of pages. */
const openWindows = new WeakMap<Browser, Map<string, BrowserWindow[]>>()

/** Fails on content security violations, script errors and requests to other hosts. */
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

/** Collects errors of the browser's console from now on: failed responses and requests, and script errors. Requests aborted by leaving a page do not count. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  const pathOf = (url: string) => new URL(url).pathname
  page.on('response', (reply) => {
    if (reply.status() >= 400)
      errors.push(`${reply.status()} ${reply.request().method()} ${pathOf(reply.url())}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') errors.push(`${reason} ${pathOf(request.url())}`)
  })
  page.on('console', (message) => {
    // Failed responses are already listed above with their URL.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  return errors
}

function windowsLeft(browser: Browser, look: Look): BrowserWindow[] {
  const ofBrowser = openWindows.get(browser) ?? new Map<string, BrowserWindow[]>()
  openWindows.set(browser, ofBrowser)
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

/** Sets the session of a signed-in person, without the sign-in form. */
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
 * Waits until menus and dialogs are closed and the focus has returned. A timer returns the focus a moment after they
 * close, so a timer started now that takes longer ends after it.
 */
export async function untilClosed(page: Page): Promise<void> {
  await page.locator('[role=menu], [role=dialog]').first().waitFor({ state: 'detached' })
  await page.evaluate('new Promise((done) => setTimeout(done, 20))')
}

/** Presses Enter once the element has the focus, which `press` does not wait for. */
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

/** Opens the command menu by keyboard. The page listens for its keys a moment after rendering. */
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

/** Takes a screenshot if `PICTURES=1` is set, because each takes as long as opening the page. */
export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.PICTURES === undefined) return
  await mkdir(artifacts, { recursive: true })
  await page.screenshot({ path: join(artifacts, `console-${name}.png`), fullPage })
}

/** Takes screenshots in both colour schemes, for a desktop also on a wide screen; then restores the page. */
export async function pictures(page: Page, name: string, dark: boolean): Promise<void> {
  if (process.env.PICTURES === undefined) return
  const size = page.viewportSize()!
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await picture(page, `${name}-${scheme}`)
    if (size.width < desktop.width) continue
    await page.setViewportSize(wide)
    await picture(page, `${name.replace('desktop', 'wide')}-${scheme}`)
    await page.setViewportSize(size)
  }
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
}

/** Rules whose findings are never serious; without them, axe takes a third less time. */
const lesserRules = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  .map(({ id }) => [id, { enabled: false }]))`

/** Serious and critical axe findings of the current page. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'], rules: ${lesserRules} }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ' (' + help + '): ' + html.slice(0, 200))))`,
  )
}

/** Waits until colours are final: animations have ended (with reduced motion, none is endless), and a change of scheme or size is painted. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    // A scroll-driven animation ends with the scrolling, not with time.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline)
    await Promise.allSettled(timed.map(({ finished }) => finished))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })()`)
}
