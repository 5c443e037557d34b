/** Channel rules: testing a link, and assigning a site to another channel. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import { bringSession, openConsole, picture, seriousFaults } from './visit.ts'

let app: TestApp
let browser: Browser
let person: Person
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person, 'agency'), { name: 'Harbor & Pine' })
  await makeAdWorld(app, profileId, app.as(await makeKey(app, profileId, ['events:write'])))
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

it('explains the channel of a link, and assigns a site to a chosen channel', async () => {
  const visit = await openConsole(browser, app)
  const { page } = visit
  await bringSession(visit, person)
  await page.goto(`/p/${profileId}/channels?from=2026-05-01&to=2026-05-31`)
  await page.getByLabel('Page address').fill('shop.example/')
  await page.getByLabel('Came from (optional)').fill('www.partner.example')
  await page.keyboard.press('Enter')
  await page.getByText('partner.example is not a listed site, so it counts as a referral.').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByLabel('Site', { exact: true }).fill('Partner.example')
  await page.getByLabel('Assign to channel').selectOption('affiliate')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByText('Site and its subdomains → Affiliate').waitFor()
  await page.getByText('Because of your rule for partner.example.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'channel-rules')
  await page.getByRole('button', { name: 'Remove the rule for partner.example' }).click()
  await page.getByText('No custom rules yet. Sources use the default channels.').waitFor()
  await visit.close()
})
