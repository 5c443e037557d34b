/** Paths to a payment: the diagram, the table, and the customers of a path. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { adStructure, saveRecords } from '../../server/test/ad-world.ts'
import type { TestApp } from '../../server/test/app.ts'
import { startTestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeOwnProfile, type Person } from '../../server/test/make.ts'
import { bringSession, desktop, openConsole, phone, pictures, seriousFaults } from './visit.ts'

const touches: Record<string, object> = {
  ad: { ad: { ad_id: 'A1' } },
  search: { click_ids: { gclid: 'g-1' } },
  mail: { utm: { source: 'news', medium: 'email' } },
  organic: {
    session_start: true,
    page: { url: 'https://shop.example/', referrer: 'https://www.google.com/' },
  },
  direct: { session_start: true, page: { url: 'https://shop.example/', referrer: '' } },
}
/** Number of people per path. */
const ways: [number, string][] = [
  [5, 'ad mail'],
  [4, 'ad organic direct'],
  [4, 'direct'],
  [3, 'search'],
  [2, 'organic mail direct'],
  [1, 'mail ad organic mail search direct'],
  [1, ''],
]

let app: TestApp
let browser: Browser
let owner: Person
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  let call: Awaited<ReturnType<typeof makeOwnProfile>>['call']
  ;({ call, owner, profileId } = await makeOwnProfile(app, ['events:write']))
  await saveRecords(app, profileId, adStructure)
  let minute = 0
  const send = (person: string, body: object) =>
    call(sendEvent, {
      body: {
        event_name: 'visit',
        timestamp: new Date(Date.parse('2026-05-10T10:00:00Z') + 60_000 * minute++).toISOString(),
        idempotency_key: `event-${minute}`,
        user_traits: { email: `${person}@x.co` },
        ...body,
      },
    })
  for (const [people, way] of ways)
    for (let person = 0; person < people; person++) {
      const name = `p${person}-${way.replaceAll(' ', '-')}`
      for (const step of way.split(' ').filter(Boolean)) await send(name, touches[step]!)
      await send(name, {
        event_name: 'payment_received',
        properties: { value: 40 + 25 * person, currency: 'EUR' },
      })
    }
  await app.service.processor.settled(profileId)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

it.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s, the diagram and table lead to the customers of a path', async (name, viewport) => {
  const visit = await openConsole(browser, app, { viewport })
  await bringSession(visit, owner)
  const { page } = visit
  await page.goto(`/p/${profileId}/journeys?from=2026-05-01&to=2026-05-31`)
  await page.getByRole('img', { name: /the most common is Paid social → Email/ }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Direct', exact: true }).click()
  await page.getByText('Customers: Direct').waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^Show customer of/ }).count()).toBe(4)
  await pictures(page, `journeys-${name}`, false)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await page
    .getByRole('link', { name: /^Show customer of/ })
    .first()
    .click()
  await page.getByRole('link', { name: /direct@x\.co/ }).waitFor()
  await visit.close()
})
