import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

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

/** Ids sort by time, so the cursor is the last id of the previous page. */
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

export type NewWriteback = Omit<WritebackRow, 'before' | 'after' | 'error_code'> & {
  workspace_id: string
  credential_id: string
  arguments_digest: Buffer
  error_code: string | null
  before: unknown
  expires_at: Date | null
}

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

export async function insertWriteback(db: Db | Tx, row: NewWriteback): Promise<void> {
  await insertRow(db, 'mcp_writeback_audits', {
    ...row,
    arguments: JSON.stringify(row.arguments),
    before: json(row.before),
  })
}

export async function saveWritebackOutcome(
  db: Db | Tx,
  params: { id: string; profileId: string } & Pick<WritebackRow, 'outcome' | 'error_code' | 'after'>,
): Promise<void> {
  await rowsWhere(db, 'mcp_writeback_audits', { id: params.id, profile_id: params.profileId }).update({
    outcome: params.outcome,
    error_code: params.error_code,
    after: json(params.after),
  })
}

/**
 * Claims a preview for a single confirmation. Credential, profile, tool and arguments must match and it must not have
 * expired. The same idempotency key may claim it again, so that a lost response can be retried.
 */
export async function claimPreview(
  db: Db | Tx,
  params: {
    id: string
    profileId: string
    credentialId: string
    digest: Buffer
    idempotencyKey: string
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update mcp_writeback_audits
    set confirmed_at = coalesce(confirmed_at, ${params.now}), idempotency_key = ${params.idempotencyKey}
    where id = ${params.id} and profile_id = ${params.profileId} and credential_id = ${params.credentialId}
      and mode = 'preview' and arguments_digest = ${params.digest} and expires_at > ${params.now}
      and (confirmed_at is null or idempotency_key = ${params.idempotencyKey})
    returning id`.execute(db)
  return rows.length === 1
}

export async function countFailedWrites(db: Db | Tx, params: { profileId: string; since: Date }) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mcp_writeback_audits
    where profile_id = ${params.profileId} and mode = 'confirm' and outcome = 'failed'
      and occurred_at > ${params.since}`.execute(db)
  return rows[0]!.count
}

/** The OAuth client's id and name; for tokens and API keys only a name. */
export async function findClientName(
  db: Db | Tx,
  params: { credentialId: string },
): Promise<{ client_id: string | null; client_name: string | null }> {
  const { rows } = await sql<{ client_id: string | null; client_name: string | null }>`
    select coalesce(a.client_id, c.detail->>'client_id') as client_id, c.name as client_name
    from credentials c left join apps a on a.id = c.app_id where c.id = ${params.credentialId}`.execute(db)
  return rows[0] ?? { client_id: null, client_name: null }
}
