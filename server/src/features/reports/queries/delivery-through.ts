import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'

/** The last day of the range on which each source delivered. */
export async function deliveryThrough(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; range: DateRange },
): Promise<Map<string, string>> {
  const { profileId, level, range } = params
  const { rows } = await sql<{ source: string; day: string }>`
    select s.source, d.day
    from (select distinct source from ad_entities where profile_id = ${profileId} and source is not null) s
    cross join lateral (
      select day from delivery_daily where profile_id = ${profileId} and level = ${level} and source = s.source
        and day between ${range.from}::date and ${range.to}::date
      order by day desc limit 1) d`.execute(db)
  return new Map(rows.map((row) => [row.source, row.day]))
}
