import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { COUNTED } from '../../attribution/incremental/journeys.ts'

export type MissingRate = { day: string; currency: string }

/** Days and currencies of facts without a rate, newest first: asked only where a count says that there are some. */
export async function missingRates(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; limit: number },
): Promise<MissingRate[]> {
  const { profileId, range } = params
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const { rows } = await sql<MissingRate>`
    select day, currency from conversions
    where ${inRange} and value_minor is not null and report_value_minor is null
      and ${sql.raw(COUNTED)}
    union
    select day, currency from refunds where ${inRange} and report_amount_minor is null
    union
    select day, currency from ad_delivery
    where ${inRange}
      and (report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null))
    order by day desc, currency limit ${params.limit}`.execute(db)
  return rows
}
