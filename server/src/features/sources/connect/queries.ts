import type { Db } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

/** Name of the profile that the person connects an account to; of the workspace if no profile is given. */
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
