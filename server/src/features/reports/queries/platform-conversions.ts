import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'

export type PlatformSum = { platform: string; conversions: number; cash_conversions: number }

/** Conversions in which entities of the level have a part under a model that divides, once per platform. */
export async function platformConversions(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; range: DateRange },
): Promise<PlatformSum[]> {
  const { rows } = await sql<PlatformSum>`
    select platform, sum(conversions)::bigint as conversions,
      coalesce(sum(conversions) filter (where revenue_type = 'cash'), 0)::bigint as cash_conversions
    from platform_daily
    where profile_id = ${params.profileId} and level = ${params.level}
      and day between ${params.range.from}::date and ${params.range.to}::date
    group by platform`.execute(db)
  return rows
}
