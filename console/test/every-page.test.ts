/**
 * Each page in light mode on a desktop (`npm test`) and in dark mode on a phone (`npm run test:long`): complete, accessible and within
 * the screen.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entityId } from '../../server/src/features/facts/ads/entities.ts'
import { eventIdOf } from '../../server/src/features/facts/events/rules.ts'
import { listCustomers } from '../../server/src/features/insights/customers/contract.ts'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { longIt, roundsForRun, shortIt } from '../../server/test/length.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import {
  bringSession,
  collectErrors,
  desktop,
  openConsole,
  phone,
  picture,
  pictures,
  pressEnter,
  seriousFaults,
  type Visit,
} from './visit.ts'

let app: TestApp
let browser: Browser
let person: Person
let profileId: string
let customerId: string
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person), { name: 'Harbor & Pine' })
  const key = await makeKey(app, profileId, ['events:write'])
  await makeAdWorld(app, profileId, app.as(key))
  const reader = app.as(await makeKey(app, profileId, ['customers:read']))
  customerId = (await reader(listCustomers, { query: {} })).data[0]!.customer_id
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

const range = 'from=2026-05-01&to=2026-05-31'
const pages: Record<string, { path: () => string; shows: string }> = {
  overview: { path: () => `/overview?${range}`, shows: 'Best campaigns' },
  campaigns: { path: () => `/campaigns?${range}`, shows: 'Name of C2' },
  ads: { path: () => `/campaigns?${range}&level=ad&where=spend>=1`, shows: 'Name of A3' },
  entity: {
    path: () => `/campaigns?${range}&campaign=${entityId(profileId, 'campaign', 'C2')}`,
    shows: 'Platform and Whence',
  },
  models: { path: () => `/campaigns?${range}&view=models`, shows: 'Total of the profile' },
  why: { path: () => `/why/${eventIdOf(profileId, 'ana-1')}?${range}`, shows: 'Journey' },
  comparison: { path: () => `/comparison?${range}`, shows: 'Details' },
  cohorts: {
    path: () => `/cohorts?to=2026-05-31&from=2026-05-01&show=retention&by=channel`,
    shows: 'followed for at least 3 months',
  },
  declared: { path: () => `/declared?${range}`, shows: 'Answers to choose from' },
  channels: { path: () => `/channels?${range}`, shows: 'By source' },
  journeys: { path: () => `/journeys?${range}`, shows: 'From channel to channel' },
  unattributed: { path: () => `/unattributed?${range}`, shows: 'all sales' },
  'client-reports': { path: () => '/client-reports', shows: 'Create a report' },
  clients: { path: () => `/clients?${range}`, shows: 'Last report' },
  customers: { path: () => '/customers', shows: 'Latest conversions first' },
  customer: { path: () => `/customers/${customerId}`, shows: 'Stored as hashes' },
  visitors: { path: () => '/visitors', shows: 'Most recently recorded first' },
  conversations: { path: () => '/conversations', shows: 'No conversations yet' },
  identity: { path: () => '/identity', shows: 'No pairs to decide' },
  live: { path: () => '/live', shows: 'On the site' },
  people: { path: () => `/people?${range}`, shows: 'Touches' },
  payments: { path: () => `/payments?${range}`, shows: 'Net' },
  linkage: { path: () => `/payments?${range}&tab=linkage`, shows: 'Came through' },
  setup: { path: () => '/setup', shows: 'See it credited to a visit' },
  goals: { path: () => '/goals', shows: 'events payment_received' },
  help: { path: () => '/help#campaigns', shows: 'Campaigns, ad sets and ads in one report' },
  imports: { path: () => '/imports', shows: 'CSV file' },
  privacy: { path: () => '/settings?tab=privacy', shows: 'Erase a person' },
  creatives: { path: () => `/creatives?${range}`, shows: 'No scores yet' },
  patterns: { path: () => '/patterns', shows: 'Too few scored ads yet' },
  recommendations: { path: () => '/recommendations', shows: 'No recommendations' },
  pacing: { path: () => '/pacing', shows: 'Forecast of the month' },
  experiments: { path: () => '/experiments', shows: 'No studies yet' },
  alerts: { path: () => '/alerts', shows: 'No alerts yet' },
  'data-health': { path: () => '/data-health', shows: 'Not checked yet' },
  connections: { path: () => '/connections', shows: 'No connections yet' },
  tracking: { path: () => '/tracking', shows: 'No tracking key yet' },
  quality: { path: () => '/tracking?tab=quality', shows: 'Page views' },
  events: { path: () => '/tracking?tab=events', shows: 'Payment received' },
  'tracking-settings': { path: () => '/tracking?tab=settings', shows: 'Exclude bots' },
  exports: { path: () => '/exports', shows: 'Nothing is sent yet' },
  'export-conversions': { path: () => '/exports?tab=conversions', shows: 'No conversions yet' },
  'export-runs': { path: () => '/exports?tab=runs', shows: 'No runs yet' },
  'export-audiences': { path: () => '/exports?tab=audiences', shows: 'Excluded from all audiences' },
  'export-catalog': { path: () => '/exports?tab=catalog', shows: 'Privacy mode' },
  'data-exports': { path: () => '/data-exports', shows: 'No destinations yet' },
  webhooks: { path: () => '/webhooks', shows: 'No deliveries yet' },
  developers: { path: () => '/developers', shows: 'Test' },
  tokens: { path: () => '/developers?tab=tokens', shows: 'No tokens yet' },
  usage: { path: () => '/developers?tab=usage', shows: 'Usage by key' },
  settings: { path: () => '/settings', shows: 'Invite someone' },
  attribution: { path: () => '/settings?tab=attribution', shows: 'Recompute now' },
  branding: { path: () => '/settings?tab=branding', shows: 'Main colour' },
  apps: { path: () => '/settings?tab=apps', shows: 'No apps yet' },
  activity: { path: () => '/settings?tab=activity', shows: 'Profile created' },
  assistants: { path: () => '/settings?tab=assistants', shows: 'No changes by assistants yet' },
  workspace: { path: () => '/settings?tab=workspace', shows: 'Time zone' },
}

/** In light mode, each page is opened by its URL; in dark mode, by a link from the previous page. */
const allLooks = [
  { device: 'desktop', viewport: desktop, dark: false, open: (page: Page, path: string) => page.goto(path) },
  { device: 'phone', viewport: phone, dark: true, open: follow },
] as const
const looks = roundsForRun(0, 1, 2).map((index) => allLooks[index]!)

/** Navigates like a link. An unknown page is opened in between, so that content of the previous page is not mistaken for the next. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate("history.pushState(null, '', '/nowhere')")
  await page.getByText('Page not found').waitFor()
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.getByText('Page not found').waitFor({ state: 'detached' })
}

describe('every page', () => {
  const visits = new Map<string, Visit>()
  const errorsOf = new Map<string, string[]>()
  beforeAll(async () => {
    for (const { device, ...look } of looks) {
      const visit = await openConsole(browser, app, look)
      visits.set(device, visit)
      errorsOf.set(device, collectErrors(visit.page))
      await bringSession(visit, person)
      await visit.page.goto(`/p/${profileId}/settings`)
    }
  })
  afterAll(async () => {
    for (const visit of visits.values()) await visit.close()
  })

  it.each(Object.entries(pages))('%s is whole, accessible and fits', async (name, { path, shows }) => {
    for (const { device, dark, open } of looks) {
      const { page } = visits.get(device)!
      const errors = errorsOf.get(device)!
      errors.length = 0
      await open(page, `/p/${profileId}${path()}`)
      await page.locator('main').getByText(shows, { exact: false }).first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await pictures(page, `${name}-${device}`, dark)
      expect(await seriousFaults(page)).toEqual([])
      expect(errors).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })

  it('has every page of the menu', async () => {
    const menu = await readFile(join(import.meta.dirname, '../src/shell/navigation.ts'), 'utf8')
    const menuPaths = [...menu.matchAll(/to: '\/p\/\$profileId(\/[\w-]+)'/g)].map((match) => match[1])
    expect(menuPaths.length).toBeGreaterThan(25)
    const paths = Object.values(pages).map(({ path }) => path().split('?')[0])
    expect(menuPaths.filter((path) => !paths.includes(path))).toEqual([])
  })

  it('a long name, a dialog and a long message fit the screen', async () => {
    for (const { device, open, viewport } of looks) {
      const { page } = visits.get(device)!
      const fits = async (selector: string) => {
        const box = (await page.locator(selector).first().boundingBox())!
        expect([device, selector, box.x >= 0 && box.x + box.width <= viewport.width]).toEqual([
          device,
          selector,
          true,
        ])
      }
      await page.route(/\/v1\/campaigns\?/, async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        for (const row of body.data) row.campaign_name = 'Spring'.repeat(40)
        await route.fulfill({ response: answer, json: body })
      })
      // By URL, because recently shown campaigns would not be requested again.
      await page.goto(`/p/${profileId}/campaigns?${range}&q=spring`)
      const name = page.locator('tbody th').first()
      await name.getByText('SpringSpring').waitFor()
      expect((await name.boundingBox())!.width).toBeLessThanOrEqual(device === 'phone' ? 240 : 340)
      await fits('tbody td.lead')
      await page.unrouteAll({ behavior: 'wait' })
      await page.route(/merge-proposals\/scan/, (route) =>
        route.fulfill({
          status: 409,
          json: { error: { code: 'invalid_state', message: `${'Anotherscanruns'.repeat(20)}.` } },
        }),
      )
      await open(page, `/p/${profileId}/identity`)
      await page.getByRole('button', { name: 'Find duplicates' }).click()
      await page.locator('.toast').waitFor()
      await fits('.toast')
      await page.unrouteAll({ behavior: 'wait' })
      await open(page, `/p/${profileId}/webhooks`)
      await page.getByRole('button', { name: 'New subscription' }).click()
      await page.getByRole('dialog').waitFor()
      await fits('[role=dialog]')
      const excess = `[...document.querySelectorAll('[role=dialog]')].map((one) => one.scrollWidth - one.clientWidth)`
      expect(await page.evaluate(excess)).toEqual([0])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  shortIt('the chart names the earlier day next to its figure', async () => {
    const { page } = visits.get('desktop')!
    await page.goto(`/p/${profileId}/overview?${range}`)
    const chart = page.locator('.chart-surface').first()
    await chart.waitFor()
    const tooltip = page.locator('.chart-tooltip')
    await expect
      .poll(async () => {
        // Content above it may still load and move it.
        await chart.scrollIntoViewIfNeeded()
        const box = (await chart.boundingBox())!
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await page.mouse.move(box.x + box.width / 2 + 5, box.y + box.height / 2)
        return (await tooltip.allInnerTexts()).join()
      })
      .toMatch(/May \d+[\s\S]*(Mar|Apr) \d+/)
  })

  shortIt(
    'the menu shows the open page and who is signed in, and an unknown tab opens the first',
    async () => {
      const { page } = visits.get('desktop')!
      await page.goto(`/p/${profileId}/settings?tab=nothing`)
      await page.getByText('Invite someone').waitFor()
      const { height } = desktop
      for (const element of [page.locator('.sidebar [aria-current=page]'), page.locator('.user-button')]) {
        const isOnScreen = async () => {
          const box = (await element.boundingBox())!
          return box.y >= 0 && box.y + box.height <= height
        }
        await expect.poll(isOnScreen).toBe(true)
      }
    },
  )

  it.each(looks)('the design system shows every component, accessible on a $device', async ({ device }) => {
    const { page } = visits.get(device)!
    await page.goto('/design')
    await page.locator('.chart-surface').first().waitFor()
    await picture(page, `design-${device}`)
    expect(await seriousFaults(page)).toEqual([])
  })

  it.each(looks)('menus and dialogs open and close by keyboard on a $device', async ({ device, open }) => {
    const { page } = visits.get(device)!
    await open(page, `/p/${profileId}/developers`)
    await pressEnter(page.getByRole('button', { name: 'New key' }))
    await page.getByRole('dialog').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The dialog closes a moment before the focus returns.
    await page.locator('button:focus', { hasText: 'New key' }).waitFor()
    await pressEnter(page.getByRole('button', { name: /^Profile Harbor/ }))
    await page.getByRole('menu').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })
})

describe('text of strangers', () => {
  const HOSTILE = `<img src=x onerror="window.taken=1"><script>window.taken=1</script><b class="planted">"'\`--></b>`
  const isFreeText = (key: string) =>
    /(^|_)(name|title|text|label|description|note|message|body|email|subject|page|referrer|query|hint)$/.test(
      key,
    )

  /** Replaces every free text of a response by markup, and every URL by a script. */
  function plant(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => plant(item, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plant(inner, name)]))
    if (typeof value !== 'string') return value
    if (/(^|_)url$/.test(key)) return 'javascript:window.taken=1'
    return isFreeText(key) ? HOSTILE : value
  }

  const root = join(import.meta.dirname, '../..')
  const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))

  /** Returns the example of a path's answer, so that lists which are empty in this profile show something too. */
  async function readExamples(): Promise<(path: string) => unknown> {
    const { paths } = await readJson('openapi.json')
    const answers = await readJson('server/src/platform/contract/recorded-answers.json')
    const forms = Object.entries<{ get?: { operationId: string } }>(paths).flatMap(([path, { get }]) =>
      get === undefined
        ? []
        : [{ form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), answer: answers[get.operationId] }],
    )
    return (path) => forms.find(({ form }) => form.test(path))?.answer
  }
  const isEmpty = ({ data }: { data?: unknown }) =>
    data === null || (Array.isArray(data) && data.length === 0)

  const takenOver = `[
    ...document.querySelectorAll('.planted, img[src=x], [onerror], [href^="javascript:window.taken"], [src^="javascript:"]'),
    ...[...document.scripts].filter((script) => script.text.includes('taken')),
  ].map((element) => element.outerHTML.slice(0, 200)).concat(window.taken ? ['a script ran'] : [])`

  longIt(
    'is shown as text on every page',
    async () => {
      const visit = await openConsole(browser, app)
      const { page } = visit
      await bringSession(visit, person)
      const exampleOf = await readExamples()
      let filled = 0
      await page.route(/\/api\/v1\//, async (route) => {
        const answer = await route.fetch()
        if (!(answer.headers()['content-type'] ?? '').startsWith('application/json'))
          return route.fulfill({ response: answer })
        const body = await answer.json()
        const example = isEmpty(body) ? exampleOf(new URL(route.request().url()).pathname) : undefined
        if (example !== undefined) filled++
        return route.fulfill({ response: answer, json: plant(example ?? body) })
      })
      const affectedPages: string[] = []
      await page.goto(`/p/${profileId}/settings`)
      for (const [name, { path }] of Object.entries(pages)) {
        await follow(page, `/p/${profileId}${path()}`)
        await page.locator('h1').first().waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        expect([name, await page.evaluate(takenOver)]).toEqual([name, []])
        if ((await page.locator('body').innerText()).includes('onerror=')) affectedPages.push(name)
      }
      // The names of the profile and the user are in the menu of each page.
      expect(affectedPages).toEqual(Object.keys(pages))
      expect(filled).toBeGreaterThan(15)
      await page.unrouteAll({ behavior: 'wait' })
      await page.goto('/sign-in')
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<b class="planted"></b>')`)
      expect(await page.evaluate(takenOver)).toEqual(['<b class="planted"></b>'])
      await visit.close()
    },
    300_000,
  )
})
