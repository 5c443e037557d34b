/**
 * `node bench/console.ts [rounds] [page,page]`: pages of the demo in Chromium. Prints for each page, with an empty and
 * with a full cache, the milliseconds to the first paint and for how long placeholders were shown. The page `scroll`
 * prints the frame times of the campaigns table with 20,000 rows, scrolled from top to bottom.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { jobs } from '../server/src/app.ts'
import { launchBrowser } from '../server/test/browser.ts'
import { drainJobs } from '../server/test/jobs.ts'
import { openWorld, reserveAddress, type World } from './world.ts'

const all = [
  'overview',
  'campaigns',
  'comparison',
  'people',
  'payments',
  'connections',
  'tracking',
  'webhooks',
  'developers',
  'settings',
]
const rounds = Number(process.argv[2] ?? 3)
const pages = process.argv[3]?.split(',') ?? all
/** A page without placeholders for this long is complete. */
const COMPLETE_AFTER_MS = 400

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type Seen = { paint: number; placeholder: number }

// A string because it runs in the page.
const watch = `
  window.seen = { since: null, longest: 0, changed: performance.now() }
  const look = () => {
    const waits = document.querySelector('.skeleton, .boot') !== null && document.querySelector('.shell') !== null
    const now = performance.now()
    if (waits && seen.since === null) { seen.since = now; seen.changed = now }
    if (!waits && seen.since !== null) { seen.longest = Math.max(seen.longest, now - seen.since); seen.since = null; seen.changed = now }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

async function visit(context: Context, world: World, page: string): Promise<Seen> {
  const tab = await context.newPage()
  await tab.addInitScript(watch)
  await tab.goto(`${world.baseUrl}/p/${world.first.demo!.profileId}/${page}`)
  await tab.locator('main h1').waitFor()
  const isComplete = `seen.since === null && performance.now() - seen.changed > ${COMPLETE_AFTER_MS}`
  while (!(await tab.evaluate(isComplete))) await delay(50)
  const timings = await tab.evaluate<Seen>(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    placeholder: seen.longest,
  })`)
  await tab.close()
  return timings
}

/** Scrolls 20,000 rows by 400 px per frame, as fast as a mouse wheel. */
async function scroll(context: Context, world: World): Promise<void> {
  const tab = await context.newPage()
  await tab.route(/\/v1\/campaigns\?/, async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.data = Array.from({ length: 20_000 }, (_, n) => ({
      ...body.data[n % body.data.length],
      campaign_id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      campaign_name: `Campaign ${n}`,
    }))
    body.meta.total_rows = 20_000
    body.pagination = { has_next: false, cursor: null }
    await route.fulfill({ response: answer, json: body })
  })
  await tab.goto(`${world.baseUrl}/p/${world.first.demo!.profileId}/campaigns`)
  await tab.locator('.table.long').waitFor()
  // CPU time does not depend on other load of the machine.
  const session = await context.newCDPSession(tab)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  const before = await busyMs()
  const frames = await tab.evaluate<number[]>(`new Promise((done) => {
    const frames = []
    let before = performance.now()
    const step = (now) => {
      frames.push(now - before)
      before = now
      scrollBy(0, 400)
      if (frames.length < 300) requestAnimationFrame(step)
      else done(frames.slice(1))
    }
    requestAnimationFrame(step)
  })`)
  const cpu = (((await busyMs()) - before) / frames.length).toFixed(1)
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1)
  const long = frames.filter((ms) => ms > 50).length
  console.log(
    `scroll: 20,000 rows, ${frames.length} frames of 400 px: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms, ${long} over 50 ms; ${cpu} ms of the page’s processor time each`,
  )
}

/** Cookies of one sign-in, reused by all browser contexts, which share nothing else. */
async function signIn(browser: Browser, world: World) {
  const context = await browser.newContext({ baseURL: world.baseUrl })
  const reply = await context.request.post('/api/v1/auth/sign-in', {
    data: { email: world.first.email, password: world.first.password },
    headers: { 'x-whence-console': '1' },
  })
  if (!reply.ok()) throw new Error(await reply.text())
  const state = await context.storageState()
  await context.close()
  return state
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const world = await openWorld({ SANDBOX: 'on', ...(await reserveAddress()) })
const browser = await launchBrowser({ prefersInstalled: true })
try {
  await drainJobs(world.service, jobs)
  await world.service.processor.settled(world.first.demo!.profileId)
  const storageState = await signIn(browser, world)
  console.log(
    'page            empty cache: paint  placeholder   full cache: paint  placeholder   (ms, median)',
  )
  for (const page of pages.filter((candidate) => candidate !== 'scroll')) {
    const cold: Seen[] = []
    const warm: Seen[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
      cold.push(await visit(context, world, page))
      warm.push(await visit(context, world, page))
      await context.close()
    }
    const show = (samples: Seen[], key: keyof Seen) => median(samples.map((sample) => sample[key])).toFixed(0)
    console.log(
      `${page.padEnd(14)} ${show(cold, 'paint').padStart(19)} ${show(cold, 'placeholder').padStart(12)} ${show(warm, 'paint').padStart(19)} ${show(warm, 'placeholder').padStart(12)}`,
    )
  }
  if (pages.includes('scroll')) {
    const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
    await scroll(context, world)
    await context.close()
  }
} finally {
  await browser.close()
  await world.close()
}
