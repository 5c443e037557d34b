import type { JobContext } from '../../../context.ts'
import { saveReadThrough } from '../notifications/queries.ts'
import { listWorkspaceUsers } from './queries.ts'

/** Marks notifications up to a time as read: those from the demo's preparation are not news. */
export async function markNotificationsRead(
  { db }: JobContext,
  profileId: string,
  through: Date,
): Promise<void> {
  const users = await listWorkspaceUsers(db, { profileId })
  await db.transaction().execute(async (tx) => {
    for (const userId of users) await saveReadThrough(tx, { profileId, userId, through })
  })
}
