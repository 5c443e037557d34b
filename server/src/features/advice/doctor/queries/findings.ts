import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CheckStatus } from '../contract.ts'
import type { Example } from '../verdict-rules.ts'

export type CheckRow = {
  check_id: string
  status: CheckStatus
  affected: number
  value_minor: number | null
  since: string | null
  examples: Example[]
  checked_at: Date
  opened_at: Date | null
}

export async function listChecks(db: Db | Tx, params: { profileId: string }): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    select check_id, status, affected, value_minor, since, examples, checked_at, opened_at
    from doctor_checks where profile_id = ${params.profileId}`.execute(db)
  return rows
}

export async function saveChecks(tx: Tx, params: { profileId: string; checks: readonly CheckRow[] }) {
  await tx
    .insertInto('doctor_checks')
    .values(
      params.checks.map((row) => ({
        ...row,
        profile_id: params.profileId,
        examples: JSON.stringify(row.examples),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'check_id']).doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        affected: row.ref('excluded.affected'),
        value_minor: row.ref('excluded.value_minor'),
        since: row.ref('excluded.since'),
        examples: row.ref('excluded.examples'),
        checked_at: row.ref('excluded.checked_at'),
        opened_at: row.ref('excluded.opened_at'),
      })),
    )
    .execute()
}

/** All active profiles with goals or connections. */
export async function listCheckedProfiles(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct candidate.profile_id
    from (select profile_id from goals union select profile_id from connections) candidate
    join profiles p on p.id = candidate.profile_id
    where p.archived_at is null
    order by candidate.profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}
