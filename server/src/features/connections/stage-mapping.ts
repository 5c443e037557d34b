import type { Db, Tx } from '../../db/database.ts'

/** By stage: the outcome a person chose; null where they said that it means none. */
export async function loadStageMapping(
  db: Db | Tx,
  params: { profileId: string; connectionId: string },
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('stage_mappings')
    .select(['stage_id', 'outcome_type'])
    .where('profile_id', '=', params.profileId)
    .where('connection_id', '=', params.connectionId)
    .execute()
  return new Map(rows.map((row) => [row.stage_id, row.outcome_type]))
}
