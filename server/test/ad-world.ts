/** A small advertised business whose figures can all be verified by hand. */
import type { AdCreativeDetail } from '../src/connectors/ad-details.ts'
import type { AdEntityRecord, DeliveryRecord } from '../src/connectors/connector.ts'
import { loadAttributionProfile } from '../src/features/attribution/crediting/settings.ts'
import { saveAdRecords } from '../src/features/attribution/pipeline/save-ad-records.ts'
import type { AdRecord } from '../src/features/facts/ads/structure.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import type { Client } from '../src/platform/contract/client.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

export const saveRecords = (
  app: TestApp,
  profileId: string,
  records: readonly AdRecord[],
  source = 'social_ads',
) =>
  inTransaction(app.service.db, async (tx) =>
    saveAdRecords(
      tx,
      await loadAttributionProfile(tx, profileId),
      { source, connectionId: null },
      records,
      new Date(),
    ),
  )

export function makeEntity(
  level: AdEntityRecord['level'],
  externalId: string,
  overrides: Partial<AdEntityRecord> = {},
): AdEntityRecord {
  return {
    type: 'ad_entity',
    level,
    externalId,
    campaignExternalId: null,
    adSetExternalId: null,
    name: `Name of ${externalId}`,
    status: 'ACTIVE',
    objective: null,
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
    currency: 'EUR',
    creative: null,
    ...overrides,
  }
}

export function makeCreative(
  externalId: string,
  overrides: Partial<AdCreativeDetail> = {},
): AdCreativeDetail {
  return {
    type: 'ad_detail',
    kind: 'creative',
    externalId,
    format: 'static',
    title: null,
    body: null,
    ctaType: null,
    aspectRatioMilli: null,
    durationMs: null,
    cardCount: null,
    thumbnailUrl: null,
    videoId: null,
    landingHost: null,
    ...overrides,
  }
}

export function makeDelivery(
  level: DeliveryRecord['level'],
  externalId: string,
  day: string,
  overrides: Partial<DeliveryRecord> = {},
): DeliveryRecord {
  return {
    type: 'delivery',
    level,
    externalId,
    day,
    spendMinor: 0,
    currency: 'EUR',
    impressions: null,
    clicks: null,
    reach: null,
    platformConversionsMilli: null,
    platformConversionValueMinor: null,
    messagingConversationsStarted7d: null,
    ...overrides,
  }
}

export const adStructure: readonly AdEntityRecord[] = [
  makeEntity('campaign', 'C1', { objective: 'SALES', dailyBudgetMinor: 5000 }),
  makeEntity('ad_set', 'S1', { campaignExternalId: 'C1' }),
  makeEntity('ad', 'A1', { campaignExternalId: 'C1', adSetExternalId: 'S1' }),
  makeEntity('ad', 'A2', { campaignExternalId: 'C1', adSetExternalId: 'S1', status: 'PAUSED' }),
  makeEntity('campaign', 'C2'),
  makeEntity('ad_set', 'S2', { campaignExternalId: 'C2' }),
  makeEntity('ad', 'A3', { campaignExternalId: 'C2', adSetExternalId: 'S2' }),
]

export const adDelivery: readonly DeliveryRecord[] = [
  makeDelivery('ad', 'A1', '2026-05-01', { spendMinor: 400, impressions: 400, clicks: 4, reach: 300 }),
  makeDelivery('ad', 'A1', '2026-05-02', { spendMinor: 600, impressions: 600, clicks: 6, reach: 500 }),
  makeDelivery('ad', 'A2', '2026-05-02', { spendMinor: 2000, impressions: 500, clicks: 5 }),
  makeDelivery('ad', 'A3', '2026-05-03', {
    spendMinor: 4000,
    impressions: 2000,
    clicks: 40,
    platformConversionsMilli: 2500,
    platformConversionValueMinor: 9000,
    messagingConversationsStarted7d: 3,
  }),
]

const at = (day: number, hour = 10) => `2026-05-0${day}T${hour}:00:00Z`
/**
 * Ana saw A1 on the 1st and A3 on the 3rd and paid 100 on the 4th. Bob saw A2 on the 2nd, became a lead, and paid 30 on
 * the 5th. Cid paid 20 on the 6th out of nowhere. Dee clicked a search ad that named no ad and became a lead on the 7th.
 */
export const adEvents = [
  { event_name: 'visit', anonymous_id: 'ana', timestamp: at(1), ad: { ad_id: 'A1' } },
  { event_name: 'visit', anonymous_id: 'ana', timestamp: at(3), ad: { ad_id: 'A3' } },
  {
    event_name: 'payment_received',
    anonymous_id: 'ana',
    timestamp: at(4),
    properties: { value: 100 },
    idempotency_key: 'ana-1',
  },
  { event_name: 'visit', anonymous_id: 'bob', timestamp: at(2), ad: { ad_id: 'A2' } },
  { event_name: 'lead_created', anonymous_id: 'bob', timestamp: at(2, 12), idempotency_key: 'bob-lead' },
  {
    event_name: 'payment_received',
    anonymous_id: 'bob',
    timestamp: at(5),
    properties: { value: '30.00' },
    idempotency_key: 'bob-1',
  },
  {
    event_name: 'payment_received',
    anonymous_id: 'cid',
    timestamp: at(6),
    properties: { value: 20 },
    idempotency_key: 'cid-1',
  },
  { event_name: 'visit', anonymous_id: 'dee', timestamp: at(7), click_ids: { gclid: 'g-1' } },
  { event_name: 'lead_created', anonymous_id: 'dee', timestamp: at(7, 11), idempotency_key: 'dee-lead' },
]

/** `call` needs events:write. */
export async function makeAdWorld(app: TestApp, profileId: string, call: Client): Promise<void> {
  await saveRecords(app, profileId, [...adStructure, ...adDelivery])
  for (const body of adEvents) await call(sendEvent, { body })
  await app.service.processor.settled(profileId)
}
