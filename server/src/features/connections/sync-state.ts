/** Where a connection's sync stands. */
import type { Tx } from '../../db/database.ts'

/** A fresh or renewed consent reads the account's history, in the transaction that stored it. */
export async function startFirstSync(
  tx: Tx,
  params: { profileId: string; connectionId: string; now: Date },
): Promise<void> {
  const fields = { state: 'queued', cursor: null, last_error: null, updated_at: params.now }
  await tx
    .insertInto('connection_syncs')
    .values({ ...fields, profile_id: params.profileId, connection_id: params.connectionId, pages: 0 })
    .onConflict((conflict) => conflict.columns(['profile_id', 'connection_id']).doUpdateSet(fields))
    .execute()
}
