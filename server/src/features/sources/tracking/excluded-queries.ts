/** Page views that do not count: of the owner's browsers, and of excluded paths. Without visitors. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type ExcludedRow = { day: string; reason: 'own' | 'path'; page_views: number }

export async function countExcluded(
  db: Db | Tx,
  params: { profileId: string; day: string; reason: ExcludedRow['reason'] },
): Promise<void> {
  await sql`
    insert into excluded_daily (profile_id, day, reason, page_views)
    values (${params.profileId}, ${params.day}::date, ${params.reason}, 1)
    on conflict (profile_id, day, reason) do update set page_views = excluded_daily.page_views + 1`.execute(
    db,
  )
}

export async function listExcluded(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string },
): Promise<ExcludedRow[]> {
  const { rows } = await sql<ExcludedRow>`
    select day::text as day, reason, page_views::int as page_views from excluded_daily
    where profile_id = ${params.profileId} and day between ${params.from}::date and ${params.to}::date
    order by day, reason`.execute(db)
  return rows
}
