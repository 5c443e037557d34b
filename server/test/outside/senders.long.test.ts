/** Third-party Node clients, as published, against the service. */
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestProfile } from '../make.ts'
import { until } from '../until.ts'
import { outsideIt, requireOutside } from './outside.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write'])
})
afterAll(() => profile.app.close())

type Rudder = Record<'track' | 'page' | 'identify', (message: object) => void> & { flush(): Promise<unknown> }

outsideIt('RudderStack: everything that it queued is stored, compressed as it comes', async () => {
  const RudderAnalytics = requireOutside('@rudderstack/rudder-sdk-node') as new (
    key: string,
    options: object,
  ) => Rudder
  const client = new RudderAnalytics(profile.key, { dataPlaneUrl: profile.app.baseUrl, flushAt: 20 })
  const userId = 'customer-7'
  client.identify({ userId, traits: { email: 'ana@example.com' } })
  client.page({ userId, name: 'Home', properties: { url: 'https://shop.example/?gclid=g1' } })
  client.track({ userId, event: 'Order Completed', properties: { revenue: 5, currency: 'EUR' } })
  await client.flush()
  const stored = async () =>
    (
      await profile.app.pool.query<{ name: string }>(
        'select name from events where profile_id = $1 order by name',
        [profile.profileId],
      )
    ).rows.map((row) => row.name)
  // The first message is sent alone immediately.
  await until(async () => (await stored()).length >= 3)
  expect(await stored()).toEqual(['identify', 'page_view', 'payment_received'])
})
