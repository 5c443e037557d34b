/** Links of tables: visitors to their journey, channels to campaigns and sales; and the spend per day of campaigns. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeOwnProfile } from '../../server/test/make.ts'
import { bringSession, openConsole, phone, pictures, seriousFaults, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let visit: Visit
let handy: Visit
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  const profile = await makeOwnProfile(app, ['events:write'])
  profileId = profile.profileId
  await makeAdWorld(app, profileId, profile.call)
  browser = await launchBrowser()
  visit = await openConsole(browser, app)
  handy = await openConsole(browser, app, { viewport: phone })
  await bringSession(visit, profile.owner)
  await bringSession(handy, profile.owner)
})
afterAll(async () => {
  await visit?.close()
  await handy?.close()
  await browser?.close()
  await app?.close()
})

const may = 'from=2026-05-01&to=2026-05-31'

it('visitors are listed with their source, and link to their journey', async () => {
  for (const [name, { page }] of [
    ['desktop', visit],
    ['phone', handy],
  ] as const) {
    await page.goto(`/p/${profileId}/visitors`)
    await page.getByRole('link', { name: 'Name of C2' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
    expect(await seriousFaults(page)).toEqual([])
    await pictures(page, `visitors-${name}`, false)
  }
  const { page } = visit
  await page
    .getByRole('row', { name: /Paid social/ })
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await page.getByText('Stored as hashes').waitFor()
})

it('channels open their campaigns or their sales', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/channels?${may}`)
  await page.getByRole('link', { name: 'No known visit' }).click()
  await page.getByRole('heading', { name: 'No known visit: all sales' }).waitFor()
  await expect.poll(() => page.url()).toContain('reason=no_touch')
  await page.goBack()
  await page.getByRole('region', { name: 'Revenue by source' }).getByRole('link', { name: 'Meta' }).click()
  await page.waitForURL(/\/campaigns\?.*platform=Meta/)
  await page.getByRole('link', { name: 'Name of C2' }).waitFor()
})

it('campaigns show their spend per day, and models a tint', async () => {
  for (const [name, { page }] of [
    ['desktop', visit],
    ['phone', handy],
  ] as const) {
    await page.goto(`/p/${profileId}/campaigns?${may}`)
    const row = page.getByRole('row', { name: /Name of C1/ })
    await row.locator('polyline').waitFor()
    const points = (await row.locator('polyline').getAttribute('points'))!.split(' ')
    expect(points).toHaveLength(31)
    // Spend is 4 on the first day, 26 on the second and 0 afterwards.
    const heights = points.map((point) => Number(point.split(',')[1]))
    expect(heights[1]).toBe(Math.min(...heights))
    expect(heights[0]).toBeLessThan(heights[2]!)
    expect(new Set(heights.slice(2)).size).toBe(1)
    await pictures(page, `campaigns-${name}`, false)
    await page.goto(`/p/${profileId}/campaigns?${may}&view=models`)
    await page.locator('.heat-cell').first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await pictures(page, `models-${name}`, false)
  }
})

it('a cohort opens the payments of its month, or its campaign', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/cohorts?${may}`)
  const table = page.getByRole('region', { name: 'New customers and what they paid' })
  await table.getByRole('link', { name: 'May 2026' }).click()
  await page.waitForURL(/\/payments\?.*from=2026-05-01.*to=2026-05-31/)
  await page.goto(`/p/${profileId}/campaigns?${may}&only=not-a-campaign`)
  await page.getByText('No campaign matches').waitFor()
  await page.getByRole('button', { name: 'Show all campaigns' }).click()
  await page.getByRole('link', { name: 'Name of C2' }).waitFor()
})
