import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import type { ConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, picture, pressEnter, untilClosed, type Visit } from './visit.ts'

export function connectFlows(world: () => ConsoleWorld): void {
  let owner: Person
  let workspaceId: string
  let visit: Visit
  beforeAll(async () => {
    owner = await makePerson(world().app)
    workspaceId = await makeWorkspace(owner)
    visit = await openConsole(world().browser, world().app)
    await makeProfile(owner, workspaceId, { name: 'First' })
    await bringSession(visit, owner)
  })
  afterAll(() => visit?.close())

  /** A new profile, so that tests do not share connections. */
  async function openConnections(inWorkspace = workspaceId): Promise<Page> {
    const profileId = await makeProfile(owner, inWorkspace, {
      name: `Shop ${randomBytes(3).toString('hex')}`,
    })
    const { page } = visit
    await page.goto(`/p/${profileId}/connections`)
    await page.getByText('No connections yet').waitFor()
    return page
  }

  async function consent(
    page: Page,
    choice: string,
    open = 'Connect Meta',
    provider = 'Meta',
  ): Promise<void> {
    await page.getByRole('button', { name: open, exact: true }).click()
    await page.getByRole('button', { name: 'Get the link' }).click()
    const [screen] = await Promise.all([
      visit.context.waitForEvent('page'),
      page.getByRole('link', { name: `Continue to ${provider}` }).click(),
    ])
    await screen.locator(`[data-choice="${choice}"]`).click()
    await screen.locator('[role=status], [role=alert]').waitFor()
    await screen.close()
  }

  it('connects the only account of the consent, and shows its sync', async () => {
    const page = await openConnections()
    await consent(page, 'approve-one')
    await page.getByText('Meta is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/Waiting to sync|Syncing/).waitFor()
    await picture(page, 'connections')
    await drainJobs(world().app.service, jobs)
    await page.getByText(/^Synced/).waitFor()
    await page.getByText('Connected', { exact: true }).first().waitFor()
  })

  type Level = 'campaigns' | 'ad sets' | 'ads'

  /** Buttons of the report's rows, once all rows are loaded. Other pages and levels have such buttons too. */
  async function rowButtons(level: Level): Promise<Locator> {
    const { page } = visit
    const table = page.getByRole('region', { name: level, exact: true })
    const buttons = table.getByRole('button', { name: /^Actions for / })
    await buttons.first().waitFor()
    await page.getByText(/^Loading: /).waitFor({ state: 'detached' })
    return buttons
  }

  /** Opens the rows' menus one by one until one has the action; returns the label of that row's button. */
  async function openMenuWith(level: Level, action: string): Promise<string> {
    const { page } = visit
    const buttons = await rowButtons(level)
    for (const button of await buttons.all()) {
      await pressEnter(button)
      await page.getByRole('menuitem').first().waitFor()
      if ((await page.getByRole('menuitem', { name: action, exact: true }).count()) > 0)
        return (await page
          .locator('button[aria-expanded=true][aria-haspopup=menu]')
          .getAttribute('aria-label'))!
      await page.keyboard.press('Escape')
      await untilClosed(page)
    }
    throw new Error(`No row offers: ${action}`)
  }

  it('pauses a campaign at the platform from the report, by keyboard, and offers to resume it', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Campaigns', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Campaigns', exact: true }).waitFor()
    const label = await openMenuWith('campaigns', 'Pause')
    await pressEnter(page.getByRole('menuitem', { name: 'Pause', exact: true }))
    await pressEnter(page.getByRole('button', { name: 'Pause campaign' }))
    await page.getByText(/ is paused$/).waitFor()
    await untilClosed(page)
    await pressEnter((await rowButtons('campaigns')).and(page.getByLabel(label, { exact: true })))
    await page.getByRole('menuitem', { name: 'Resume', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await untilClosed(page)
  })

  it('pauses and resumes one ad', async () => {
    const { page } = visit
    await page.getByRole('radio', { name: 'Ads', exact: true }).click()
    for (const action of ['Pause', 'Resume']) {
      await openMenuWith('ads', action)
      await pressEnter(page.getByRole('menuitem', { name: action, exact: true }))
      await pressEnter(page.getByRole('button', { name: `${action} ad`, exact: true }))
      await untilClosed(page)
    }
    await page.getByText(/ is running$/).waitFor()
  })

  /** Changes that the platform received, oldest first. */
  async function adWrites(): Promise<unknown[]> {
    const reply = await fetch(`${world().app.baseUrl}/sandbox/writes`)
    const { data } = (await reply.json()) as { data: { provider: string }[] }
    return data.filter((write) => write.provider === 'social_ads')
  }

  it('undoes the pause of an ad, also at the platform, and logs both', async () => {
    const { page } = visit
    // Without the toasts of the previous test.
    await page.reload()
    await openMenuWith('ads', 'Pause')
    await pressEnter(page.getByRole('menuitem', { name: 'Pause', exact: true }))
    const before = await adWrites()
    await pressEnter(page.getByRole('button', { name: 'Pause ad', exact: true }))
    const toast = page.locator('.toast', { hasText: / is paused/ })
    await pressEnter(toast.getByRole('button', { name: 'Undo' }))
    await page.getByText('Undone').waitFor()
    await picture(page, 'ad-paused')
    expect((await adWrites()).slice(before.length)).toEqual([
      expect.objectContaining({ status: 'PAUSED' }),
      expect.objectContaining({ status: 'ACTIVE' }),
    ])
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const rows = page.getByRole('region', { name: 'Activity' }).locator('tbody tr')
    await rows.nth(1).waitFor()
    expect(await rows.nth(0).innerText()).toMatch(/^Ad resume\s+\S+ · Changed · ACTIVE/)
    expect(await rows.nth(1).innerText()).toMatch(/^Ad pause\s+\S+ · Changed · PAUSED/)
    await page.getByRole('link', { name: 'Campaigns', exact: true }).press('Enter')
    await page.getByRole('region', { name: 'campaigns', exact: true }).waitFor()
  })

  it('changes a budget at the platform from the report, and shows why another is rejected', async () => {
    const { page } = visit
    await page.getByRole('radio', { name: 'Ad sets', exact: true }).click()
    const budget = page.getByLabel('Per day')
    // An ad set whose campaign has the budget has no budget action.
    await openMenuWith('ad sets', 'Change the budget')
    await pressEnter(page.getByRole('menuitem', { name: 'Change the budget' }))
    await page.locator('input[name=budget]:focus').waitFor()
    // The platform rejects changes of more than half.
    const next = Math.round(Number(await budget.inputValue()) * 120) / 100
    await budget.fill('0')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await budget.fill(next.toFixed(2))
    await page.keyboard.press('Enter')
    await page
      .getByText(`Daily budget is ${next} `)
      .or(page.getByText(`Daily budget is ${next.toFixed(2)} `))
      .first()
      .waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('maps the stages of a CRM and saves the mapping', async () => {
    const page = await openConnections()
    await consent(page, 'approve-one', 'Connect HighLevel', 'HighLevel')
    await page.getByText('HighLevel is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const open = async () => {
      await pressEnter(page.getByRole('button', { name: /^Actions for HighLevel/ }))
      await pressEnter(page.getByRole('menuitem', { name: 'What each stage means' }))
    }
    await open()
    const stage = page.getByRole('dialog').getByRole('combobox').first()
    await stage.selectOption('Quote presented')
    await picture(page, 'stages')
    await page.getByRole('button', { name: 'Save stages' }).click()
    await page.getByText('Stages saved. Records are being processed again').waitFor()
    await page.reload()
    await open()
    await expect.poll(() => stage.inputValue()).toBe('quote_presented')
    await page.keyboard.press('Escape')
  })

  it('lets the person choose among several accounts', async () => {
    const page = await openConnections()
    await consent(page, 'approve-several')
    await page.getByText('Which account belongs to this profile?').waitFor()
    await picture(page, 'choose-account')
    const second = page.getByRole('radio').nth(1)
    const chosen = await second.inputValue()
    // A postponed choice is shown on the page.
    await page.getByRole('button', { name: 'Later' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Choose account', exact: true }).click()
    await second.check()
    await page.getByRole('button', { name: 'Connect this account' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText(chosen).waitFor()
    await page.getByRole('button', { name: 'Choose account', exact: true }).waitFor({ state: 'detached' })
  })

  it('a broken connection is shown on every page, and reconnecting another account is reported', async () => {
    // An account can belong to one profile of a workspace only; the first profile uses these.
    const page = await openConnections(await makeWorkspace(owner))
    await consent(page, 'approve-one')
    await page.getByText('Meta is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const profileId = /\/p\/([^/]+)/.exec(page.url())![1]!
    await world()
      .app.service.db.updateTable('connections')
      .set({ status: 'reconnect_required' })
      .where('profile_id', '=', profileId)
      .execute()
    await page.goto(`/p/${profileId}/payments`)
    await page.getByText(/Meta .* stopped working: no new data arrives/).waitFor()
    await page.getByRole('link', { name: 'Reconnect' }).click()
    await consent(page, 'approve-several', 'Reconnect')
    await page.getByRole('radio').nth(1).check()
    await page.getByRole('button', { name: 'Connect this account' }).click()
    await page.getByText('Another account was connected.').waitFor()
    await picture(page, 'other-account')
    await page.getByRole('button', { name: /^Remove / }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Disconnected', { exact: true }).waitFor()
  })

  it('shows the calendars of an account by name, creates one and shares it', async () => {
    const page = await openConnections()
    await consent(page, 'approve-one', 'Connect Google Calendar', 'Google Calendar')
    await page.getByText('Google Calendar is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await drainJobs(world().app.service, jobs)
    await page.getByText(/^Synced/).waitFor()
    await pressEnter(page.getByRole('button', { name: /^Actions for Google Calendar/ }))
    await pressEnter(page.getByRole('menuitem', { name: 'Calendars of this account' }))
    await page.getByText('Showroom', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New calendar' }).click()
    await page.getByLabel('Name').fill('Visits')
    await page.getByRole('button', { name: 'Create calendar' }).click()
    await page.getByRole('button', { name: 'Share Visits' }).click()
    await page.getByLabel('Email').fill('colleague@example.com')
    await page.getByRole('button', { name: 'Share calendar' }).click()
    await page.getByText('Shared with colleague@example.com').waitFor()
    await page.keyboard.press('Escape')
  })

  it('chooses the accounts whose messages are received', async () => {
    const page = await openConnections(await makeWorkspace(owner))
    await consent(page, 'approve-one')
    await page.getByText('Meta is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Choose accounts' }).click()
    await page
      .getByRole('button', { name: /^Receive .*WhatsApp/ })
      .first()
      .click()
    await page.getByText(/^Receiving /).waitFor()
    await page.getByRole('button', { name: /^Stop receiving .*WhatsApp/ }).click()
    await page.getByText(/^Stopped receiving /).waitFor()
    await page
      .getByRole('button', { name: /^Receive .*WhatsApp/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('connects a mailbox under its vendor’s name, with nothing to sync', async () => {
    const page = await openConnections()
    await consent(page, 'approve-one', 'Connect Outlook', 'Outlook')
    await page.getByText('Outlook is connected. Reports are sent from it.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'studio@harborandpine.example' })
    await row.getByText('Connected', { exact: true }).waitFor()
    expect(await row.getByText('Outlook').count()).toBe(1)
    expect(await row.getByText(/sync/i).count()).toBe(0)
    await picture(page, 'mailbox')
    await pressEnter(row.getByRole('button', { name: /^Actions for Outlook/ }))
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Disconnect'])
    await pressEnter(page.getByRole('menuitem', { name: 'Disconnect' }))
    await page.getByText('Reports and emails are no longer sent from this mailbox.').waitFor()
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await row.getByText('Disconnected', { exact: true }).waitFor()
  })

  it('reports a declined consent, and connects nothing', async () => {
    const page = await openConnections()
    await consent(page, 'decline')
    await page.getByText('Access was declined at Meta.').waitFor()
    await picture(page, 'declined')
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await untilClosed(page)
    expect(await page.getByText('No connections yet').count()).toBe(1)
  })
}
