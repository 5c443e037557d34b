import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../contract/dates.ts'
import type { Db, Tx } from '../../db/database.ts'
import { COUNTED } from '../attribution/incremental/journeys.ts'

type Params = { profileId: string; range: DateRange }

/** Cash that counts, as the reports count it. */
const cashOf = (profileId: string) => sql`
  (select id, identifier_id, event_id, occurred_at, day, report_value_minor from conversions
  where profile_id = ${profileId} and revenue_type = 'cash' and ${sql.raw(COUNTED)})`

const opens = (payment: 'p' | 'q') =>
  sql.raw(`${payment}.is_first_payment and not ${payment}.is_first_balance`)

/**
 * Each customer once, by what opened the earliest of their first payments. Payments of about these days are read, and
 * of who paid then whether a day before them opened one.
 */
const opened = ({ profileId, range }: Params) => sql`
  select distinct on (i.customer_id) i.customer_id, v.id as conversion_id, v.day
  from payments p
  join ${cashOf(profileId)} v on v.event_id = p.id
  join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
  where p.profile_id = ${profileId} and ${opens('p')}
    and p.occurred_at >= ${range.from}::date - 2 and p.occurred_at < ${range.to}::date + 3
    and v.day between ${range.from}::date and ${range.to}::date
    and not exists (
      select 1 from identifiers j
      join ${cashOf(profileId)} w on w.identifier_id = j.id
      join payments q on q.profile_id = ${profileId} and q.id = w.event_id and ${opens('q')}
      where j.profile_id = ${profileId} and j.customer_id = i.customer_id and w.day < ${range.from}::date)
  order by i.customer_id, v.occurred_at, v.id`

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
  const key = by === 'month' ? sql`to_char(o.day, 'YYYY-MM')` : sql`o.conversion_id::text`
  return sql<PaidRow>`
    with cohort as (${opened(params)}),
    paid as (
      select o.customer_id, v.event_id, v.day, v.report_value_minor
      from cohort o
      join identifiers i on i.profile_id = ${profileId} and i.customer_id = o.customer_id
      join ${cashOf(profileId)} v on v.identifier_id = i.id),
    moved as (
      select customer_id, day, report_value_minor as value_minor, true as is_payment from paid
      union all
      select p.customer_id, r.day, -r.report_amount_minor, false
      from (select distinct customer_id, event_id from paid) p
      join refunds r on r.profile_id = ${profileId} and r.payment_id = p.event_id),
    of_customer as (
      select o.customer_id, ${key} as key, ${number(sql`m.day`)} - ${number(sql`o.day`)} as months,
        coalesce(sum(m.value_minor), 0) as value_minor, bool_or(m.is_payment) as has_paid
      from cohort o
      join moved m on m.customer_id = o.customer_id
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
