/** Data health of reports: missing amounts and their fix, the last day with data, help, and printing. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import type { TestApp } from '../../server/test/app.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makeKey, makeProfile, type Person } from '../../server/test/make.ts'
import { picture, pressEnter, seriousFaults } from './visit.ts'

export type HealthWorld = {
  app: TestApp
  page: Page
  person: Person
  workspaceId: string
  profileId: string
}

const reports = [
  'Overview',
  'Campaigns',
  'Channels',
  'Unattributed',
  'Platform comparison',
  'Payments',
  'People reached',
  'Patterns',
  'Pacing',
  'Recommendations',
  'Experiments',
]

export function healthFlows(world: () => HealthWorld): void {
  it('every report shows the last day with data', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/goals?from=2026-05-01&to=2026-05-31`)
    // On a low screen, some menu groups start collapsed.
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor()
    const folded = page.locator('button.nav-group[aria-expanded=false]')
    while ((await folded.count()) > 0) await folded.first().click()
    for (const name of reports) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      const through = page.locator('.data-through', { hasText: 'Computed' }).first()
      await expect.poll(() => through.innerText(), { message: name }).toContain('Ad data through May 3, 2026')
    }
  })

  it('a missing exchange rate is shown on every page, with its fix', async () => {
    const { app, page, person, workspaceId } = world()
    const profileId = await makeProfile(person, workspaceId, { name: 'Export shop' })
    const call = app.as(await makeKey(app, profileId, ['events:write']))
    await call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key: 'in-yen',
        properties: { value: 5000, currency: 'JPY' },
        user_traits: { email: 'yuki@example.com' },
      },
    })
    await app.service.processor.settled(profileId)
    await page.goto(`/p/${profileId}/goals`)
    await page
      .getByText('1 amount missing from the last 28 days: no exchange rate from JPY to EUR.')
      .waitFor()
    await page.getByRole('link', { name: /^Set up 1 need attention/ }).waitFor()
    await picture(page, 'rate-missing')
    await page.getByRole('link', { name: 'Fix it' }).click()
    await page.getByText(/1 amount missing: no exchange rate to EUR from JPY/).waitFor()
    await page.getByRole('link', { name: 'More about rates' }).click()
    await page.locator('h3:focus', { hasText: 'Exchange rates' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto(`/p/${profileId}/overview`)
    await page.getByText(/1 amount missing: no exchange rate/).waitFor()
    // Shown once: the report has the notice, so there is no banner.
    await page.getByText('amount missing from the last 28 days').waitFor({ state: 'detached' })
    const revenue = page.locator('.stat', { hasText: 'Revenue' }).locator('dd').first()
    await expect.poll(() => revenue.innerText()).toBe('–')
  })

  it('the question mark next to a title opens the page’s part of the guide, without leaving the service', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/campaigns?from=2026-05-01&to=2026-05-31`)
    await pressEnter(page.getByRole('link', { name: 'Help on Campaigns' }))
    await page.locator('h2:focus', { hasText: 'Campaigns' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#campaigns')
    await picture(page, 'help')
  })

  it('a requested recompute is shown on the reports until it is done', async () => {
    const { app, page, profileId } = world()
    await page.goto(`/p/${profileId}/settings?tab=attribution`)
    await page.getByRole('button', { name: 'Recompute now' }).click()
    const waiting = page.getByText('Attribution is waiting to be recomputed.')
    await waiting.waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await waiting.waitFor()
    await drainJobs(app.service, jobs)
    await waiting.waitFor({ state: 'detached' })
  })

  it('progress of a recompute is shown on reports whose figures may still change', async () => {
    const { page, profileId } = world()
    await page.route(/\/reports\/overview/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.meta.freshness.stale = true
      await route.fulfill({ response: answer, json: body })
    })
    await page.route(/\/tracking\/replay-status/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.data = { ...body.data, state: 'running', conversions: 1200, finished_at: null }
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`/p/${profileId}/overview?from=2026-05-01&to=2026-05-31`)
    await page.getByText('Attribution is being recomputed: 1,200 conversions so far.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('shows sums of eleven digits inside their tiles', async () => {
    const { page, profileId } = world()
    await page.route(/\/reports\/overview/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      Object.assign(body.data.totals, { spend: 12_345_678_900, revenue: 98_765_432_100 })
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`/p/${profileId}/overview?from=2026-05-01&to=2026-05-31`)
    await page
      .getByText(/98,765,432,100/)
      .first()
      .waitFor()
    const excess = `[...document.querySelectorAll('.stat dd')].map((one) => one.scrollWidth - one.clientWidth)`
    expect(new Set(await page.evaluate<number[]>(excess))).toEqual(new Set([0]))
    const lines = `[...document.querySelectorAll('.stat dd.long')].map((one) => one.getClientRects()[0].height)`
    expect(Math.max(...(await page.evaluate<number[]>(lines)))).toBeLessThan(40)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('prints only the figures', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/campaigns?from=2026-05-01&to=2026-05-31`)
    await page.getByText('Name of C2').waitFor()
    await page.emulateMedia({ media: 'print' })
    await picture(page, 'print')
    for (const around of ['.sidebar', '.page-head > .toolbar', '.report-filters', '.help-link'])
      expect([around, await page.locator(around).first().isVisible()]).toEqual([around, false])
    expect(await page.getByRole('row', { name: /^Name of C2/ }).isVisible()).toBe(true)
    // A4 width without margins, in pixels: every column is on the paper.
    const screen = page.viewportSize()!
    await page.setViewportSize({ width: 1047, height: 718 })
    const excess = `[...document.querySelectorAll('.table-scroll')].map((one) => one.scrollWidth - one.clientWidth)`
    expect(await page.evaluate(excess)).toEqual([0])
    const { overflowX, fontSize } = await page.evaluate<{ overflowX: string; fontSize: string }>(`({
      overflowX: getComputedStyle(document.querySelector('.table-scroll')).overflowX,
      fontSize: getComputedStyle(document.querySelector('.table td')).fontSize,
    })`)
    expect([overflowX, fontSize]).toEqual(['visible', '8px'])
    await page.setViewportSize(screen)
    await page.emulateMedia({ media: 'screen' })
  })
}
