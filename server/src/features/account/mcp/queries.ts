import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type McpSettings = {
  enabled: boolean
  writeback_enabled: boolean
  pii_mode: 'masked' | 'full_default'
  allowed_tools: string[] | null
  max_rows: number
  budget_step_percent: number
  require_confirmation: boolean
}
export type SavedSettings = McpSettings & { updated_by: string | null; updated_at: Date }

export async function findSettings(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<SavedSettings | undefined> {
  const row = await rowsWhere(db, 'mcp_settings', { workspace_id: params.workspaceId }).find()
  if (row === undefined) return undefined
  const { workspace_id: _, ...settings } = row
  return settings as SavedSettings
}

/** Settings of every workspace that the user can access; null for a workspace without saved settings. */
export async function listSettingsOfUser(
  db: Db | Tx,
  params: { userId: string },
): Promise<(McpSettings | null)[]> {
  const { rows } = await sql<McpSettings & { workspace_id: string; saved: boolean }>`
    select w.id as workspace_id, s.workspace_id is not null as saved, s.enabled, s.writeback_enabled, s.pii_mode,
      s.allowed_tools, s.max_rows, s.budget_step_percent, s.require_confirmation
    from workspaces w left join mcp_settings s on s.workspace_id = w.id
    where w.archived_at is null and (
      exists (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = ${params.userId})
      or exists (select 1 from profile_members m join profiles p on p.id = m.profile_id
        where p.workspace_id = w.id and m.user_id = ${params.userId}))`.execute(db)
  return rows.map(({ workspace_id: _, saved, ...settings }) => (saved ? settings : null))
}

export async function saveSettings(
  tx: Tx,
  params: { workspaceId: string; settings: McpSettings; userId: string; now: Date },
): Promise<void> {
  const row = { ...params.settings, updated_by: params.userId, updated_at: params.now }
  await tx
    .insertInto('mcp_settings')
    .values({ workspace_id: params.workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
}

export async function isHealthcareWorkspace(db: Db | Tx, params: { workspaceId: string }): Promise<boolean> {
  const { healthcare } = await rowsWhere(db, 'workspaces', { id: params.workspaceId }).get(['healthcare'])
  return healthcare
}
