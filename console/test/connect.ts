import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import type { House } from './house.ts'
import { bringSession, openConsole, picture, type Visit } from './visit.ts'

export function connectFlows(house: () => House): void {
  let owner: Person
  let workspaceId: string
  let visit: Visit
  beforeAll(async () => {
    owner = await makePerson(house().app)
    workspaceId = await makeWorkspace(owner)
    visit = await openConsole(house().browser, house().app)
    await makeProfile(owner, workspaceId, { name: 'First' })
    await bringSession(visit, owner)
  })
  afterAll(() => visit?.close())

  /** A profile of its own, so that no test meets another's connections. */
  async function openConnections(): Promise<Page> {
    const profileId = await makeProfile(owner, workspaceId, {
      name: `Shop ${randomBytes(3).toString('hex')}`,
    })
    const { page } = visit
    await page.goto(`/p/${profileId}/connections`)
    await page.getByText('Nothing is connected yet').waitFor()
    return page
  }

  async function consent(page: Page, choice: string): Promise<void> {
    await page.getByRole('button', { name: 'Connect Social Ads' }).click()
    await page.getByRole('button', { name: 'Get the link' }).click()
    const [screen] = await Promise.all([
      visit.context.waitForEvent('page'),
      page.getByRole('link', { name: /Continue to Social Ads/ }).click(),
    ])
    await screen.locator(`[data-choice="${choice}"]`).click()
    await screen.locator('[role=status], [role=alert]').waitFor()
    await screen.close()
  }

  it('connects the one account that the consent gave, and shows its sync', async () => {
    const page = await openConnections()
    await consent(page, 'approve-one')
    await page.getByText('Social Ads is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/Waiting to sync|Syncing/).waitFor()
    await picture(page, 'connections')
    await drainJobs(house().app.service, jobs)
    await page.getByText(/^Synced/).waitFor()
    expect(await page.getByText('Connected', { exact: true }).count()).toBeGreaterThan(0)
  })

  it('lets the person choose among several accounts', async () => {
    const page = await openConnections()
    await consent(page, 'approve-several')
    await page.getByText('Which account belongs to this profile?').waitFor()
    await picture(page, 'choose-account')
    const second = page.getByRole('radio').nth(1)
    const chosen = await second.inputValue()
    await second.check()
    await page.getByRole('button', { name: 'Connect this account' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText(chosen).waitFor()
  })

  it('says that it was declined, and connects nothing', async () => {
    const page = await openConnections()
    await consent(page, 'decline')
    await page.getByText('The request was declined at Social Ads.').waitFor()
    await picture(page, 'declined')
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(await page.getByText('Nothing is connected yet').count()).toBe(1)
  })
}
