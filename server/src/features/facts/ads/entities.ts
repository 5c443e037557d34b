/** Campaigns, ad sets and ads. Our id is derived from the platform's id. */
import { type RawBuilder, sql } from 'kysely'
import { platformOf, platformOfProvider } from '../../../platform/contract/ad-providers.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'

export type AdLevel = 'campaign' | 'ad_set' | 'ad'
export type EntityRef = { level: AdLevel; externalId: string }

export function entityId(profileId: string, level: AdLevel, externalId: string): string {
  return uuidv5(profileId, `${level}:${externalId}`)
}

export type EntityParents = { campaignId: string | null; adSetId: string | null }
export type EntityHierarchy = EntityParents & { platform: string }

/** `platformOf` as an SQL expression. */
export function platformOfColumn(source: RawBuilder<unknown>): RawBuilder<string> {
  const cases = Object.entries(platformOfProvider).map(
    ([provider, platform]) => sql`when ${provider} then ${platform}`,
  )
  return sql<string>`case ${source} ${sql.join(cases, sql` `)} else coalesce(${source}, 'unknown') end`
}

/** Inserts stubs for entities that a touch names before any platform lists them, so that their credit has a row. */
export async function ensureEntities(tx: Tx, profileId: string, refs: readonly EntityRef[], now: Date) {
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

/** Parents and platform of entities, from the platform's structure; unknown entities are absent. */
export async function loadHierarchy(
  tx: Db | Tx,
  profileId: string,
  ids: readonly string[],
): Promise<Map<string, EntityHierarchy>> {
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
