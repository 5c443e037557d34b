/** A live link: created in the console, opened by the client on both screen sizes, revoked. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listLiveLinks } from '../../server/src/features/account/live-links/contract.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { openReportDesk, type ReportDesk } from '../../server/test/report-desk.ts'
import { bringSession, desktop, openConsole, phone, picture, seriousFaults, type Visit } from './visit.ts'

let desk: ReportDesk
let browser: Browser
let visit: Visit
beforeAll(async () => {
  desk = await openReportDesk()
  const { clock, db } = desk.app.service
  await clock.set(db, Date.parse('2026-06-03T12:00:00Z') - Date.now())
  browser = await launchBrowser()
  visit = await openConsole(browser, desk.app)
  await bringSession(visit, desk.owner)
})
afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await desk?.app.close()
})

it('a live link is created, opened by the client with the password, and revoked', async () => {
  const { page } = visit
  await page.goto(`/p/${desk.profileId}/client-reports`)
  await page.getByRole('button', { name: 'New live link' }).click()
  await page.getByLabel('Title of the page').fill('Hazel & Pine: results')
  await page.getByLabel('Opens with').selectOption('Last month')
  await page.getByLabel('Password (optional)').fill('open sesame 7')
  await picture(page, 'live-link-new')
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create live link' }).click()
  await page.getByText('The link is ready').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /Hazel & Pine: results/ }).waitFor()
  await picture(page, 'live-links')
  expect(await seriousFaults(page)).toEqual([])

  const [link] = (await desk.owner.call(listLiveLinks, { params: desk.params })).data
  for (const viewport of [desktop, phone]) {
    const client = await openConsole(browser, desk.app, { viewport })
    await client.page.goto(link!.url)
    await picture(client.page, `live-password-${viewport.width}`)
    await client.page.getByLabel('Password').fill('open sesame 7')
    await client.page.getByRole('button', { name: 'Open' }).click()
    await client.page.getByRole('heading', { name: 'Hazel & Pine: results' }).waitFor()
    await client.page.getByRole('cell', { name: 'Name of C1' }).waitFor()
    await picture(client.page, `live-page-${viewport.width}`)
    expect(await seriousFaults(client.page)).toEqual([])
    const wider = await client.page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(wider).toBeLessThanOrEqual(0)
    await client.page.getByRole('link', { name: 'Last 7 days' }).click()
    await client.page.locator('a[aria-current]', { hasText: 'Last 7 days' }).waitFor()
    await client.close()
  }

  await page.reload()
  await page.getByRole('button', { name: 'Revoke Hazel & Pine: results' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('No live links yet').waitFor()
  expect((await fetch(link!.url)).status).toBe(404)
})
