import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { insertRow, rowsWhere } from '../db/rows.ts'
import type { DB } from '../db/schema.ts'

export type ChangeRow = {
  id: string
  action: string
  subject: string | null
  profile_id: string | null
  actor_kind: 'user' | 'app' | 'api_key' | 'service'
  actor_id: string | null
  detail: Record<string, unknown>
  request_id: string | null
  occurred_at: Date
}

/** Ids sort by time, so the cursor is the last returned id. */
export async function listChanges(
  db: Db | Tx,
  params: {
    workspaceId: string
    profileId: string | null
    action: string | null
    before: string | null
    limit: number
  },
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select id, action, subject, profile_id, actor_kind, actor_id, detail, request_id, occurred_at
    from audit_log
    where workspace_id = ${params.workspaceId}
      and (${params.profileId}::uuid is null or profile_id = ${params.profileId}::uuid)
      and (${params.action}::text is null or action = ${params.action}::text)
      and (${params.before}::uuid is null or id < ${params.before}::uuid)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}

export type PersonAccessRow = {
  id: string
  profile_id: string
  actor_kind: 'user' | 'app' | 'api_key' | 'service'
  actor_id: string | null
  route: string
  customer_ids: string[]
  row_count: number
  request_id: string | null
  occurred_at: Date
}

export async function insertPersonAccess(db: Db | Tx, row: Insertable<DB['pii_access_log']>): Promise<void> {
  await insertRow(db, 'pii_access_log', row)
}

export async function listPersonAccess(
  db: Db | Tx,
  params: { profileIds: readonly string[]; before: string | null; limit: number },
): Promise<PersonAccessRow[]> {
  const { rows } = await sql<PersonAccessRow>`
    select id, profile_id, actor_kind, actor_id, route, customer_ids, row_count, request_id, occurred_at
    from pii_access_log
    where profile_id = any(${[...params.profileIds]}::uuid[])
      and (${params.before}::uuid is null or id < ${params.before}::uuid)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function listProfileIds(db: Db | Tx, params: { workspaceId: string }): Promise<string[]> {
  const rows = await rowsWhere(db, 'profiles', { workspace_id: params.workspaceId }).list({ columns: ['id'] })
  return rows.map((row) => row.id)
}
