/** A shop in the sandbox whose first running campaign has one payment, and each of the others sixty. */
import { sendEvents } from '../../src/features/facts/events/contract.ts'
import type { TestApp } from '../app.ts'
import { makeKey } from '../make.ts'
import type { Shop } from '../make-shop.ts'

export type PlantedCampaign = { external_id: string; ads: string[] }

export async function plantLoser(app: TestApp, shop: Shop): Promise<PlantedCampaign[]> {
  const { rows: campaigns } = await app.pool.query<PlantedCampaign>(
    `select c.external_id, array_agg(a.external_id order by a.external_id) as ads from ad_entities c
     join ad_entities a on a.profile_id = c.profile_id and a.campaign_id = c.id and a.level = 'ad'
     where c.profile_id = $1 and c.level = 'campaign' and c.status = 'ACTIVE' group by 1 order by 1`,
    [shop.profileId],
  )
  const call = app.as(await makeKey(app, shop.profileId, ['events:write']))
  // Two a day for a month: sales on a single day would be weak evidence.
  const start = Date.now() - 31 * 86_400_000
  const events = campaigns.flatMap(({ ads }, campaign) =>
    (campaign === 0 ? [30] : Array.from({ length: 60 }, (_, index) => index)).flatMap((index) => {
      const at = (ms: number) => new Date(start + index * 3_600_000 * 12 + ms).toISOString()
      const person = { anonymous_id: `p-${campaign}-${index}` }
      return [
        { event_name: 'visit', ...person, timestamp: at(0), ad: { ad_id: ads[index % ads.length]! } },
        {
          event_name: 'payment_received',
          ...person,
          timestamp: at(60_000),
          properties: { value: 50 },
          idempotency_key: `pay-${campaign}-${index}`,
        },
      ]
    }),
  )
  for (let index = 0; index < events.length; index += 100)
    await call(sendEvents, { body: { events: events.slice(index, index + 100) } })
  await app.service.processor.settled(shop.profileId)
  return campaigns
}
