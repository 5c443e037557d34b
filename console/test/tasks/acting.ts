/** Tasks that change something: at the platforms, conversions sent, customers and rules. */
import { expect } from 'vitest'
import { untilClosed } from '../visit.ts'
import { ask, lastDays, list, type Tasks, yesterday } from './desk.ts'

type Status = { platform_id: string; ad_name: string; status: string }

export const actingTasks: Tasks = {
  'pause an ad': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/campaigns?level=ad&q=Customer+story`)
    const rows = page.getByRole('region', { name: 'ads', exact: true })
    const label = (await rows
      .getByLabel(/^Actions for/)
      .first()
      .getAttribute('aria-label'))!
    const name = label.replace('Actions for ', '')
    await rows.getByLabel(label, { exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    const [reply] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().includes('/pause'),
      ),
      page.getByRole('dialog').getByRole('button', { name: 'Pause ad' }).click(),
    ])
    const id = new URL(reply.url()).pathname.split('/').at(-2)
    const undo = page
      .locator('.toast', { hasText: `${name} is paused` })
      .getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await untilClosed(page)
    const state = async () =>
      JSON.stringify(
        (await list<Status>(desk, '/campaigns', { level: 'ad', ...lastDays() })).find(
          (row) => row.platform_id === id,
        ),
      )
    expect(await state()).toContain('PAUSED')
    await undo.press('Enter')
    await expect.poll(state).toContain('ACTIVE')
  },

  'apply a recommendation and undo it': async (desk) => {
    const { page, demo, workspaceId } = desk
    const applied = async () =>
      (
        await ask<{ data: { id: string }[] }>(desk, `/workspaces/${workspaceId}/recommendations`, {
          status: 'applied',
          profile_ids: demo,
        })
      ).data.length
    const before = await applied()
    await page.goto(`/p/${demo}/recommendations`)
    const card = page.locator('.card', { has: page.getByRole('heading', { name: /^Pause/ }) }).first()
    const title = await card.getByRole('heading').innerText()
    await card.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await applied()).toBe(before + 1)
    await page.getByRole('radio', { name: 'Applied' }).click()
    const done = page.locator('.card', { has: page.getByRole('heading', { name: title }) })
    await done.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(applied).toBe(before)
  },

  'set up sending conversions': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/exports`)
    await page.getByRole('button', { name: 'New destination' }).click()
    await page.getByLabel('Platform').selectOption('shortvideo')
    await page.getByLabel('Pixel code').fill('CDESK0123456789')
    await page.getByLabel('Access token').fill('pasted-at-the-desk')
    await page.getByLabel('Name').fill('Clips')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Actions for Clips' }).waitFor()
    const destinations = await list<{ display_name: string }>(desk, '/exports/destinations')
    expect(destinations.map(({ display_name }) => display_name)).toContain('Clips')
  },

  'create an audience': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/exports?tab=audiences`)
    await page.getByLabel('Name', { exact: true }).fill('Best buyers')
    await page.getByLabel('From day').fill(lastDays().date_from)
    await page.getByLabel('To day').fill(lastDays().date_to)
    await page.getByLabel('I accept Meta’s terms').check()
    await page.getByRole('button', { name: 'Count customers' }).click()
    await page.getByText(/customers match/).waitFor()
    const [reply] = await Promise.all([
      page.waitForResponse(
        (response) =>
          response.url().includes('/audiences') &&
          response.request().method() === 'POST' &&
          response.status() === 202,
      ),
      (async () => {
        await page.getByRole('button', { name: /^Send [\d,]+ customers?$/ }).click()
        await page.getByRole('button', { name: 'Send audience' }).click()
      })(),
    ])
    await page.getByText(/sent to Meta\./).waitFor()
    expect(((await reply.json()) as { data: { queued: number } }).data.queued).toBeGreaterThan(0)
  },

  'import offline sales': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/imports?tab=sales`)
    const rows = ['date,amount,order,email', `${yesterday()} 14:30,77.70,R-77,till@example.com`]
    await page.getByLabel('Or paste the rows').fill(rows.join('\n'))
    await page.getByText('1 row, no problems').waitFor()
    await page.getByRole('button', { name: 'Import 1 sale' }).click()
    const imported = async () => {
      await desk.settled()
      return JSON.stringify(await list(desk, '/customers', { search: 'till@example.com' }))
    }
    await expect.poll(imported).toContain('77.7')
  },

  'merge two people and undo it': async (desk) => {
    const { page, demo } = desk
    const merged = async () => (await list(desk, '/identity/merge-proposals', { status: 'merged' })).length
    const before = await merged()
    await page.goto(`/p/${demo}/identity`)
    await page
      .getByRole('button', { name: /^Preview the merge/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(merged).toBe(before + 1)
    await page.getByRole('radio', { name: /^Merged/ }).click()
    await page
      .getByRole('button', { name: /^Undo the merge/ })
      .first()
      .click()
    await expect.poll(merged).toBe(before)
  },

  'erase a person': async (desk) => {
    const { page, demo } = desk
    const matchCount = async () =>
      (await list(desk, '/customers', { search: 'paula.reyes@example.com' })).length
    expect(await matchCount()).toBe(1)
    await page.goto(`/p/${demo}/customers`)
    await page.getByLabel('Find a customer').fill('paula reyes')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Paula Reyes' }).click()
    await page.getByRole('link', { name: 'Erase this person' }).click()
    await page.getByRole('button', { name: 'Erase the person' }).click()
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await desk.settled()
    await expect.poll(matchCount).toBe(0)
  },

  'change a channel rule': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/channels`)
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Site', { exact: true }).fill('partner.example')
    await page.getByLabel('Assign to channel').selectOption('affiliate')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('Site and its subdomains → Affiliate').waitFor()
    const { data } = await ask(desk, '/quality/channel-rules', { profile_id: demo })
    expect(JSON.stringify(data)).toContain('partner.example')
  },
}
