import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

export async function countConversions(db: Db, profileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(conversions), 0)::bigint as count from conversion_daily where profile_id = ${profileId}`.execute(
    db,
  )
  return rows[0]!.count
}
