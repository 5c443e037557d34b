import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveAdDetails } from '../../server/src/features/facts/ads/details.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { inTransaction } from '../../server/src/platform/db/database.ts'
import { makeAdWorld, makeCreative } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import { dataFlows } from './data-flows.ts'
import { healthFlows } from './health.ts'
import { identityFlows } from './identity.ts'
import { paymentFlows } from './payment-flows.ts'
import { bringSession, openConsole, pressEnter, untilClosed, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let visit: Visit
let page: Page
let profileId: string
let emptyProfileId: string
let person: Person
let workspaceId: string
const KNOWN = 'known@example.com'
const range = 'from=2026-05-01&to=2026-05-31'

beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person)
  profileId = await makeProfile(person, workspaceId)
  emptyProfileId = await makeProfile(person, workspaceId, { name: 'Second shop' })
  const key = await makeKey(app, profileId, ['events:write'])
  await makeAdWorld(app, profileId, app.as(key))
  await app.as(key)(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: 'known', user_traits: { email: KNOWN } },
  })
  await app.service.processor.settled(profileId)
  await inTransaction(app.service.db, (tx) =>
    saveAdDetails(tx, profileId, [makeCreative('A3', { title: 'We cook together again' })], new Date()),
  )
  visit = await openConsole(browser, app)
  page = visit.page
  await bringSession(visit, person)
})
afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await app?.close()
})

const rowText = async (name: string | RegExp) =>
  (await page.getByRole('row', { name }).innerText()).replace(/\s+/g, ' ')

const focused = () => page.evaluate('document.activeElement.textContent')

const tabTo = async (text: string) => {
  for (let step = 0; step < 40; step++) {
    if ((await focused()) === text) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No way by Tab to ${text}`)
}

describe('reports in the console', () => {
  it('shows spend and revenue, and their chart', async () => {
    const requestedPaths: string[] = []
    const onRequest = (request: { url(): string }) => requestedPaths.push(new URL(request.url()).pathname)
    page.on('request', onRequest)
    await page.goto(`/p/${profileId}/overview?${range}`)
    const figure = (label: string) => page.locator('.stat', { hasText: label }).locator('dd').first()
    await page.getByText('€150', { exact: true }).waitFor()
    for (const [label, text] of [
      ['Spend', '€70'],
      ['Credited to ads', '€130'],
      ['Total ROAS', '2.14×'],
      ['Ad ROAS', '1.86×'],
      ['CAC', '€35.00'],
    ] as const)
      await expect.poll(() => figure(label).innerText(), { message: label }).toBe(text)
    await page.locator('.chart-surface').first().waitFor()
    await expect.poll(() => requestedPaths).toContain('/api/v1/notifications')
    page.off('request', onRequest)
    // The page's figures are requested before those of the shell and the chart, and each only once.
    const figures = ['reports/overview', 'campaigns', 'reports/overview'].map((path) => `/api/v1/${path}`)
    const firstShellRead = requestedPaths.findIndex((path) =>
      /notifications$|connections$|time-chart/.test(path),
    )
    const isFigure = (path: string) => figures.includes(path)
    expect(requestedPaths.slice(0, firstShellRead).filter(isFigure).sort()).toEqual(figures.sort())
    expect(requestedPaths.slice(firstShellRead).filter(isFigure)).toEqual([])
    expect(requestedPaths.filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(10)
  })

  it('keeps dates and model through the sidebar and the profile switch', async () => {
    await page.goto(`/p/${profileId}/overview?${range}&model=linear`)
    await page.getByText('Best campaigns').waitFor()
    await page.getByRole('button', { name: /^Dates/ }).focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Copy link')
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Enter')
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url())
    await visit.context.clearPermissions()
    const where = () => new URL(page.url())
    for (const name of ['Campaigns', 'Connections', 'Payments']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(where().search).toBe(`?${range}&model=linear`)
    }
    await page.getByRole('button', { name: /^Profile/ }).click()
    await page.getByRole('menuitem', { name: 'Second shop' }).click()
    await page.waitForURL((url) => !url.pathname.includes(profileId))
    expect(where().pathname).toMatch(/payments$/)
    expect(where().search).toBe(`?${range}&model=linear`)
  })

  it('keeps the app if a page cannot be loaded, and opens it once the service is back', async () => {
    await page.goto(`/p/${profileId}/payments?${range}`)
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.route('**/assets/**', (route) => route.abort())
    await page.route('**/healthz', (route) => route.abort())
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByText('The service could not be reached').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The service still does not respond.').waitFor()
    expect(await page.getByRole('link', { name: 'Payments', exact: true }).count()).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  })

  it('shows that a report could not be loaded, and loads it on retry', async () => {
    await page.route(/\/reports\/overview/, (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.goto(`/p/${profileId}/overview?${range}`)
    await page.getByText('This could not be loaded').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('€150', { exact: true }).waitFor()
  })

  it('distinguishes days without data from a profile without data', async () => {
    await page.goto(`/p/${profileId}/overview?from=2026-01-01&to=2026-01-07`)
    await page.getByText('No spend and no payments in these days.').waitFor()
    expect(
      await page
        .locator('main')
        .getByText(/^Set up/)
        .count(),
    ).toBe(0)
  })

  it('links from a campaign through ad set and ad to the explanation of a payment', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByText('Name of C2').waitFor()
    await expect.poll(() => rowText(/^Name of C2/)).toContain('€40.00 €100.00 2.50× 1')
    await expect.poll(() => rowText(/^Unattributed/)).toContain('€20.00')
    await expect
      .poll(() => page.locator('.reconciliation').innerText())
      .toContain('€130.00 credited to campaigns + €20.00 unattributed = €150.00')
    await page.getByRole('link', { name: 'Name of C2' }).click()
    for (const [level, name] of [
      ['ad sets', 'Name of S2'],
      ['ads', 'Name of A3'],
    ] as const)
      await page.getByRole('region', { name: level, exact: true }).getByRole('link', { name }).click()
    await page.getByRole('heading', { name: 'Name of A3' }).waitFor()
    await page.getByRole('link', { name: /^Why: Payment received/ }).click()
    await page.getByRole('heading', { name: 'Why this payment?' }).waitFor()
    const path = page.getByRole('navigation', { name: 'Path' }).getByRole('link')
    await expect
      .poll(() => path.allInnerTexts())
      .toEqual(['Campaigns', 'Name of C2', 'Name of S2', 'Name of A3'])
    const steps = page.locator('.timeline > li')
    await expect.poll(() => steps.count()).toBe(3)
    await expect.poll(() => steps.nth(0).innerText()).toContain('Not the last touch')
    await expect.poll(() => steps.nth(1).innerText()).toContain('100% credit')
    await page.getByRole('radio', { name: 'Linear' }).click()
    await page.getByText('50% credit').first().waitFor()
    await expect.poll(() => steps.nth(0).innerText()).toContain('€50.00')
  })

  it('reports an unknown campaign once', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}&campaign=nothing`)
    await page.getByRole('heading', { level: 1, name: 'Not available' }).waitFor()
    await expect.poll(() => page.getByText('No such campaign, ad set or ad.').count()).toBe(1)
  })

  it('links unattributed revenue to its reasons, sales and fixes', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page
      .getByRole('row', { name: /^Unattributed/ })
      .getByRole('link', { name: 'Unattributed' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Unattributed' }).waitFor()
    const stat = page.locator('.stat', { hasText: 'Unattributed revenue' }).locator('dd').first()
    await expect.poll(() => stat.innerText()).toBe('€20.00')
    await expect.poll(() => rowText(/^No known visit/)).toContain('€20.00 13.3% 1 1')
    await page.getByRole('link', { name: 'Paid click without an ad' }).click()
    await page.getByRole('link', { name: /^Why: Lead created/ }).waitFor()
    await page.getByRole('link', { name: 'No known visit' }).click()
    await page.getByRole('link', { name: /^Why: Payment received/ }).click()
    await page.getByRole('heading', { name: 'Why this payment?' }).waitFor()
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Unattributed' }).click()
    await page
      .getByRole('row', { name: /^Paid click/ })
      .getByRole('link', { name: 'Ad links' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Tracking' }).waitFor()
    expect(new URL(page.url()).search).toBe(`?${range}`)
  })

  it('shows no conversions of a campaign under the name of its ad set while they load', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByRole('link', { name: 'Name of C2' }).click()
    const conversions = page.getByRole('link', { name: /^Why: / })
    await conversions.first().waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/conversions\?/, async (route) => {
      await released
      await route.continue()
    })
    await page
      .getByRole('region', { name: 'ad sets', exact: true })
      .getByRole('link', { name: 'Name of S2' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Name of S2' }).waitFor()
    // Both the table of ads and the creatives contain the name.
    await page.getByRole('link', { name: 'Name of A3' }).first().waitFor()
    expect(await conversions.count()).toBe(0)
    release()
    await conversions.first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('finds ads by search and figures, in chosen columns, and saves them as a view', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByRole('radio', { name: 'Ads', exact: true }).click()
    const names = page.getByRole('region', { name: 'ads', exact: true }).locator('tbody th a')
    await page.getByText('Name of A3').waitFor()
    const all = await names.count()
    // Adds a filter by keyboard.
    await pressEnter(page.getByRole('button', { name: 'Filter', exact: true }))
    await page.getByLabel('Figure').selectOption('ROAS')
    await page.getByLabel('Is', { exact: true }).selectOption('at least')
    await page.getByLabel('Value', { exact: true }).fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the filter ROAS at least 2' }).waitFor()
    await expect.poll(() => names.allInnerTexts()).toEqual(['Name of A3'])
    expect(page.url()).toContain('where=roas')
    await pressEnter(page.getByRole('button', { name: 'Columns' }))
    await page.getByLabel('Impressions').uncheck()
    await page.getByLabel('Cost per payment').check()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Cost per payment' }).waitFor()
    await page.getByRole('columnheader', { name: 'Impressions' }).waitFor({ state: 'detached' })
    await untilClosed(page)
    await pressEnter(page.getByRole('button', { name: 'Views' }))
    await pressEnter(page.getByRole('menuitem', { name: 'Save this view' }))
    await page.getByLabel('Name', { exact: true }).fill('Earners')
    await page.keyboard.press('Enter')
    await page.getByText('View Earners saved').waitFor()
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await pressEnter(page.getByRole('button', { name: 'Views' }))
    await pressEnter(page.getByRole('menuitem', { name: 'Earners' }))
    await expect.poll(() => names.allInnerTexts()).toEqual(['Name of A3'])
    await page.getByRole('button', { name: 'Remove the filter ROAS at least 2' }).click()
    await expect.poll(() => names.count()).toBe(all)
    await page.getByLabel('Search ads').fill('a1')
    await expect.poll(() => names.allInnerTexts()).toEqual(['Name of A1'])
  })

  it('scrolls through 20,000 rows and renders only those near the viewport', async () => {
    await page.route(/\/v1\/campaigns\?/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      const [row] = body.data
      body.data = Array.from({ length: 20_000 }, (_, n) => ({
        ...row,
        campaign_id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
        campaign_name: `Campaign ${n}`,
        outcome_value: 20_000 - n,
      }))
      body.meta.total_rows = 20_000
      body.pagination = { has_next: false, cursor: null }
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByText('Campaign 0', { exact: true }).waitFor()
    const drawn = page.getByRole('region', { name: 'campaigns', exact: true }).locator('tbody tr')
    expect(await drawn.count()).toBeLessThan(80)
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    await page.getByText('Campaign 10000', { exact: true }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.getByText('Campaign 19999', { exact: true }).waitFor()
    expect(await drawn.count()).toBeLessThan(80)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('the page of an ad has its figures, models and platform figures', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}&level=ad`)
    await page.getByRole('link', { name: 'Name of A3' }).click()
    await page.getByRole('heading', { level: 1, name: 'Name of A3' }).waitFor()
    const path = page.getByRole('navigation', { name: 'Path' }).getByRole('link')
    await expect.poll(() => path.allInnerTexts()).toEqual(['Campaigns', 'Name of C2', 'Name of S2'])
    await expect.poll(() => rowText(/^Last touch/)).toContain('€100.00')
    await page.getByRole('region', { name: 'Platform and Whence' }).first().waitFor()
    await page.locator('.chart-surface').first().waitFor()
    await page.getByRole('region', { name: 'Creative' }).getByText('We cook together again').waitFor()
    await path.nth(1).click()
    await page.getByRole('region', { name: 'Creatives' }).getByRole('link', { name: 'Name of A3' }).click()
    await page.getByRole('heading', { level: 1, name: 'Name of A3' }).waitFor()
  })

  it('puts the five models side by side, each adding up to all revenue', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByRole('radio', { name: 'All five models' }).click()
    await expect.poll(() => rowText(/^Name of C1/)).toContain('€30.00 €30.00 €130.00 €80.00')
    await expect
      .poll(async () => (await rowText(/^Total of the profile/)).match(/€150\.00/g) ?? [])
      .toHaveLength(5)
  })

  it('sorts, changes dates, and downloads the rows as CSV', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    const first = page.locator('tbody th').first()
    for (const [direction, name] of [
      ['descending', 'Name of C2'],
      ['ascending', 'Name of C1'],
    ] as const) {
      await page.getByRole('button', { name: 'ROAS' }).click()
      await page.locator(`th[aria-sort=${direction}]`, { hasText: 'ROAS' }).waitFor()
      await expect.poll(() => first.innerText()).toContain(name)
    }
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv.split('\r\n')).toHaveLength(5)
    expect(csv).toContain('Unattributed')
    await page.getByRole('button', { name: /^Dates/ }).click()
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await page.getByText('No campaign with spend or revenue in these days').waitFor()
    expect(page.url()).toContain('preset=yesterday')
    await page.getByRole('row', { name: /^Unattributed/ }).waitFor()
  })

  it('can be used by keyboard alone: past the menu, to a column, into a campaign', async () => {
    await page.goto(`/p/${profileId}/campaigns?${range}`)
    await page.getByText('Name of C2').waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo('ROAS')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('th[aria-sort]').innerText()).toBe('ROAS')
    await tabTo('Name of C2')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Name of C2' }).waitFor()
  })
})

describe('payments in the console', () => paymentFlows(() => ({ page, profileId, known: KNOWN })))

describe('health in the console', () => healthFlows(() => ({ app, page, person, workspaceId, profileId })))

describe('people in the console', () => identityFlows(() => ({ app, page, person, workspaceId })))

describe('data in the console', () => dataFlows(() => ({ page, profileId, emptyProfileId })))
