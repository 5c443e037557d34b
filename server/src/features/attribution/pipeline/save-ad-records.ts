/** Stores structure and daily delivery from ad platforms and imports, and updates credits after changes of the structure. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import {
  type DeliveryWrite,
  type EntityDay,
  EntityDays,
  listDeliveryDays,
  refreshDelivery,
  saveDelivery,
} from '../../facts/ads/delivery.ts'
import { type AdLevel, entityId, loadHierarchy } from '../../facts/ads/entities.ts'
import {
  type AdRecord,
  type RecordSource,
  type Reparented,
  saveStructure,
  structureOf,
} from '../../facts/ads/structure.ts'
import { convertOrNull, loadRates } from '../../facts/fx/rates.ts'
import type { Fact, Reason } from '../../facts/restatements/causes.ts'
import { openLedger } from '../../facts/restatements/closed-days.ts'
import { type Restatements, withRestatements } from '../../facts/restatements/save-restatements.ts'
import type { ReasonOf } from '../crediting/incremental/difference.ts'
import { recomputeCustomers } from '../crediting/incremental/recompute.ts'
import { recountPlatforms } from '../crediting/recount-platforms.ts'
import type { AttributionProfile } from '../crediting/settings.ts'

const CUSTOMERS_PER_BATCH = 2000

export type DeliveryCounts = { inserted: number; updated: number; unchanged: number }

/**
 * Saves records of one source with their restatements. Takes the profile's lock; call it in the transaction that also
 * commits the sync cursor.
 */
export async function saveAdRecords(
  tx: Tx,
  profile: AttributionProfile,
  from: RecordSource,
  records: readonly AdRecord[],
  now: Date,
): Promise<DeliveryCounts> {
  const { profileId } = profile
  await lockProfile(tx, profileId)
  const structure = structureOf(profileId, records)
  const { moved, platformChanges } = await saveStructure(tx, profileId, from, structure, now)
  const deliveries = await toDeliveries(tx, profile, records)
  const { inserted, updated } = await saveDelivery(tx, profileId, from.source, deliveries, now)
  await withRestatements(tx, openLedger(profile, now), async (restatements) => {
    const fact = from.connectionId === null ? null : ({ type: 'connection', id: from.connectionId } as const)
    await refreshEffective(tx, profileId, deliveries, { inserted, updated, moved, fact }, restatements)
    const reason = { cause: 'structure_changed', fact } as const
    await recountPlatforms(tx, profileId, platformChanges, reason, restatements)
  })
  await recomputeMoved(tx, profile, moved, now)
  return {
    inserted: inserted.length,
    updated: updated.length,
    unchanged: deliveries.length - inserted.length - updated.length,
  }
}

/** Converts amounts by the rate of the day. If an entity-day is reported twice, the later record wins. */
async function toDeliveries(
  tx: Tx,
  profile: AttributionProfile,
  records: readonly AdRecord[],
): Promise<DeliveryWrite[]> {
  const deliveries = records.filter((record) => record.type === 'delivery')
  const rates = await loadRates(tx, deliveries, profile.currency, profile.profileId)
  const byKey = new Map<string, DeliveryWrite>()
  for (const record of deliveries) {
    const inReport = (amountMinor: number | null): number | null =>
      amountMinor === null || amountMinor === 0
        ? amountMinor
        : convertOrNull(rates, { ...record, amountMinor }, profile.currency)
    byKey.set(`${record.level} ${record.externalId} ${record.day}`, {
      entityId: entityId(profile.profileId, record.level, record.externalId),
      level: record.level,
      day: record.day,
      spendMinor: record.spendMinor,
      currency: record.currency,
      reportSpendMinor: inReport(record.spendMinor),
      impressions: record.impressions,
      clicks: record.clicks,
      reach: record.reach,
      platformConversionsMilli: record.platformConversionsMilli,
      platformValueMinor: record.platformConversionValueMinor,
      reportPlatformValueMinor: inReport(record.platformConversionValueMinor),
      messagingStarted7d: record.messagingConversationsStarted7d,
    })
  }
  return [...byKey.values()]
}

async function refreshEffective(
  tx: Tx,
  profileId: string,
  deliveries: readonly DeliveryWrite[],
  changes: { inserted: EntityDay[]; updated: EntityDay[]; moved: readonly Reparented[]; fact: Fact | null },
  restatements: Restatements,
): Promise<void> {
  const { inserted, updated, moved, fact } = changes
  const levelOf = new Map(deliveries.map((row) => [row.entityId, row.level]))
  const withLevel = (pair: EntityDay) => ({ ...pair, level: levelOf.get(pair.entityId)! })
  const pairs = new EntityDays()
  const restated = await withParents(tx, profileId, updated.map(withLevel))
  const added = await withParents(tx, profileId, inserted.map(withLevel))
  for (const days of [restated, added]) pairs.addAll(days)
  const byId = new Map(moved.map((entity) => [entity.id, entity]))
  for (const { entityId: id, day } of await listDeliveryDays(tx, profileId, [...byId.keys()])) {
    const { before, after } = byId.get(id)!
    for (const parents of [before, after]) {
      pairs.add('ad_set', parents.adSetId, day)
      pairs.add('campaign', parents.campaignId, day)
    }
  }
  const causeOf = (level: AdLevel, pair: EntityDay) =>
    restated.has(level, pair)
      ? ('spend_restated' as const)
      : added.has(level, pair)
        ? ('connection_backfill' as const)
        : ('structure_changed' as const)
  await refreshDelivery(tx, profileId, pairs, {
    reasonOf: (level, pair) => ({ cause: causeOf(level, pair), fact }),
    restatements,
  })
}

type LevelDay = { entityId: string; level: AdLevel; day: string }

async function withParents(tx: Tx, profileId: string, changed: readonly LevelDay[]): Promise<EntityDays> {
  const pairs = new EntityDays()
  const parents = await loadHierarchy(tx, profileId, [...new Set(changed.map((pair) => pair.entityId))])
  for (const { entityId: id, level, day } of changed) {
    pairs.add(level, id, day)
    pairs.add('ad_set', parents.get(id)?.adSetId ?? null, day)
    pairs.add('campaign', parents.get(id)?.campaignId ?? null, day)
  }
  return pairs
}

/** Refreshes the effective delivery after a change outside of `saveAdRecords`, such as a new exchange rate. */
export async function refreshDeliveryOf(
  tx: Tx,
  profile: AttributionProfile,
  changed: readonly LevelDay[],
  reason: Reason,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const pairs = await withParents(tx, profileId, changed)
  await withRestatements(tx, openLedger(profile, now), (restatements) =>
    refreshDelivery(tx, profileId, pairs, { reasonOf: () => reason, restatements }),
  )
}

/** Paths contain the parents known at the time; after a change, customers with touches of the entity are recomputed. */
async function recomputeMoved(tx: Tx, profile: AttributionProfile, moved: readonly Reparented[], now: Date) {
  const ids = moved.map((entity) => entity.id)
  if (ids.length === 0) return
  const { profileId } = profile
  const paths = await sql<{ ad_id: string | null; ad_set_id: string | null }>`
    select distinct ad_id, ad_set_id from ad_paths
    where profile_id = ${profileId} and (ad_id = any(${ids}::uuid[]) or ad_set_id = any(${ids}::uuid[]))`.execute(
    tx,
  )
  const ads = await externalIds(
    tx,
    profileId,
    'ad',
    paths.rows.flatMap((row) => row.ad_id ?? []),
  )
  const adSets = await externalIds(
    tx,
    profileId,
    'ad_set',
    paths.rows.flatMap((row) => (row.ad_id === null ? (row.ad_set_id ?? []) : [])),
  )
  const { rows } = await sql<{ customer_id: string }>`
    select i.customer_id from touches t
    join identifiers i on i.profile_id = ${profileId} and i.id = t.identifier_id
    where t.profile_id = ${profileId} and t.ad_external_id = any(${ads}::text[])
    union
    select i.customer_id from touches t
    join identifiers i on i.profile_id = ${profileId} and i.id = t.identifier_id
    where t.profile_id = ${profileId} and t.ad_external_id is null and t.ad_set_external_id = any(${adSets}::text[])
    order by customer_id`.execute(tx)
  for (let start = 0; start < rows.length; start += CUSTOMERS_PER_BATCH)
    await recomputeCustomers(
      tx,
      profile,
      rows.slice(start, start + CUSTOMERS_PER_BATCH).map((row) => row.customer_id),
      now,
      { reachIds: [], reasonOf: structureChanged },
    )
}

const structureChanged: ReasonOf = ({ conversionId }) => ({
  cause: 'structure_changed',
  fact: { type: 'conversion', id: conversionId },
})

async function externalIds(
  tx: Tx,
  profileId: string,
  level: AdLevel,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ external_id: string }>`
    select external_id from ad_entities where profile_id = ${profileId} and level = ${level} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return rows.map((row) => row.external_id)
}
