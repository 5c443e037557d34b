import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type CreativeRow = {
  ad_id: string
  name: string | null
  format: string | null
  title: string | null
  body: string | null
  cta_type: string | null
  thumbnail_url: string | null
}

/** Ids of the ads with a stored creative: the ad itself, or those of the campaign or ad set; by name. */
export async function listAdsWithCreative(
  db: Db | Tx,
  params: { profileId: string; entityId: string },
): Promise<string[]> {
  const { profileId, entityId } = params
  const { rows } = await sql<{ id: string }>`
    select e.id
    from ad_entities e
    join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = e.id
    where e.profile_id = ${profileId} and e.level = 'ad'
      and (e.id = ${entityId} or e.ad_set_id = ${entityId} or e.campaign_id = ${entityId})
    order by e.name, e.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Creatives of the ads, in the requested order. */
export async function listCreatives(
  db: Db | Tx,
  params: { profileId: string; adIds: readonly string[] },
): Promise<CreativeRow[]> {
  const { profileId, adIds } = params
  const { rows } = await sql<CreativeRow>`
    select e.id as ad_id, e.name, k.format, k.title, k.body, k.cta_type, k.thumbnail_url
    from ad_entities e
    join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = e.id
    where e.profile_id = ${profileId} and e.id = any(${[...adIds]}::uuid[])
    order by array_position(${[...adIds]}::uuid[], e.id)`.execute(db)
  return rows
}
