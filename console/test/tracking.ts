import { expect, it } from 'vitest'
import { makePerson, makeProfile, makeWorkspace } from '../../server/test/make.ts'
import { writeTracker } from '../../tracker/build.ts'
import { openSite } from '../../tracker/test/site.ts'
import type { House } from './house.ts'
import { bringSession, openConsole, picture } from './visit.ts'

export function trackingFlows(house: () => House): void {
  it('is pasted from the console into a site, answers the install check, and its visit is listed', async () => {
    const { app, browser } = house()
    await writeTracker()
    const person = await makePerson(app)
    const profileId = await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto(`/p/${profileId}/tracking`)
    await page.getByRole('button', { name: 'Issue a key' }).click()
    const snippet = await page.getByRole('region', { name: 'Snippet' }).locator('pre').innerText()
    const site = await openSite(() => snippet)
    try {
      await page.getByLabel('Page to check').fill(`${site.origin}/land`)
      await page.getByRole('button', { name: 'Start check' }).click()
      await page.getByText('Waiting for the tracker').waitFor()
      const [shop] = await Promise.all([
        visit.context.waitForEvent('page'),
        page.getByRole('link', { name: 'Open the page' }).first().click(),
      ])
      await page.getByText('The tracker answered').waitFor()
      await picture(page, 'install-check')
      await shop.close()
      await app.service.processor.settled(profileId)
      await page.getByRole('tab', { name: 'Events' }).click()
      const row = page.getByRole('row', { name: /^Page view/ })
      await row.waitFor()
      expect(await row.innerText()).toContain(site.origin)
    } finally {
      await visit.close()
      await site.close()
    }
  })
}
