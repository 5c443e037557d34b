import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'

export type Totals = { cash_minor: number; fx_missing: number }

/** The profile's own sums, counted apart from any credit. */
export async function profileTotals(
  db: Db | Tx,
  params: { profileId: string; range: DateRange },
): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select coalesce(sum(value_minor) filter (where revenue_type = 'cash'), 0)::bigint as cash_minor,
      coalesce(sum(fx_missing), 0)::bigint as fx_missing
    from conversion_daily
    where profile_id = ${params.profileId} and day between ${params.range.from}::date and ${params.range.to}::date`.execute(
    db,
  )
  return rows[0]!
}
