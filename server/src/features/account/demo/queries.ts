import { lockCopiedRow } from '../../../platform/db/copied-row-lock.ts'
import type { Tx } from '../../../platform/db/database.ts'

export async function lockWorkspace(tx: Tx, params: { workspaceId: string }): Promise<void> {
  await lockCopiedRow(tx, 'workspaces', params.workspaceId)
}

/** The live demo profile of a workspace. */
export async function findDemo(tx: Tx, params: { workspaceId: string }): Promise<string | undefined> {
  const row = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', params.workspaceId)
    .where('is_demo', '=', true)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}
