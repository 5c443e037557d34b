import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { THINNED } from '../../../facts/restatements/thin-queries.ts'

/** When recording of changes to closed days began, and the longest grace period that a day ever had. */
export type LedgerStart = { since: Date; longest_grace_hours: number | null }

/** Whether changes between the two times have been merged into daily sums. */
export async function isThinned(
  db: Db | Tx,
  params: { profileId: string; after: Date; before: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from restatements
    where profile_id = ${params.profileId} and recorded_at > ${params.after}::timestamptz
      and recorded_at < ${params.before}::timestamptz and batch_id = ${THINNED}::uuid
    limit 1`.execute(db)
  return rows.length > 0
}

export async function ledgerStart(db: Db | Tx, params: { profileId: string }): Promise<LedgerStart> {
  const { rows } = await sql<LedgerStart>`
    select coalesce(p.restatements_since, p.created_at) as since, s.longest_grace_hours
    from profiles p left join attribution_settings s on s.profile_id = ${params.profileId}
    where p.id = ${params.profileId}`.execute(db)
  return rows[0]!
}
