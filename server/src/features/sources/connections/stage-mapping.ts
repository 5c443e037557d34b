import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

/** The outcome that a person chose for each stage; null if they chose none. */
export async function loadStageMapping(
  db: Db | Tx,
  params: { profileId: string; connectionId: string },
): Promise<Map<string, string | null>> {
  const rows = await rowsWhere(db, 'stage_mappings', {
    profile_id: params.profileId,
    connection_id: params.connectionId,
  }).list({ columns: ['stage_id', 'outcome_type'] })
  return new Map(rows.map((row) => [row.stage_id, row.outcome_type]))
}

export async function saveStageMapping(
  tx: Tx,
  params: {
    profileId: string
    connectionId: string
    stageId: string
    outcomeType: string | null
    now: Date
  },
): Promise<void> {
  const fields = { outcome_type: params.outcomeType, updated_at: params.now }
  await tx
    .insertInto('stage_mappings')
    .values({
      ...fields,
      profile_id: params.profileId,
      connection_id: params.connectionId,
      stage_id: params.stageId,
    })
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'connection_id', 'stage_id']).doUpdateSet(fields),
    )
    .execute()
}
