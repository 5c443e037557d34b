import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { type FirstRun, prepareFirstRun } from '../../server/src/features/sharing/demo/first-run.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import type { ConsoleWorld } from './console-world.ts'
import { openConsole, picture, signInAs, type Visit } from './visit.ts'

/** Like `npm start` on an empty database: an account, its business, and the demo. */
export function firstRunFlows(world: () => ConsoleWorld): void {
  let first: FirstRun
  let visit: Visit
  let page: Page
  beforeAll(async () => {
    first = (await prepareFirstRun(world().app.service))!
    visit = await openConsole(world().browser, world().app)
    page = visit.page
  })
  afterAll(() => visit?.close())

  it('opens the demo, shows its progress, and updates automatically', async () => {
    await signInAs(visit, first, first.password)
    await page.waitForURL(`**/p/${first.demo!.profileId}/overview`)
    await page.getByText('The demo is being prepared.').waitFor()
    await picture(page, 'demo-preparing')
    const { service } = world().app
    await drainJobs(service, jobs)
    await service.processor.settled(first.demo!.profileId)
    await page.getByText('The demo is being prepared.').waitFor({ state: 'detached' })
    await page.locator('.chart-surface').first().waitFor()
    const roas = page.locator('.stat', { hasText: 'Ad ROAS' }).locator('dd').first()
    // The figures are refetched when the notice disappears.
    await expect
      .poll(async () => Number.parseFloat(await roas.innerText()), { timeout: 30_000, interval: 50 })
      .toBeGreaterThan(1)
    await picture(page, 'demo-overview')
  }, 600_000)

  it('the trend can be shown as a table, and without the previous period', async () => {
    await page.getByRole('radio', { name: 'Table' }).click()
    const table = page.getByRole('region', { name: 'Revenue and spend' }).getByRole('table')
    await table.getByRole('columnheader', { name: 'Revenue, previous period' }).waitFor()
    await expect.poll(() => table.getByRole('row').count()).toBe(29)
    await page.getByLabel('Compare with the previous period').uncheck()
    await table.getByText('Revenue, previous period').waitFor({ state: 'detached' })
    await page.getByLabel('Compare with the previous period').check()
  })

  it('links from a campaign to an ad, one of its conversions, and the credit under each model', async () => {
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.locator('.reconciliation').waitFor()
    expect(await page.locator('.reconciliation').innerText()).toContain('Difference $0.00')
    await page.getByRole('row', { name: /^Unattributed/ }).waitFor()
    await picture(page, 'demo-campaigns')
    for (const level of ['campaigns', 'ad sets', 'ads']) {
      const links = page.getByRole('region', { name: level, exact: true }).locator('tbody th a')
      const name = await links.first().innerText()
      await links.getByText(name, { exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    await picture(page, 'demo-ad')
    await openJourneyOfSeveral(page)
    const steps = page.locator('.timeline > li')
    expect(await page.locator('.timeline > .excluded').first().innerText()).toContain('Not the last touch')
    expect(await page.locator('.timeline > .credited').innerText()).toContain('100% credit')
    await picture(page, 'demo-why')
    await page.getByRole('radio', { name: 'First touch' }).click()
    await steps.first().getByText('100% credit').waitFor()
    expect(await page.locator('.timeline > .excluded').first().innerText()).toContain('Not the first touch')
    await page.getByRole('radio', { name: 'Linear' }).click()
    await page.locator('.timeline > .excluded').first().waitFor({ state: 'detached' })
    const matrix = page.getByRole('region', { name: 'Credit by model' })
    expect(await matrix.getByRole('columnheader').allInnerTexts()).toEqual([
      'Touch',
      'Last touch',
      'First touch',
      'Linear',
      'Time decay',
      'Last non-direct',
    ])
  })

  it('a long list loads more by keyboard until all rows are shown', async () => {
    await page.goto(`/p/${first.demo!.profileId}/payments?preset=28d`)
    const rows = page.getByRole('region', { name: 'Payments', exact: true }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    const showMore = page.getByRole('button', { name: 'Show more' })
    // Rows far from the viewport are not rendered, so the line below the list is checked.
    const countLine = page.getByText(/^(All|The newest) [\d,]+ are shown/)
    for (let pages = 2; (await showMore.count()) > 0; pages++) {
      await showMore.press('Enter')
      const all = new RegExp(`^(All [\\d,]+ are shown\\.|The newest ${pages * 50} are shown and sorted\\.)$`)
      await expect.poll(() => countLine.innerText()).toMatch(all)
      await page.waitForFunction("document.activeElement?.getAttribute('role') === 'status'")
    }
    expect(await countLine.innerText()).toMatch(/^All [\d,]+ are shown\.$/)
  })

  it.each(['comparison', 'people', 'connections', 'tracking?tab=quality'])(
    'the demo has something to show on %s',
    async (path) => {
      const failures: string[] = []
      const onResponse = (reply: Response) => {
        if (reply.status() >= 400) failures.push(`${reply.status()} ${reply.url()}`)
      }
      page.on('response', onResponse)
      await page.goto(`/p/${first.demo!.profileId}/${path}`)
      await page.locator('main h1').waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      expect(await page.locator('.empty').count()).toBe(0)
      page.off('response', onResponse)
      expect(failures).toEqual([])
      await picture(page, `demo-${path.split('?')[0]}`)
    },
  )

  it('a tour of three steps leads from the figures to one sale, and to setting up a business', async () => {
    await page.goto(`/p/${first.demo!.profileId}/overview`)
    const tour = page.getByRole('region', { name: 'Tour' })
    await tour.getByText('Step 1 of 3').waitFor()
    await picture(page, 'tour-1')
    await tour.getByRole('link', { name: 'Next: which ads earned it' }).click()
    await tour.getByText('Step 2 of 3').waitFor()
    await tour.getByRole('link', { name: 'Next: why one sale is credited to an ad' }).click()
    await tour.getByText('Step 3 of 3').waitFor()
    await page.locator('.timeline > li').first().waitFor()
    await picture(page, 'tour-3')
    await tour.getByRole('link', { name: 'Set up your own' }).click()
    await page.waitForURL(`**/p/${first.profileId}/setup*`)
    await page.goto(`/p/${first.demo!.profileId}/overview`)
    await page.locator('.chart-surface').first().waitFor()
    expect(await tour.count()).toBe(0)
  })

  it('the demo is removed, and the user’s own business is shown', async () => {
    await page.goto(`/p/${first.demo!.profileId}/settings?tab=workspace`)
    await page.getByRole('button', { name: 'Remove demo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove demo' }).click()
    await page.waitForURL(`**/p/${first.profileId}/overview`)
    await page.getByText('Set up My business').waitFor()
    await picture(page, 'getting-started')
  })
}

/**
 * A payment of a person with more than one visit. Many pay on their first visit, so an ad may have none: then its ad set is
 * searched, then its campaign.
 */
async function openJourneyOfSeveral(page: Page): Promise<void> {
  const path = page.getByRole('navigation', { name: 'Path' }).getByRole('link')
  while (!(await openOneOfSeveral(page))) {
    // The first link opens the list of campaigns.
    if ((await path.count()) === 1) throw new Error('No payment of this campaign has more than one touch')
    const name = await path.last().innerText()
    await path.last().click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
}

async function openOneOfSeveral(page: Page): Promise<boolean> {
  const payments = page.getByRole('link', { name: /^Why: Payment received/ })
  await payments.first().waitFor()
  for (let index = 0; index < (await payments.count()); index++) {
    await payments.nth(index).click()
    await page.getByRole('heading', { name: 'Why this payment?' }).waitFor()
    await page.locator('.timeline > .credited').waitFor()
    // If the first touch is in the window, all are.
    const first = await page.locator('.timeline > li').first().innerText()
    if (first.includes('Not the last touch')) return true
    await page.goBack()
    await page.getByRole('heading', { name: 'Why this payment?' }).waitFor({ state: 'detached' })
    await payments.first().waitFor()
  }
  return false
}
