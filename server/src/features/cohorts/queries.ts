import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../contract/dates.ts'
import type { Db, Tx } from '../../db/database.ts'
import { COUNTED } from '../attribution/incremental/journeys.ts'

type Params = { profileId: string; range: DateRange }

/** Cash that counts, as the reports count it, each with what opened the earliest of the customer's first payments. */
const cashOf = (profileId: string) => sql`
  select customer_id, event_id, id, day, report_value_minor,
    first_value(case when opens then id end) over own as opened_by,
    first_value(case when opens then day end) over own as opened_on
  from (
    select i.customer_id, v.event_id, v.id, v.occurred_at, v.day, v.report_value_minor,
      coalesce(p.is_first_payment and not p.is_first_balance, false) as opens
    from (select * from conversions
      where profile_id = ${profileId} and revenue_type = 'cash' and ${sql.raw(COUNTED)}) v
    join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
    left join payments p on p.profile_id = ${profileId} and p.id = v.event_id) as cash
  window own as (partition by customer_id order by not opens, occurred_at, id)`

/** Each customer once. One pass and no join with itself, which a planner without statistics makes quadratic. */
const opened = ({ profileId, range }: Params) => sql`
  select customer_id, id as conversion_id, day from (${cashOf(profileId)}) as cash
  where id = opened_by and day between ${range.from}::date and ${range.to}::date`

export type FirstPaymentRow = { conversion_id: string; day: string; packed: Buffer }

export async function listFirstPayments(db: Db | Tx, params: Params): Promise<FirstPaymentRow[]> {
  const { rows } = await sql<FirstPaymentRow>`
    select o.conversion_id, o.day, c.packed
    from (${opened(params)}) o
    join credits c on c.profile_id = ${params.profileId} and c.conversion_id = o.conversion_id`.execute(db)
  return rows
}

export async function countByMonth(
  db: Db | Tx,
  params: Params,
): Promise<{ month: string; customers: number }[]> {
  const { rows } = await sql<{ month: string; customers: number }>`
    select to_char(o.day, 'YYYY-MM') as month, count(*)::bigint as customers
    from (${opened(params)}) o group by 1`.execute(db)
  return rows
}

export type PaidRow = { key: string; months: number; value_minor: number; payers: number }

/** Month by month after the first, what customers paid: each one by their first conversion, or all of a month together. */
export function listPaid(
  db: Db | Tx,
  params: Params & { by: 'customer' | 'month'; horizon: number },
): Promise<PaidRow[]> {
  const { profileId, by, horizon } = params
  const number = (day: RawBuilder<unknown>) =>
    sql`(date_part('year', ${day}) * 12 + date_part('month', ${day}))::integer`
  const key = by === 'month' ? sql`to_char(opened_on, 'YYYY-MM')` : sql`opened_by::text`
  return sql<PaidRow>`
    with paid as materialized (
      select * from (${cashOf(profileId)}) as cash
      where opened_on between ${params.range.from}::date and ${params.range.to}::date),
    moved as (
      select customer_id, opened_by, opened_on, day, report_value_minor as value_minor, true as is_payment from paid
      union all
      select p.customer_id, p.opened_by, p.opened_on, r.day, -r.report_amount_minor, false
      from (select distinct customer_id, opened_by, opened_on, event_id from paid) p
      join refunds r on r.profile_id = ${profileId} and r.payment_id = p.event_id),
    of_customer as (
      select customer_id, ${key} as key, ${number(sql`day`)} - ${number(sql`opened_on`)} as months,
        coalesce(sum(value_minor), 0) as value_minor, bool_or(is_payment) as has_paid
      from moved
      group by 1, 2, 3)
    select key, months, sum(value_minor)::bigint as value_minor, (count(*) filter (where has_paid))::bigint as payers
    from of_customer where months between 0 and ${horizon}
    group by 1, 2`
    .execute(db)
    .then(({ rows }) => rows)
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
