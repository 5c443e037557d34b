import type { Db } from '../../../platform/db/database.ts'

/** What a person is about to connect: the profile, or the workspace if no profile is named. */
export async function findClientName(
  db: Db,
  params: { workspaceId: string; profileId: string | null },
): Promise<string | undefined> {
  const { workspaceId, profileId } = params
  const row =
    profileId === null
      ? await db.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst()
      : await db.selectFrom('profiles').select('name').where('id', '=', profileId).executeTakeFirst()
  return row?.name
}
