import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../contract/dates.ts'
import type { Db, Tx } from '../../db/database.ts'
import { COUNTED } from '../attribution/incremental/journeys.ts'

type Params = { profileId: string; range: DateRange }

const opens = sql`is_first_payment and not is_first_balance`
const monthOf = (day: RawBuilder<unknown>) =>
  sql`(date_part('year', ${day}) * 12 + date_part('month', ${day}) - 1)::integer`

/**
 * Cash that counts, as the reports count it, each with what opened the earliest of the customer's first payments. From
 * before the first month only first payments matter: their customers are left out. One pass and no join with itself,
 * which a planner without statistics makes quadratic.
 */
const cashOf = ({ profileId, range }: Params) => sql`
  select customer_id, event_id, paid_in, report_value_minor,
    first_value(case when opens then id end) over own as opened_by,
    first_value(case when opens then day end) over own as opened_on,
    first_value(case when opens then paid_in end) over own as month
  from (
    select i.customer_id, v.event_id, v.id, v.occurred_at, v.day, v.report_value_minor,
      ${monthOf(sql`v.day`)} as paid_in, p.id is not null as opens
    from (select * from conversions
      where profile_id = ${profileId} and revenue_type = 'cash' and ${sql.raw(COUNTED)}) v
    join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
    left join (select id from payments where profile_id = ${profileId} and ${opens}) p on p.id = v.event_id
    where v.day >= date_trunc('month', ${range.from}::date)::date or p.id is not null) as cash
  window own as (partition by customer_id order by not opens, occurred_at, id)`

/** By the conversion of the first payment, or null where all of a month are together; `month` is that of the first. */
export type PaidRow = {
  opened_by: string | null
  month: number
  months: number
  value_minor: number
  payers: number
}

/** Month by month after the first, what customers paid: each one by their first conversion, or all of a month together. */
export function listPaid(
  db: Db | Tx,
  params: Params & { by: 'customer' | 'month'; horizon: number },
): Promise<PaidRow[]> {
  const { profileId, by, horizon } = params
  const openedBy = by === 'month' ? sql`null` : sql`opened_by`
  return sql<PaidRow>`
    with paid as materialized (
      select * from (${cashOf(params)}) as cash
      where opened_on between ${params.range.from}::date and ${params.range.to}::date),
    refunded as (
      select distinct customer_id, opened_by, month, event_id from paid
      where event_id in (select payment_id from refunds where profile_id = ${profileId})),
    moved as (
      select customer_id, opened_by, month, paid_in, report_value_minor as value_minor, true as is_payment from paid
      union all
      select p.customer_id, p.opened_by, p.month, ${monthOf(sql`r.day`)}, -r.report_amount_minor, false
      from refunded p
      join refunds r on r.profile_id = ${profileId} and r.payment_id = p.event_id),
    of_customer as (
      select customer_id, opened_by, month, paid_in - month as months,
        coalesce(sum(value_minor), 0) as value_minor, bool_or(is_payment) as has_paid
      from moved
      group by 1, 2, 3, 4)
    select ${openedBy} as opened_by, month, months, sum(value_minor)::bigint as value_minor,
      (count(*) filter (where has_paid))::bigint as payers
    from of_customer where months between 0 and ${horizon}
    group by 1, 2, 3`
    .execute(db)
    .then(({ rows }) => rows)
}

export type OpeningCreditRow = { conversion_id: string; packed: Buffer }

/** Of every first payment of the range, also those of customers who had an earlier one. */
export async function listOpeningCredits(
  db: Db | Tx,
  { profileId, range }: Params,
): Promise<OpeningCreditRow[]> {
  const { rows } = await sql<OpeningCreditRow>`
    select c.conversion_id, c.packed
    from (select * from conversions where profile_id = ${profileId} and revenue_type = 'cash'
      and ${sql.raw(COUNTED)} and day between ${range.from}::date and ${range.to}::date) v
    join payments p on p.profile_id = ${profileId} and p.id = v.event_id and ${opens}
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id`.execute(db)
  return rows
}

export async function spendByMonth(
  db: Db | Tx,
  { profileId, range }: Params,
): Promise<{ month: string; spend_minor: number; unrated: number }[]> {
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
