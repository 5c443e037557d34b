/** The Creatives page with ads of the sandbox that the service scored, in light and dark mode, on wide and narrow screens. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { drainJobs, runSchedule } from '../../server/test/jobs.ts'
import { makeShop, type Shop } from '../../server/test/make-shop.ts'
import { plantLoser } from '../../server/test/planted/loser.ts'
import {
  bringSession,
  desktop,
  openConsole,
  phone,
  picture,
  seriousFaults,
  untilClosed,
  type Visit,
} from './visit.ts'

let app: TestApp
let browser: Browser
let shop: Shop
const looks = [
  { name: 'desktop-light', viewport: desktop, dark: false },
  { name: 'desktop-dark', viewport: desktop, dark: true },
  { name: 'phone-light', viewport: phone, dark: false },
  { name: 'phone-dark', viewport: phone, dark: true },
]
const visits = new Map<string, Visit>()
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  shop = await makeShop(app)
  await app.pool.query(`update profiles set currency = 'USD' where id = $1`, [shop.profileId])
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
  await plantLoser(app, shop)
  await drainJobs(app.service, jobs)
  await runSchedule(app.service, jobs, 'top_performers.start_due')
  await drainJobs(app.service, jobs)
  for (const { name, ...look } of looks) {
    const visit = await openConsole(browser, app, look)
    visits.set(name, visit)
    await bringSession(visit, shop.owner)
  }
})
afterAll(async () => {
  for (const visit of visits.values()) await visit.close()
  await browser?.close()
  await app?.close()
})

const wide = () => visits.get('desktop-light')!.page

async function open(page: Page, search = ''): Promise<void> {
  await page.goto(`/p/${shop.profileId}/creatives${search}`)
  await page.locator('.creative').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

const names = (page: Page) => page.locator('.creative h3').allInnerTexts()

async function isWhole(page: Page, name: string): Promise<void> {
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, name, !(await page.getByRole('dialog').isVisible()))
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

describe('the creatives page', () => {
  it.each(looks)('is whole, accessible and fits: $name', async ({ name }) => {
    const { page } = visits.get(name)!
    await open(page)
    const pictures = page.locator('.creative img')
    await expect.poll(() => pictures.count()).toBeGreaterThan(5)
    await pictures.first().evaluate('(image) => image.decode()')
    await isWhole(page, `creatives-${name}`)
  })

  it.each(['desktop-light', 'phone-dark'])(
    'says why an ad has its score, and leads to the ad and to Why: %s',
    async (name) => {
      const { page } = visits.get(name)!
      await open(page, '?outcome=cash')
      await page
        .getByRole('button', { name: /^Why this score/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog
        .getByText(/than \d+% of similar ads/)
        .first()
        .waitFor()
      await dialog.getByText('Not evaluated: not enough history yet').first().waitFor()
      await dialog
        .getByRole('link', { name: /^Why: / })
        .first()
        .waitFor()
      await isWhole(page, `creatives-why-${name}`)
      const ad = await dialog.getByRole('heading', { level: 2 }).innerText()
      await dialog
        .getByRole('link', { name: /^Why: / })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Journey', exact: true }).waitFor()
      await page.goBack()
      await page.locator('.creative').first().waitFor()
      await page.getByRole('link', { name: ad, exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name: ad }).waitFor()
      await page.getByText('Credited conversions and refunds').waitFor()
    },
  )

  it('filters ads, and shows an empty state if none matches', async () => {
    const page = wide()
    await open(page)
    const all = await names(page)
    await page.getByLabel('Format').selectOption('carousel')
    const badges = page.locator('.creative .badge', { hasText: 'Carousel' })
    await expect
      .poll(async () => {
        const cardCount = (await names(page)).length
        return cardCount > 0 && (await badges.count()) === cardCount
      })
      .toBe(true)
    const carousels = await names(page)
    expect(carousels).not.toEqual(all)
    await page.reload()
    await expect.poll(() => names(page)).toEqual(carousels)
    await page.getByLabel(/^Minimum spend/).fill('99999999')
    await page.getByText('No ad matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => names(page)).toEqual(all)
  })

  it.each(['desktop-light', 'phone-dark'])('compares ads side by side: %s', async (name) => {
    const { page } = visits.get(name)!
    await open(page)
    const chosen = (await names(page)).slice(0, 3)
    for (const index of [0, 1, 2]) await page.locator('.creative-pick input').nth(index).check()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.locator('thead th a').allInnerTexts()).toEqual(chosen)
    await dialog.getByRole('rowheader', { name: 'ROAS' }).waitFor()
    await expect.poll(() => dialog.locator('td.best').count()).toBeGreaterThan(1)
    await isWhole(page, `creatives-compare-${name}`)
    await page.keyboard.press('Escape')
    await untilClosed(page)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.locator('.compare-bar').waitFor({ state: 'detached' })
  })

  it('shares a link with a password, counts its views, and revokes it', async () => {
    const page = wide()
    await open(page, '?format=video')
    const videoNames = await names(page)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Videos for the agency')
    await dialog.getByLabel('Expires after').selectOption('7')
    await dialog.getByLabel('Password (optional)').fill('open sesame 7')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.locator('.code code').innerText()
    await isWhole(page, 'creatives-share-desktop-light')
    const locked = await fetch(url)
    expect(await locked.text()).toContain('Password required')
    const opened = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ password: 'open sesame 7' }),
    })
    const text = await opened.text()
    for (const name of videoNames) expect(text).toContain(`<h2>${name.replaceAll('&', '&amp;')}</h2>`)
    expect(text.match(/<h2>/g)).toHaveLength(videoNames.length)
    await page.reload()
    await page.getByRole('button', { name: 'Share' }).click()
    await dialog.getByText('Viewed 1 time, protected by a password').waitFor()
    await dialog.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await dialog.getByText('No links yet.').waitFor()
    expect((await fetch(url)).status).toBe(404)
  })

  it('exports a bundle, and shows all profiles of the workspace', async () => {
    const page = wide()
    await open(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect((await readFile(await file.path())).toString('latin1', 0, 4)).toBe('PK\u0003\u0004')
    const profileAds = await names(page)
    await page.getByRole('radio', { name: 'All profiles' }).click()
    await page.locator('.creative .sub', { hasText: 'Hazel & Pine' }).first().waitFor()
    await expect.poll(() => names(page)).toEqual(profileAds)
  })
})
