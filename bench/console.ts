/**
 * `node bench/console.ts [rounds] [page,page]`: the demo in a real Chromium. Per page, with an empty cache and with a full one:
 * milliseconds to the first paint, and for how long something stood in for what was still to come. The page `scroll` is
 * the campaigns with 20,000 rows, scrolled from top to bottom: how long its frames took.
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
/** A page that shows nothing more to wait for during this time has come. */
const AT_REST_MS = 400

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type Seen = { paint: number; placeholder: number }

// Kept as text, because it runs in the page.
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
  const isAtRest = `seen.since === null && performance.now() - seen.changed > ${AT_REST_MS}`
  while (!(await tab.evaluate(isAtRest))) await delay(50)
  const found = await tab.evaluate<Seen>(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    placeholder: seen.longest,
  })`)
  await tab.close()
  return found
}

/** Past 20,000 rows at the speed of a hand on a wheel, frame by frame. */
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
  // The processor's own time says the same on a busy machine.
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

/** The cookies of one sign-in, for every context that shares nothing else with the one before. */
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
  for (const page of pages.filter((one) => one !== 'scroll')) {
    const cold: Seen[] = []
    const warm: Seen[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
      cold.push(await visit(context, world, page))
      warm.push(await visit(context, world, page))
      await context.close()
    }
    const show = (seen: Seen[], key: keyof Seen) => median(seen.map((one) => one[key])).toFixed(0)
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
