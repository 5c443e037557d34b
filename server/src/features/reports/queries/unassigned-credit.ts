import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'

export type UnassignedSum = { platform: string; conversions: number; cash_minor: number }

/** Credit of paid clicks that named nothing at the level; a platform that only other models credit is absent. */
export async function unassignedCredit(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; model: Model; range: DateRange },
): Promise<UnassignedSum[]> {
  const count = sql.ref(`${params.model}_count`)
  const minor = sql.ref(`${params.model}_minor`)
  const { rows } = await sql<UnassignedSum>`
    select platform, sum(${count})::bigint as conversions,
      coalesce(sum(${minor}) filter (where revenue_type = 'cash'), 0)::bigint as cash_minor
    from unassigned_daily
    where profile_id = ${params.profileId} and level = ${params.level}
      and day between ${params.range.from}::date and ${params.range.to}::date
      and (${count} <> 0 or ${minor} <> 0)
    group by platform`.execute(db)
  return rows
}
