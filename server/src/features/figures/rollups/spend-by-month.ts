import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** All spend: of campaigns, and of ad sets and ads without one. */
export async function spendByMonth(
  db: Db | Tx,
  { profileId, range }: { profileId: string; range: DateRange },
) {
  const { rows } = await sql<{ month: string; spend_minor: number; unrated: number }>`
    select to_char(d.day, 'YYYY-MM') as month, sum(d.spend_minor)::bigint as spend_minor,
      sum(d.fx_missing)::bigint as unrated
    from delivery_daily d
    where d.profile_id = ${profileId} and d.day between ${range.from}::date and ${range.to}::date
      and (d.level = 'campaign' or exists (
        select 1 from ad_entities e where e.profile_id = ${profileId} and e.id = d.entity_id
          and e.campaign_id is null and (e.level = 'ad_set' or (e.level = 'ad' and e.ad_set_id is null))))
    group by 1`.execute(db)
  return rows
}
