import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** The workspace that the caller is a member of. */
export async function findWorkspace(db: Db | Tx, workspaceId: string) {
  const { rows } = await sql<{ name: string; reporting_currency: string | null }>`
    select name, reporting_currency from workspaces where id = ${workspaceId}`.execute(db)
  return rows[0]!
}
