import type { JobContext } from '../../../context.ts'
import { saveReadThrough } from '../../insights/notifications/queries.ts'
import { listWorkspaceUsers } from './queries.ts'

/** Marks what happens up to a time as read: what the demo's preparation brings is news to no one. */
export async function readNews({ db }: JobContext, profileId: string, through: Date): Promise<void> {
  const users = await listWorkspaceUsers(db, { profileId })
  await db.transaction().execute(async (tx) => {
    for (const userId of users) await saveReadThrough(tx, { profileId, userId, through })
  })
}
