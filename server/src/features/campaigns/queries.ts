import { isUuid } from '../../contract/ids.ts'
import type { Db, Tx } from '../../db/database.ts'

export type Level = 'campaign' | 'ad_set'
export type Entity = { id: string; externalId: string; connectionId: string | null; currency: string | null }

/** By the platform's id, and where `takesOwnId` also by ours. */
export async function findEntity(
  db: Db | Tx,
  params: { profileId: string; level: Level; id: string; takesOwnId: boolean },
): Promise<Entity | undefined> {
  const { id } = params
  const row = await db
    .selectFrom('ad_entities')
    .select(['id', 'external_id', 'connection_id', 'currency'])
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
      externalId: row.external_id,
      connectionId: row.connection_id,
      currency: row.currency,
    }
  )
}
