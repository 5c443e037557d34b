import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { COUNTED } from '../../../attribution/crediting/incremental/journeys.ts'

export type MissingRate = { day: string; currency: string }

/**
 * Days and currencies of counted facts without an exchange rate, newest first; queried only if their count is not 0.
 * A refund in the report currency waits for the rate of its payment's currency; the refund of a payment that does not
 * count is in no figure.
 */
export async function missingRates(
  db: Db | Tx,
  params: { profileId: string; currency: string; range: DateRange; limit: number },
): Promise<MissingRate[]> {
  const { profileId, range } = params
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const { rows } = await sql<MissingRate>`
    select day, currency from conversions
    where ${inRange} and value_minor is not null and report_value_minor is null
      and ${sql.raw(COUNTED)}
    union
    select r.day, case when r.currency = ${params.currency} then p.currency else r.currency end
    from refunds r
    join payments p on p.profile_id = ${profileId} and p.id = r.payment_id and p.status in ('succeeded', 'disputed')
    where r.profile_id = ${profileId} and r.day between ${range.from}::date and ${range.to}::date
      and r.report_amount_minor is null
    union
    select day, currency from ad_delivery
    where ${inRange}
      and (report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null))
    order by day desc, currency limit ${params.limit}`.execute(db)
  return rows
}
