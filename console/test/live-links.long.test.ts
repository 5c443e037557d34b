/** A live link: created in the console, opened by the client on both screen sizes, revoked. Hostile names on rendered pages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putBranding } from '../../server/src/features/account/branding/contract.ts'
import { captureSnapshot } from '../../server/src/features/advice/top-performers/contract.ts'
import { createLiveLink, listLiveLinks } from '../../server/src/features/sharing/live-links/contract.ts'
import { mintHandoff } from '../../server/src/features/sources/handoffs/contract.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey } from '../../server/test/make.ts'
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
    await client.page.getByRole('link', { name: '7 days to yesterday' }).click()
    await client.page.locator('a[aria-current]', { hasText: '7 days to yesterday' }).waitFor()
    await client.close()
  }

  await page.reload()
  await page.getByRole('button', { name: 'Revoke Hazel & Pine: results' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('No live links yet').waitFor()
  expect((await fetch(link!.url)).status).toBe(404)
})

it('names of strangers are text on every page that the service renders, on the screen and in print', async () => {
  const { app, owner, params, profileId } = desk
  const hostile = `<img src=x onerror="window.taken=1"><b class="planted">"'\`--></b>`
  const mail = 'client@example.com'
  await owner.call(putBranding, { params, body: { display_name: hostile } })
  await app.pool.query('update profiles set name = $1 where id = $2', [hostile, profileId])
  await app.pool.query('update ad_entities set name = $1 || external_id where profile_id = $2', [
    hostile,
    profileId,
  ])
  const live = await owner.call(createLiveLink, {
    params,
    body: { profile_id: profileId, name: hostile, period: 'last_month' },
  })
  const board = await owner.call(captureSnapshot, { params, body: { name: hostile } })
  const handoff = await app.as(await makeKey(app, profileId, ['connections:write']))(mintHandoff, {
    params: { provider: 'cardpay' },
    body: {},
  })
  const report = await desk.generate({ format: 'html', send: true, recipients: [mail] })
  await desk.drain()
  const [sent] = await desk.inbox(mail)
  const unsubscribe = /https?:\/\/\S*\/unsubscribe\/[^\s>]+/.exec(sent!.text!)![0]
  const taken = `document.querySelectorAll('.planted, [onerror], img[src=x]').length + (window.taken ?? 0)`
  const { page, close } = await openConsole(browser, app)
  const shown: string[] = []
  const check = async (name: string) => {
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media })
      expect([name, media, await page.evaluate(taken)]).toEqual([name, media, 0])
    }
    if ((await page.locator('body').innerText()).includes('onerror=')) shown.push(name)
  }
  const addresses = { live: live.data.url, board: board.data.url, connect: handoff.data.url, unsubscribe }
  for (const [name, url] of Object.entries(addresses)) {
    await page.goto(url)
    await check(name)
  }
  await page.goto('about:blank')
  await page.setContent((await desk.download(report)).bytes.toString())
  await check('report')
  await page.setContent(sent!.html!)
  await check('mail')
  expect(shown).toEqual(['live', 'board', 'connect', 'report', 'mail'])
  await page.goto(live.data.url)
  await close()
})
