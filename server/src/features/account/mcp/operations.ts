import type { UserCaller, WorkspaceContext } from '../../../context.ts'
import { readCursor } from '../../../platform/audit/operations.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toPage } from '../../../platform/contract/page.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import { listWritebacks } from './audit-queries.ts'
import { findSettings, isHealthcareWorkspace, type McpSettings, saveSettings } from './queries.ts'
import { defaultSettings } from './rules.ts'

export async function getMcpSettings({ db, workspaceId }: Pick<WorkspaceContext, 'db' | 'workspaceId'>) {
  const saved = await findSettings(db, { workspaceId })
  return saved ?? { ...defaultSettings, updated_by: null, updated_at: null }
}

export async function putMcpSettings(context: WorkspaceContext, settings: McpSettings) {
  const { workspaceId, now } = context
  const { userId } = context.caller as UserCaller
  return inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    if (settings.pii_mode === 'full_default' && (await isHealthcareWorkspace(tx, { workspaceId })))
      throw new ApiError(
        'invalid_state',
        'This is a healthcare workspace: personal values must be masked (`pii_mode: masked`).',
      )
    const { updated_by: _, updated_at: __, ...before } = await getMcpSettings({ db: tx, workspaceId })
    await saveSettings(tx, { workspaceId, settings, userId, now })
    await recordChange(tx, context, {
      workspaceId,
      action: 'mcp_settings.changed',
      subject: workspaceId,
      detail: { before, after: settings },
    })
    return getMcpSettings({ db: tx, workspaceId })
  })
}

export async function listMcpWritebacks(
  context: WorkspaceContext,
  query: {
    cursor?: string | undefined
    limit: number
    profile_id?: string | undefined
    tool?: string | undefined
    outcome?: string | undefined
  },
) {
  const rows = await listWritebacks(context.db, {
    workspaceId: context.workspaceId,
    profileId: query.profile_id ?? null,
    tool: query.tool ?? null,
    outcome: query.outcome ?? null,
    before: readCursor(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.id])
}
