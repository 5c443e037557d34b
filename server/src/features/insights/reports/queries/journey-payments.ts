import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Position } from './credited-conversions.ts'

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

/** Payments of the range with their credits, newest first, starting below a position. */
export async function journeyPayments(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; below: Position; most: number },
): Promise<JourneyPayment[]> {
  const { profileId, range, below } = params
  const { rows } = await sql<JourneyPayment>`
    select v.id as conversion_id, i.customer_id, v.day, v.occurred_at, v.value_minor, v.currency, v.report_value_minor,
      c.packed
    from (
      select * from conversions
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date
        and attribution_eligible and revenue_type = 'cash'
        and (day, occurred_at, id) < (${below.day}::date, ${below.at}::timestamptz, ${below.id}::uuid)
      order by day desc, occurred_at desc, id desc limit ${params.most}) v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
    order by v.day desc, v.occurred_at desc, v.id desc`.execute(db)
  return rows
}
