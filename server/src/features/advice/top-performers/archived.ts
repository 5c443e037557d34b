/** A shared leaderboard contains copied ad data of its profiles; it is deleted with the first of them that is deleted. */
import type { Tx } from '../../../platform/db/database.ts'
import { deleteSnapshotsOf } from './queries/snapshots.ts'

export async function deleteSnapshots(tx: Tx, { profileId }: { profileId: string }): Promise<object> {
  await deleteSnapshotsOf(tx, { profileId })
  return {}
}
