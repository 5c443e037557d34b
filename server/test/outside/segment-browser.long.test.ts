/** Segment's published browser client on a page in Chromium that can load from the service only. */
import { build } from 'esbuild'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchPersonBrowser, newPerson, openSite, type Site } from '../../../tracker/test/site.ts'
import { issueTrackingKey, listTrackedEvents } from '../../src/features/sources/tracking/contract.ts'
import { startTestProfile } from '../make.ts'
import { until } from '../until.ts'
import { outsideFolder, outsideIt } from './outside.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
let site: Site
beforeAll(async () => {
  profile = await startTestProfile(['tracking:read', 'tracking:write'])
  site = await openSite(() => '')
})
afterAll(async () => {
  await site?.close()
  await profile?.app.close()
})

/** The clock of the page is six hours ahead; with more than a day, the client could not delete cookies. */
const shiftClock = `(() => {
  const Real = Date
  Date = class extends Real {
    constructor(...parts) { super(...(parts.length === 0 ? [Date.now()] : parts)) }
    static now() { return Real.now() + 6 * 3600000 }
  }
})()`

async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { AnalyticsBrowser } from '@segment/analytics-next'`,
      resolveDir: outsideFolder,
    },
    bundle: true,
    format: 'iife',
    globalName: 'segment',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]!.text
}

async function tracked() {
  const { data } = await profile.call(listTrackedEvents, { query: { limit: '50' } })
  return data.toSorted((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
}

outsideIt(
  'a lost answer counts once, 429 is obeyed, a wrong clock is corrected',
  { timeout: 180_000 },
  async () => {
    const { key } = (await profile.call(issueTrackingKey)).data
    const browser = await launchPersonBrowser()
    try {
      const page = await (await newPerson(browser)).newPage()
      const attempts: string[] = []
      const addresses = new Set<string>()
      page.on('request', (request) => addresses.add(new URL(request.url()).origin))
      await page.route('**/v1/t', async (route) => {
        attempts.push((JSON.parse(route.request().postData() ?? '{}') as { messageId: string }).messageId)
        if (attempts.length === 1)
          return route.fulfill({
            status: 429,
            headers: {
              'retry-after': '1',
              'access-control-allow-origin': '*',
              'access-control-expose-headers': 'Retry-After',
            },
          })
        if (attempts.length > 2) return route.continue()
        await route.fetch()
        return route.abort()
      })
      await page.addInitScript(shiftClock)
      await page.goto(`${site.origin}/land?gclid=g1&utm_source=search&utm_medium=cpc`, {
        referer: 'https://search.example/',
      })
      await page.addScriptTag({ content: await bundleClient() })
      await page.evaluate(
        `(async () => {
        const analytics = segment.AnalyticsBrowser.load({ writeKey: '${key}', cdnURL: '${profile.app.baseUrl}' })
        await analytics.page()
        await analytics.identify('customer-7', { email: 'ana@example.com', firstName: 'Ana' })
        void analytics.track('Order Completed', { order_id: 'A-1', revenue: 49.9, currency: 'EUR' })
      })()`,
      )
      await until(() => attempts.length >= 3)
      await until(async () => (await tracked()).length >= 3)
      const events = await tracked()
      expect(events.map((event) => event.event_name)).toEqual(['page_view', 'identify', 'order_placed'])
      expect(events[0]).toMatchObject({ channel: 'paid_search', click_ids: { gclid: 'g1' }, is_bot: false })
      expect(events.map((event) => event.anonymous_id)).toEqual(events.map(() => events[0]!.anonymous_id))
      for (const event of events)
        expect(Math.abs(Date.parse(event.occurred_at) - Date.now())).toBeLessThan(3_600_000)
      expect(new Set(attempts).size).toBe(1)
      expect([...addresses].toSorted()).toEqual([site.origin, profile.app.baseUrl].toSorted())
    } finally {
      await browser.close()
    }
  },
)
