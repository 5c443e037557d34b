/**
 * `node console/test/pictures.ts <folder> [look,look] [page,page]`: screenshots of every page with the demo's data as PNG, in
 * the looks `desktop` (1440), `dark`, `wide` (1920) and `phone` (390). `node console/test/pictures.ts docs` takes the four
 * pictures of the README. `DEMO=<address> DEMO_PASSWORD=<password>` uses a service that runs already.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openWorld, reserveAddress } from '../../bench/world.ts'
import { jobs } from '../../server/src/app.ts'
import { FIRST_EMAIL } from '../../server/src/config.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { drainJobs } from '../../server/test/jobs.ts'

const looks = {
  desktop: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  wide: { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const
type Look = keyof typeof looks

const pages = [
  ...['overview', 'campaigns', 'channels', 'journeys', 'cohorts', 'declared', 'unattributed', 'comparison'],
  ...['payments', 'client-reports', 'customers', 'visitors', 'conversations', 'identity', 'live', 'people'],
  ...['creatives', 'patterns', 'recommendations', 'alerts', 'pacing', 'experiments', 'setup', 'data-health'],
  ...['connections', 'tracking', 'goals', 'imports', 'exports', 'data-exports', 'webhooks', 'clients'],
  ...['developers', 'settings', 'campaigns?view=models', 'campaigns?level=ad', 'tracking?tab=quality'],
  ...['exports?tab=audiences', 'settings?tab=workspace', 'settings?tab=attribution'],
]
/** Pages opened from the first row of another page. */
const opened: Record<string, { from: string; link: string }> = {
  campaign: { from: 'campaigns', link: '[aria-label=campaigns] tbody th a' },
  // A sale of the most common path with more than one visit.
  why: { from: 'journeys', link: 'main tbody a[href*="/why/"]' },
  customer: { from: 'customers', link: 'main tbody th a' },
}
const inDocuments = ['overview', 'campaigns', 'campaign', 'why']

const [folder = 'artifacts', wantedLooks, wantedPages] = process.argv.slice(2)
const isForDocuments = folder === 'docs'
const chosenLooks = (isForDocuments ? ['desktop'] : (wantedLooks?.split(',') ?? Object.keys(looks))) as Look[]
const chosenPages = isForDocuments
  ? inDocuments
  : (wantedPages?.split(',') ?? [...pages, ...Object.keys(opened)])

async function atRest(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

async function open(page: Page, profilePath: string, name: string): Promise<void> {
  const way = opened[name]
  await page.goto(`${profilePath}/${way?.from ?? name}`)
  await atRest(page)
  if (way === undefined) return
  await page.locator(way.link).first().click()
  await page.waitForURL((url) => !url.pathname.endsWith(way.from) || url.search.includes('campaign='))
  await atRest(page)
}

async function takeAll(browser: Browser, baseURL: string, password: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const look of chosenLooks) {
    const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...looks[look] })
    await context.request.post('/api/v1/auth/sign-in', {
      data: { email: FIRST_EMAIL, password },
      headers: { 'x-whence-console': '1' },
    })
    const page = await context.newPage()
    await page.goto('/')
    await page.waitForURL('**/p/*/overview*')
    const profilePath = new URL(page.url()).pathname.split('/').slice(0, 3).join('/')
    await page.evaluate(`localStorage.setItem('whence.tour', 'closed')`)
    for (const name of chosenPages) {
      const file = isForDocuments ? `${name}.png` : `${name.replace(/\W+/g, '-')}-${look}.png`
      await open(page, profilePath, name)
        .then(() => page.screenshot({ path: join(folder, file), fullPage: !isForDocuments }))
        .catch((error: Error) => console.error(`${name}: ${error.message.split('\n')[0]}`))
    }
    await context.close()
  }
}

const browser = await launchBrowser()
try {
  if (process.env.DEMO !== undefined)
    await takeAll(browser, process.env.DEMO, process.env.DEMO_PASSWORD ?? '')
  else {
    const world = await openWorld({ SANDBOX: 'on', ...(await reserveAddress()) })
    try {
      await drainJobs(world.service, jobs)
      await world.service.processor.settled(world.first.demo!.profileId)
      await takeAll(browser, world.baseUrl, world.first.password)
    } finally {
      await world.close()
    }
  }
} finally {
  await browser.close()
}
