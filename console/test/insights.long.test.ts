/** Four insight pages with one planted shop, on a desktop in light mode and on a phone in dark mode. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { drainJobs, runSchedule } from '../../server/test/jobs.ts'
import { makeShop, moveClock, type Shop } from '../../server/test/make-shop.ts'
import { plantLoser } from '../../server/test/planted/loser.ts'
import { plantScores } from '../../server/test/planted/scores.ts'
import { bringSession, openConsole, phone, picture, seriousFaults, untilClosed, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let shop: Shop
const visits: Visit[] = []
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  shop = await makeShop(app)
  await app.pool.query(`update profiles set currency = 'USD' where id = $1`, [shop.profileId])
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
  await plantLoser(app, shop)
  await daily()
  await moveClock(app, 4 * 86_400)
  await daily()
  await plantScores(app.pool, shop.profileId)
  for (const look of [{}, { viewport: phone, dark: true }]) {
    const visit = await openConsole(browser, app, look)
    visits.push(visit)
    await bringSession(visit, shop.owner)
  }
})
afterAll(async () => {
  for (const visit of visits) await visit.close()
  await browser?.close()
  await app?.close()
})

async function daily(): Promise<void> {
  for (const name of ['recommendations.queue', 'experiments.queue_reads'])
    await runSchedule(app.service, jobs, name)
  await drainJobs(app.service, jobs)
}

async function open(page: Page, path: string, shows: string): Promise<void> {
  await page.goto(`/p/${shop.profileId}/${path}`)
  await page.locator('main').getByText(shows, { exact: false }).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

describe('the insight pages', () => {
  it.each([
    ['patterns', 'Winning'],
    ['experiments', 'Do kitchen ads bring buyers'],
    ['experiments', 'Design a geo study'],
    ['pacing', 'Month ends at'],
    ['recommendations', 'Pause '],
  ])('%s is whole, accessible and fits', async (path, shows) => {
    for (const [index, { page }] of visits.entries()) {
      await open(page, path, shows)
      await picture(page, `${path}-${index === 0 ? 'desktop-light' : 'phone-dark'}`)
      expect(await seriousFaults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })

  it('a trait opens its ads, and a study its campaigns', async () => {
    const { page } = visits[0]!
    await open(page, 'patterns', 'Winning')
    const traits = page.getByRole('region', { name: 'Single traits' })
    await traits.getByRole('link').first().click()
    await page.waitForURL(/\/campaigns\?.*level=ad&only=[0-9a-f-]{36}/)
    await page.getByRole('button', { name: 'Show all ads' }).waitFor()
    await open(page, 'experiments', 'Do kitchen ads bring buyers')
    await page.getByRole('region', { name: 'Studies' }).getByRole('link').first().click()
    await page.waitForURL(/\/campaigns\?.*only=/)
    await page.getByRole('button', { name: /^Show all (campaigns|ad sets)$/ }).waitFor()
  })

  it('a target is set, and pacing uses it', async () => {
    const { page } = visits[0]!
    await open(page, 'pacing', 'Month ends at')
    await page.getByRole('button', { name: 'Set target' }).first().click()
    await page.getByLabel('Budget in USD').fill('9000')
    await page.getByRole('button', { name: 'Save target' }).click()
    await page.getByText('Your target').first().waitFor()
    await page.getByText('$9,000').first().waitFor()
  })

  it('a recommendation is applied and undone', async () => {
    const { page } = visits[0]!
    await open(page, 'recommendations', 'Pause ')
    const card = page.locator('.card', { has: page.getByRole('heading', { name: /^Pause/ }) })
    const title = await card.getByRole('heading').innerText()
    await card.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await untilClosed(page)
    await page.getByRole('radio', { name: 'Applied' }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing applied yet').waitFor()
    const writes = (await (await fetch(`${app.baseUrl}/sandbox/writes`)).json()) as {
      data: { status?: string }[]
    }
    expect(writes.data.map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE'])
  })
})
