/** Notes on days, saved views and read notifications. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityId } from '../../server/src/features/facts/ads/entities.ts'
import { recordEvent } from '../../server/src/features/facts/outbox/record.ts'
import { listSavedViews } from '../../server/src/features/insights/saved-views/contract.ts'
import { inTransaction } from '../../server/src/platform/db/database.ts'
import { makePerson } from '../../server/test/make.ts'
import { type Agency, openAgency } from './agency.ts'
import { bringSession, openConsole, picture, seriousFaults } from './visit.ts'

let agency: Agency
let app: Agency['app']
let browser: Agency['browser']
let person: Agency['person']
let workspaceId: Agency['workspaceId']
let profileId: Agency['profileId']
let visit: Agency['visit']
beforeAll(async () => {
  agency = await openAgency()
  ;({ app, browser, person, workspaceId, profileId, visit } = agency)
})
afterAll(() => agency?.close())

const range = 'from=2026-05-01&to=2026-05-31'

it('a note on a day is added, shown on the chart, changed and deleted', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/overview?${range}`)
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByLabel('Day').fill('2026-05-10')
  await page.getByLabel('Note', { exact: true }).fill('Spring sale')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit the note Spring sale' }).click()
  await page.getByLabel('Note', { exact: true }).fill('Spring sale begins')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('button', { name: 'Edit the note Spring sale begins' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.chart-mark').first().waitFor({ state: 'attached' })
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'notes')
  const campaignId = entityId(profileId, 'campaign', 'C2')
  for (const path of ['people?', `campaigns?campaign=${campaignId}&`]) {
    await page.goto(`/p/${profileId}/${path}${range}`)
    await page.getByText('Notes: May 10, Spring sale begins.').waitFor({ state: 'attached' })
    await page.locator('.chart-mark').first().waitFor({ state: 'attached' })
  }
  await page.getByRole('button', { name: 'Notes (1)' }).click()
  await page.getByRole('button', { name: 'Delete the note Spring sale begins' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add note' }).waitFor()
})

it('notifications have a badge until they are read', async () => {
  const { page } = visit
  const now = new Date()
  const data = {
    profile_id: profileId,
    provider: 'social_ads',
    connection_id: profileId,
    status: 'reconnect_required',
    reason: 'token_expired',
  }
  const type = 'connection.reconnect_required'
  await inTransaction(app.service.db, (tx) =>
    recordEvent(tx, { profileId, type, provider: 'platform', occurredAt: now, data }, now),
  )
  await page.goto(`/p/${profileId}/goals`)
  await page.getByRole('button', { name: /Notifications \d+ unread/ }).click()
  await page.getByRole('link', { name: 'Meta stopped: reconnect it' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'notifications')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

it('a view is saved on the server, shared, and shown to someone else', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/campaigns?${range}&level=ad`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByLabel('Name').fill('All ads')
  await page.getByLabel('Share with everyone in this profile').check()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'All ads' }).waitFor()
  const other = await openConsole(browser, app)
  const colleague = await makePerson(app, 'Colleague')
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: colleague.id, role: 'viewer', created_at: new Date() })
    .execute()
  await bringSession(other, colleague)
  await other.page.goto(`/p/${profileId}/campaigns?${range}`)
  await other.page.getByRole('button', { name: 'Views' }).click()
  await other.page.getByText('Shared with you').waitFor()
  await other.page.getByRole('menuitem', { name: 'All ads' }).click()
  await other.page.waitForURL(/level=ad/)
  await other.close()
})

it('views that an earlier release stored in the browser are moved to the server once', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/goals`)
  const storedViews = [
    { name: 'Costly ads', view: { level: 'ad', where: 'spend>=100', from: '2026-01-01' } },
    { name: 'Paused', view: { status: 'PAUSED' } },
  ]
  const storage = `'whence.views.${profileId}'`
  await page.evaluate(`localStorage.setItem(${storage}, ${JSON.stringify(JSON.stringify(storedViews))})`)
  await page.goto(`/p/${profileId}/campaigns?${range}`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Paused' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(`localStorage.getItem(${storage})`)).toBeNull()
  const { data } = await person.call(listSavedViews, { query: { profile_id: profileId } })
  expect(data.filter(({ own }) => own).map(({ name, values, shared }) => [name, values, shared])).toEqual(
    expect.arrayContaining([
      ['Costly ads', { level: 'ad', where: 'spend>=100' }, false],
      ['Paused', { status: 'PAUSED' }, false],
    ]),
  )
})
