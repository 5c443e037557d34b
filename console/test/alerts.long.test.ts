/** Alerts and targets in the browser: by day on a desktop and by night on a phone. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluateProfile } from '../../server/src/features/sharing/alerts/evaluate.ts'
import { addDays, listDays } from '../../server/src/platform/contract/dates.ts'
import { localDay } from '../../server/src/platform/contract/zones.ts'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { jobContext } from '../../server/test/job-context.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import { bringSession, openConsole, phone, pictures, seriousFaults, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let owner: Person
let profileId: string
let yesterday: string
const visits: Visit[] = []
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId, { name: 'Hazel & Pine' })
  await makeAdWorld(app, profileId, app.as(await makeKey(app, profileId, ['events:write'])))
  // Before 06:00 in the profile's time zone, yesterday is not evaluated yet.
  const today = localDay(app.service.clock.now(), 'Europe/Madrid')
  const now = new Date(`${today}T11:00:00Z`)
  app.service.clock.now = () => now
  yesterday = addDays(today, -1)
  const setDays = (
    days: readonly string[],
    outcome: string,
    revenue: string,
    conversions: number,
    minor: number,
  ) =>
    app.pool.query(
      `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
       select $1, d::date, $3, $4, $5, $6, 0 from unnest($2::text[]) d
       on conflict (profile_id, day, outcome_type, revenue_type) do update set value_minor = excluded.value_minor`,
      [profileId, days, outcome, revenue, conversions, minor],
    )
  await setDays(listDays(addDays(yesterday, -120), yesterday), 'payment_received', 'cash', 12, 90_000)
  await setDays(listDays(addDays(yesterday, -120), yesterday), 'lead_created', 'pipeline', 4, 0)
  const bad = [-61, -60, -30, 0].map((back) => addDays(yesterday, back))
  await setDays(bad, 'payment_received', 'cash', 12, 12_345)
  for (const look of [{}, { viewport: phone, dark: true }]) {
    const visit = await openConsole(browser, app, look)
    visits.push(visit)
    await bringSession(visit, owner)
  }
})
afterAll(async () => {
  for (const visit of visits) await visit.close()
  await browser?.close()
  await app?.close()
})

const names = ['desktop', 'phone']

it('a rule previews how often it would have fired, fires, is shown on Overview and in the log, and is muted', {
  timeout: 240_000,
}, async () => {
  for (const [index, { page }] of visits.entries()) {
    const look = names[index]!
    const name = `Bad day ${look}`
    await page.goto(`/p/${profileId}/alerts`)
    await page.getByRole('button', { name: 'New alert' }).click()
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Alert when it').selectOption('below value')
    await dialog.getByLabel('Over').selectOption('1')
    await dialog.getByLabel('Threshold in EUR').fill('300')
    await dialog.getByText('Would have fired 3 times in the last 90 days.').waitFor()
    await pictures(page, `alert-form-${look}`, index === 1)
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save alert' }).click()
    await page.getByText('Waiting for the first check').waitFor()
    const now = new Date(`${addDays(yesterday, 1)}T11:00:00Z`)
    await evaluateProfile(jobContext(app.service, { now }), profileId)
    await page.reload()
    await page.getByText('Firing since').first().waitFor()
    await page.getByText('Not recovered').first().waitFor()
    await pictures(page, `alerts-${look}`, index === 1)
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.goto(`/p/${profileId}/overview`)
    await page.getByRole('link', { name: '1 alert is firing' }).click()
    await page.getByRole('button', { name: `Mute ${name}` }).click()
    await page.getByText('Muted until').first().waitFor()
    const read = page.waitForResponse((reply) => new URL(reply.url()).pathname.endsWith('/api/v1/alerts'))
    await page.goto(`/p/${profileId}/overview`)
    await (await read).finished()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.getByText('is firing').count()).toBe(0)
  }
})

it('a goal has a target with the value expected by now', async () => {
  for (const [index, { page }] of visits.entries()) {
    await page.goto(`/p/${profileId}/goals`)
    await page.getByRole('button', { name: 'Target of Lead', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Target for Lead' })
    await dialog.getByRole('spinbutton', { name: 'Target' }).fill('240')
    await dialog.getByRole('button', { name: 'Save target' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('of 240').waitFor()
    await pictures(page, `goal-target-${names[index]}`, index === 1)
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
})

it('channels show their revenue per day as a line', async () => {
  const [{ page }] = visits as [Visit]
  await page.goto(`/p/${profileId}/channels?from=2026-05-01&to=2026-05-10`)
  const table = page.getByRole('region', { name: 'Revenue by channel' })
  await table.locator('svg polyline').first().waitFor()
  await pictures(page, 'channel-days', false)
})
