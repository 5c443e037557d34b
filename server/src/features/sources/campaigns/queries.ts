import { isUuid } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'

/** `source` names the platform or import that listed it; null where only a visit named it. */
export type Entity = {
  id: string
  level: AdLevel
  externalId: string
  connectionId: string | null
  source: string | null
  currency: string | null
}

/** By the platform's id, and where `takesOwnId` also by ours. */
export async function findEntity(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; id: string; takesOwnId: boolean },
): Promise<Entity | undefined> {
  const { id } = params
  const row = await db
    .selectFrom('ad_entities')
    .select(['id', 'external_id', 'connection_id', 'source', 'currency'])
    .where('profile_id', '=', params.profileId)
    .where('level', '=', params.level)
    .where((eb) =>
      params.takesOwnId && isUuid(id)
        ? eb.or([eb('external_id', '=', id), eb('id', '=', id)])
        : eb('external_id', '=', id),
    )
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      level: params.level,
      externalId: row.external_id,
      connectionId: row.connection_id,
      source: row.source,
      currency: row.currency,
    }
  )
}
