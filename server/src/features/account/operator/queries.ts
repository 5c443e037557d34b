/** Queries of the operator log. */
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'

const SHOWN = 200

export async function insertAction(tx: Tx, row: Insertable<DB['operator_log']>): Promise<void> {
  await insertRow(tx, 'operator_log', row)
}

export async function listActions(db: Db) {
  return db
    .selectFrom('operator_log')
    .select(['id', 'user_id', 'action', 'kind', 'subject', 'profile_id', 'reason', 'occurred_at'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
}

/** Undefined for problems that belong to no profile. */
export async function findWorkspaceOf(tx: Tx, profileId: string | null): Promise<string | undefined> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from profiles where id = ${profileId}::uuid`.execute(tx)
  return rows[0]?.workspace_id
}
