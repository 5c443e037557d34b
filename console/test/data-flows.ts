/** Flows for setting up data: set-up, goals, imports, and finding pages by keyboard. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openSearch, picture, pressEnter } from './visit.ts'

export type DataWorld = { page: Page; profileId: string; emptyProfileId: string }

export function dataFlows(world: () => DataWorld): void {
  it('finds a page and a campaign by a few letters, by keyboard alone', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/overview?from=2026-05-01&to=2026-05-31`)
    await page.getByText('Best campaigns').waitFor()
    await openSearch(page)
    await page.keyboard.type('goal')
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Goals' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Goals' }).waitFor()
    await openSearch(page)
    await page.keyboard.type('of c2')
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Name of C2' }).waitFor()
    await picture(page, 'command-menu')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Name of C2' }).waitFor()
  })

  it('defines a goal, changes it and deletes it, by keyboard', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/goals`)
    await pressEnter(page.getByRole('button', { name: 'New goal' }))
    await page.locator('input[name=display_name]:focus').waitFor()
    await page.keyboard.type('Trial started')
    await page.keyboard.press('Tab')
    await page.keyboard.type('trial_started, trial')
    await page.keyboard.press('Enter')
    await page.getByText('Trial started · events trial_started, trial').waitFor()
    await pressEnter(page.getByRole('button', { name: 'Edit Trial started' }))
    await page.getByLabel('Event names').fill('trial_started')
    await page.keyboard.press('Enter')
    await page.getByText('Trial started · events trial_started', { exact: true }).waitFor()
    await pressEnter(page.getByRole('button', { name: 'Delete Trial started' }))
    await pressEnter(page.getByRole('button', { name: 'Delete goal' }))
    await page.getByText('Trial started', { exact: true }).waitFor({ state: 'detached' })
  })

  it('validates a file of spend line by line before it is imported', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/imports`)
    const lines = [
      'source,level,campaign_id,campaign_name,date,spend,currency',
      'podcast,campaign,spring,Spring podcast,2026-05-03,12.50,EUR',
      'podcast,campaign,spring,Spring podcast,3 May,1,EUR',
    ]
    await page.getByLabel('CSV file').setInputFiles({
      name: 'may.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByText('date: must be a date of the form YYYY-MM-DD').waitFor()
    await picture(page, 'import-preview')
    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await page.getByText('1 line added, 0 changed, 0 unchanged.').waitFor()
    await page.goto(`/p/${profileId}/campaigns?from=2026-05-01&to=2026-05-31`)
    await page.getByText('Spring podcast').waitFor()
  })

  it('imports offline sales from pasted rows once, and reports invalid rows', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/imports?tab=sales`)
    await page.getByText('Ad spend', { exact: true }).waitFor()
    const rows = [
      'Day\tTotal\tReceipt\tEmail',
      '9/5/2026\t12.50\tR-1\tknown@example.com',
      '10/5/2026\tsix\tR-2\t',
    ]
    await page.getByLabel('Or paste the rows').fill(rows.join('\n'))
    await page.getByText('Choose the column with the date.').waitFor()
    await page.getByLabel('Date', { exact: true }).selectOption('0')
    await page.getByLabel('Dates are written as').selectOption('dmy')
    await page.getByText('Amount is not an amount such as 1,234.50.').waitFor()
    await picture(page, 'sales-preview')
    await page.getByRole('button', { name: 'Import 1 sale' }).click()
    await page.getByText('1 added, 0 changed, 0 unchanged, 0 rejected.').waitFor()
    await page.reload()
    await page.getByLabel('Or paste the rows').fill(rows.join('\n').replace('Day', 'Date'))
    await page.getByLabel('Dates are written as').selectOption('dmy')
    await page.getByRole('button', { name: 'Import 1 sale' }).click()
    await page.getByText('0 added, 0 changed, 1 unchanged, 0 rejected.').waitFor()
  })

  it('shows what an empty profile needs, and changes its name, time zone and currency', async () => {
    const { page, emptyProfileId } = world()
    await page.goto(`/p/${emptyProfileId}/overview`)
    await page.getByText('Set up Second shop').waitFor()
    await page.goto(`/p/${emptyProfileId}/setup`)
    await page.getByText('Put the tracker on your site').waitFor()
    await page.getByLabel('Business name').fill('Third shop')
    await page.getByLabel('Time zone').fill('Asia/Tokyo')
    await page.getByLabel('Currency').selectOption('JPY')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByRole('button', { name: /^Profile Third shop/ }).waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('JPY')
  })
}
