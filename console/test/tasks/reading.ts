/** Tasks that look something up. */
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openSearch } from '../visit.ts'
import { ask, type Desk, lastDays, list, type Tasks, yesterday } from './desk.ts'

type CampaignRow = { platform_id: string; campaign_name: string; outcome_value: number }

const openPage = async ({ page, demo }: Desk, path: string) => {
  await page.goto(`/p/${demo}/${path}`)
  await page.locator('main h1').first().waitFor()
}

export const readingTasks: Tasks = {
  'see why a campaign has its revenue': async (desk) => {
    const { page, demo } = desk
    await openPage(desk, 'overview')
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    const campaigns = page.getByRole('region', { name: 'campaigns', exact: true }).locator('tbody th a')
    const name = await campaigns.first().innerText()
    await campaigns.getByText(name, { exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('link', { name: /^Why:/ }).first().waitFor()
    const payments = page.getByRole('link', { name: /^Why: Payment received/ })
    // The list also has leads and appointments, newest first.
    while ((await payments.count()) === 0) {
      const countLine = page.getByText(/^The newest \d+ are shown/)
      const before = await countLine.innerText()
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(() => page.getByText(/are shown/).innerText()).not.toBe(before)
    }
    await payments.first().click()
    await page.getByRole('heading', { name: 'Why this payment?' }).waitFor()
    const credited = page.locator('.timeline > .credited')
    expect(await credited.innerText()).toContain('100% credit')
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const why = await ask(desk, `/conversions/${id}/explain`, { profile_id: demo, model: 'last_touch' })
    expect(JSON.stringify(why)).toContain(name)
  },

  'find who paid 129.90': async (desk) => {
    const { page, demo } = desk
    await openPage(desk, 'overview')
    await (await openSearch(page)).fill('129.90')
    await page.getByRole('option', { name: /Who paid 129.90/ }).click()
    await page.getByRole('link', { name: 'Paula Reyes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Paula Reyes' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const customers = await list<{ customer_id: string }>(desk, '/customers', { search: '129.90' })
    expect(customers.map(({ customer_id }) => customer_id)).toEqual([id])
    expect(page.url()).toContain(demo)
  },

  'compare the models': async (desk) => {
    const { page, demo } = desk
    await openPage(desk, 'campaigns')
    await page.getByRole('radio', { name: 'All five models' }).click()
    const total = page.getByRole('row', { name: /^Total of the profile/ })
    const sums = async () => (await total.innerText()).match(/\$[\d,.]+/g) ?? []
    await expect.poll(async () => (await sums()).length).toBe(5)
    expect(new Set(await sums()).size).toBe(1)
    for (const model of ['first_touch', 'linear']) {
      const { meta } = await ask<{ meta: { reconciliation: { delta: number } } }>(desk, '/campaigns', {
        profile_id: demo,
        model,
        ...lastDays(),
      })
      expect([model, meta.reconciliation.delta]).toEqual([model, 0])
    }
  },

  'explain the gap to the platform': async (desk) => {
    const { page, demo } = desk
    await openPage(desk, 'comparison')
    await page.getByRole('button', { name: 'Explain the gap' }).first().click()
    const steps = page.getByRole('list', { name: 'From the platform’s count to ours' })
    await steps.waitFor()
    const figures = (await steps.locator('li > strong').allInnerTexts()).map((text) =>
      Number(text.replace('−', '-').replace(/[+,]/g, '')),
    )
    const last = figures.pop()!
    expect(figures.reduce((sum, step) => sum + step, 0)).toBeCloseTo(last, 1)
    const { data } = await ask<{ data: { platforms: { platform: string }[] } }>(
      desk,
      '/campaigns/platform-comparison',
      { profile_id: demo, ...lastDays() },
    )
    // Cards have the order of the API.
    const explained = await ask<{ data: { credited: { conversions: number } } }>(
      desk,
      '/campaigns/platform-comparison/explain',
      { profile_id: demo, platform: data.platforms[0]!.platform, ...lastDays() },
    )
    expect(explained.data.credited.conversions).toBeCloseTo(last, 1)
  },

  'filter, save a view and share the link': async (desk) => {
    const { page, context } = desk
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPage(desk, 'campaigns')
    await page.getByRole('radio', { name: 'Ads', exact: true }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Figure').selectOption('ROAS')
    await page.getByLabel('Is', { exact: true }).selectOption('at least')
    await page.getByLabel('Value', { exact: true }).fill('4')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the filter ROAS at least 4' }).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Earners')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('View Earners saved').waitFor()
    const names = page.getByRole('region', { name: 'ads', exact: true }).locator('tbody th a')
    await names.first().waitFor()
    const adNames = await names.allInnerTexts()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    const colleague = await context.newPage()
    await colleague.goto(link)
    const colleagueNames = colleague.getByRole('region', { name: 'ads', exact: true }).locator('tbody th a')
    await expect.poll(() => colleagueNames.allInnerTexts()).toEqual(adNames)
    await colleague.close()
    const views = await list<{ name: string; values: { where: string } }>(desk, '/saved-views')
    expect(views.map(({ name, values }) => [name, values.where])).toContainEqual(['Earners', 'roas>=4'])
  },

  'download a report as CSV': async (desk) => {
    const { page } = desk
    await openPage(desk, 'campaigns')
    await page.getByRole('region', { name: 'campaigns', exact: true }).locator('tbody th a').first().waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    for (const row of await list<CampaignRow>(desk, '/campaigns', lastDays()))
      expect(csv).toContain(row.campaign_name)
    expect(csv).toContain('Unattributed')
  },

  'annotate a day': async (desk) => {
    const { page } = desk
    await openPage(desk, 'overview')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByLabel('Day').fill(yesterday())
    await page.getByLabel('Note', { exact: true }).fill('New prices')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit the note New prices' }).waitFor()
    await page.keyboard.press('Escape')
    const notes = await list<{ day: string; text: string }>(desk, '/annotations', lastDays())
    expect(notes).toContainEqual(expect.objectContaining({ day: yesterday(), text: 'New prices' }))
  },
}
