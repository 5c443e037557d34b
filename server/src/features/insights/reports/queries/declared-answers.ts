import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type AnsweredPayment = { answer_key: string; answer_text: string | null; packed: Buffer }

/** Customers who paid in the range, each with the first payment of the range. */
const paid = (profileId: string, range: DateRange) => sql`
  select distinct on (i.customer_id) i.customer_id, v.id as conversion_id
  from conversions v
  join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
  where v.profile_id = ${profileId} and v.day between ${range.from}::date and ${range.to}::date
    and v.attribution_eligible and v.revenue_type = 'cash'
  order by i.customer_id, v.occurred_at, v.id`

export async function countPayers(
  db: Db | Tx,
  params: { profileId: string; range: DateRange },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${paid(params.profileId, params.range)}) as payers`.execute(db)
  return rows[0]!.count
}

/** An answer refers to a person or an order; only the latest answer of each customer counts. */
export async function answeredPayments(
  db: Db | Tx,
  params: { profileId: string; range: DateRange },
): Promise<AnsweredPayment[]> {
  const { profileId, range } = params
  const { rows } = await sql<AnsweredPayment>`
    with answers as (
      select i.customer_id, a.answer_key, a.answer_text, a.asked_at, a.id from declared_answers a
      join identifiers i on i.profile_id = ${profileId} and i.id = a.identifier_id
      where a.profile_id = ${profileId}
      union all
      select i.customer_id, a.answer_key, a.answer_text, a.asked_at, a.id from declared_answers a
      join order_events o on o.profile_id = ${profileId} and o.order_ref = a.order_ref
      join conversions c on c.profile_id = ${profileId} and c.event_id = o.event_id
      join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
      where a.profile_id = ${profileId}),
    latest as (
      select distinct on (customer_id) customer_id, answer_key, answer_text from answers
      order by customer_id, asked_at desc, id desc),
    payers as (${paid(profileId, range)})
    select latest.answer_key, latest.answer_text, c.packed from latest
    join payers on payers.customer_id = latest.customer_id
    join credits c on c.profile_id = ${profileId} and c.conversion_id = payers.conversion_id
    order by payers.conversion_id`.execute(db)
  return rows
}
