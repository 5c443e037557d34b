/** A shared leaderboard holds a copy of what its profiles' ads did; it goes with the first of them that is deleted. */
import type { Tx } from '../../../platform/db/database.ts'
import { deleteSnapshotsOf } from './queries/snapshots.ts'

export async function deleteSnapshots(tx: Tx, { profileId }: { profileId: string }): Promise<object> {
  await deleteSnapshotsOf(tx, { profileId })
  return {}
}
