import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Check, Purpose, Status } from './rules.ts'

export type SenderRow = {
  workspace_id: string
  domain: string
  from_name: string | null
  from_local: string
  selector: string
  private_key: Buffer
  public_key: string
  status: Status
  checks: Partial<Record<Purpose, Check>>
  created_at: Date
  checked_at: Date | null
}

export async function findSenderDomain(db: Db | Tx, params: { workspaceId: string }) {
  const { rows } = await sql<SenderRow>`
    select * from sender_domains where workspace_id = ${params.workspaceId}`.execute(db)
  return rows[0]
}

/** False if the workspace has another domain. The same domain keeps its key, status and checks. */
export async function saveSenderDomain(
  tx: Tx,
  row: Omit<SenderRow, 'status' | 'checks' | 'checked_at'>,
): Promise<boolean> {
  const names = { from_name: row.from_name, from_local: row.from_local }
  const saved = await tx
    .insertInto('sender_domains')
    .values({ ...row, status: 'pending', checks: '{}', checked_at: null })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet(names).where('sender_domains.domain', '=', row.domain),
    )
    .returning('workspace_id')
    .executeTakeFirst()
  return saved !== undefined
}

export async function deleteSenderDomain(
  tx: Tx,
  params: { workspaceId: string },
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('sender_domains')
    .where('workspace_id', '=', params.workspaceId)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain
}

/** Saves only if the workspace still has the domain and key that were checked. */
export async function saveChecks(
  db: Db | Tx,
  params: Pick<SenderRow, 'domain' | 'public_key' | 'status' | 'checks'> & {
    workspaceId: string
    now: Date
  },
): Promise<SenderRow | undefined> {
  const { rows } = await sql<SenderRow>`
    update sender_domains
    set status = ${params.status}, checks = ${JSON.stringify(params.checks)}::jsonb, checked_at = ${params.now}
    where workspace_id = ${params.workspaceId} and domain = ${params.domain} and public_key = ${params.public_key}
    returning *`.execute(db)
  return rows[0]
}

export async function listDueSenders(
  db: Db,
  params: { verifiedBefore: Date; openBefore: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from sender_domains
    where (status = 'verified' and checked_at < ${params.verifiedBefore})
      or (status in ('pending', 'temporary_failure') and coalesce(checked_at, created_at) < ${params.openBefore})
    order by coalesce(checked_at, created_at) limit ${params.limit}`.execute(db)
  return rows.map((row) => row.workspace_id)
}

export async function findSenderNames(db: Db | Tx, params: { workspaceId: string }) {
  const { rows } = await sql<{ name: string; display_name: string | null }>`
    select w.name, b.display_name
    from workspaces w left join workspace_branding b on b.workspace_id = w.id
    where w.id = ${params.workspaceId}`.execute(db)
  return rows[0]!
}
