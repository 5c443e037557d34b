import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { COUNTED } from '../../attribution/crediting/incremental/journeys.ts'
import type { Position } from './credited-conversions.ts'
import { isNotCreditable } from './unattributed.ts'

export type JourneyPayment = {
  conversion_id: string
  customer_id: string
  day: string
  occurred_at: Date
  value_minor: number | null
  currency: string | null
  report_value_minor: number | null
  packed: Buffer
}

const columns = sql`
  v.id as conversion_id, i.customer_id, v.day, v.occurred_at, v.value_minor, v.currency, v.report_value_minor, c.packed`

const withCredit = (profileId: string) => sql`
  join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
  join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id`

/** All cash of the range that reports count, with its credit, newest first, starting below a position. */
export async function journeyPayments(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; below: Position; most: number },
): Promise<JourneyPayment[]> {
  const { profileId, range, below, most } = params
  // Each condition has an index of its own.
  const newest = (condition: RawBuilder<unknown>) => sql`
    (select v.* from conversions v
    where v.profile_id = ${profileId} and v.day between ${range.from}::date and ${range.to}::date and ${condition}
      and (v.day, v.occurred_at, v.id) < (${below.day}::date, ${below.at}::timestamptz, ${below.id}::uuid)
    order by v.day desc, v.occurred_at desc, v.id desc limit ${most})`
  const { rows } = await sql<JourneyPayment>`
    select ${columns}
    from (
      select * from (
        ${newest(sql`v.attribution_eligible and v.revenue_type = 'cash'`)} union all ${newest(isNotCreditable)}) either
      order by day desc, occurred_at desc, id desc limit ${most}) v
    ${withCredit(profileId)}
    order by v.day desc, v.occurred_at desc, v.id desc`.execute(db)
  return rows
}

/** Cash of other days that was refunded in the range. */
export async function paymentsRefundedLater(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; most: number },
): Promise<JourneyPayment[]> {
  const { profileId, range, most } = params
  const { rows } = await sql<JourneyPayment>`
    select ${columns}
    from (
      select distinct payment_id from refunds
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date) r
    join conversions v on v.profile_id = ${profileId} and v.event_id = r.payment_id and v.revenue_type = 'cash'
      and ${sql.raw(COUNTED)} and v.day not between ${range.from}::date and ${range.to}::date
    ${withCredit(profileId)}
    order by v.day desc, v.occurred_at desc, v.id desc limit ${most}`.execute(db)
  return rows
}
