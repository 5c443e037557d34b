import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type WritebackRow = {
  id: string
  occurred_at: Date
  profile_id: string
  user_id: string | null
  client_id: string | null
  client_name: string | null
  tool: string
  mode: 'preview' | 'dry_run' | 'confirm'
  arguments: Record<string, unknown>
  outcome: 'previewed' | 'applied' | 'no_change' | 'refused' | 'failed'
  error_code: string | null
  before: unknown
  after: unknown
  idempotency_key: string | null
  confirmation: 'elicited' | 'argument' | 'none'
  request_id: string | null
}

/** Ids sort by time, so the cursor is the last id that was shown. */
export async function listWritebacks(
  db: Db | Tx,
  params: {
    workspaceId: string
    profileId: string | null
    tool: string | null
    outcome: string | null
    before: string | null
    limit: number
  },
): Promise<WritebackRow[]> {
  const { rows } = await sql<WritebackRow>`
    select id, occurred_at, profile_id, user_id, client_id, client_name, tool, mode, arguments, outcome, error_code,
      before, after, idempotency_key, confirmation, request_id
    from mcp_writeback_audits
    where workspace_id = ${params.workspaceId}
      and (${params.profileId}::uuid is null or profile_id = ${params.profileId}::uuid)
      and (${params.tool}::text is null or tool = ${params.tool}::text)
      and (${params.outcome}::text is null or outcome = ${params.outcome}::text)
      and (${params.before}::uuid is null or id < ${params.before}::uuid)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}
