/** Campaigns, ad sets and ads: found by their platform id, which also makes ours. */
import { sql } from 'kysely'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'

export type AdLevel = 'campaign' | 'ad_set' | 'ad'
export type EntityRef = { level: AdLevel; externalId: string }

export function entityId(profileId: string, level: AdLevel, externalId: string): string {
  return uuidv5(profileId, `${level}:${externalId}`)
}

export type EntityParents = { campaignId: string | null; adSetId: string | null }
export type EntityPlace = EntityParents & { platform: string }

/** Providers whose connections report delivery. */
export const adProviders = ['social_ads', 'engine_ads', 'linkedin_ads'] as const

/** Providers of connections and names of imports, as the platform that touches name by their click ids. */
export function platformOf(source: string | null): string {
  switch (source) {
    case 'social_ads':
      return 'social'
    case 'engine_ads':
      return 'engine'
    case 'linkedin_ads':
      return 'linkedin'
    default:
      return source ?? 'unknown'
  }
}

/** Entities that a touch named before any platform listed them are stubs, so that their credit has a row. */
export async function ensureEntities(
  tx: Tx,
  profileId: string,
  refs: readonly EntityRef[],
  now: Date,
): Promise<void> {
  await bulkInsert(
    tx,
    { into: 'ad_entities', profileId, rows: refs },
    {
      id: (ref) => entityId(profileId, ref.level, ref.externalId),
      level: 'level',
      external_id: 'externalId',
      updated_at: () => now,
    },
    { conflict: 'ignore' },
  )
}

/** The parents of entities, by the platform's structure; absent if the entity is unknown. */
export async function loadPlaces(
  tx: Db | Tx,
  profileId: string,
  ids: readonly string[],
): Promise<Map<string, EntityPlace>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<EntityRow>`
    select id, campaign_id, ad_set_id, source from ad_entities
    where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(tx)
  return new Map(
    rows.map((row) => [
      row.id,
      { campaignId: row.campaign_id, adSetId: row.ad_set_id, platform: platformOf(row.source) },
    ]),
  )
}

type EntityRow = { id: string; campaign_id: string | null; ad_set_id: string | null; source: string | null }
