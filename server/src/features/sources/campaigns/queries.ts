import { isUuid } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'

/** `source` is the platform or import that listed the entity; null if it is known only from visits. */
export type Entity = {
  id: string
  level: AdLevel
  externalId: string
  campaignExternalId: string | null
  adSetExternalId: string | null
  connectionId: string | null
  source: string | null
  currency: string | null
}

/** Finds by the platform's id, and with `acceptsOurId` also by ours. */
export async function findEntity(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; id: string; acceptsOurId: boolean },
): Promise<Entity | undefined> {
  const { id } = params
  const row = await db
    .selectFrom('ad_entities as e')
    .leftJoin('ad_entities as campaign', (join) =>
      join
        .onRef('campaign.id', '=', 'e.campaign_id')
        .on('campaign.profile_id', '=', params.profileId)
        .onRef('campaign.profile_id', '=', 'e.profile_id'),
    )
    .leftJoin('ad_entities as ad_set', (join) =>
      join
        .onRef('ad_set.id', '=', 'e.ad_set_id')
        .on('ad_set.profile_id', '=', params.profileId)
        .onRef('ad_set.profile_id', '=', 'e.profile_id'),
    )
    .select(['e.id', 'e.external_id', 'e.connection_id', 'e.source', 'e.currency'])
    .select(['campaign.external_id as campaign_external_id', 'ad_set.external_id as ad_set_external_id'])
    .where('e.profile_id', '=', params.profileId)
    .where('e.level', '=', params.level)
    .where((eb) =>
      params.acceptsOurId && isUuid(id)
        ? eb.or([eb('e.external_id', '=', id), eb('e.id', '=', id)])
        : eb('e.external_id', '=', id),
    )
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      level: params.level,
      externalId: row.external_id,
      campaignExternalId: row.campaign_external_id,
      adSetExternalId: row.ad_set_external_id,
      connectionId: row.connection_id,
      source: row.source,
      currency: row.currency,
    }
  )
}
