import type { Db } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

/** What a person is about to connect: the profile, or the workspace if no profile is named. */
export async function findClientName(
  db: Db,
  params: { workspaceId: string; profileId: string | null },
): Promise<string | undefined> {
  const { workspaceId, profileId } = params
  const row =
    profileId === null
      ? await rowsWhere(db, 'workspaces', { id: workspaceId }).find(['name'])
      : await rowsWhere(db, 'profiles', { id: profileId }).find(['name'])
  return row?.name
}
