import { identifierKinds } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { COUNTED } from '../../attribution/crediting/incremental/journeys.ts'
import { isAlive, membersOf } from '../../facts/identity/members.ts'

/** Start of a page: after the latest conversion of the last customer. */
export type Place = { day: string; occurredAt: string; id: string }
export type ListedCustomer = { customer_id: string; day: string; occurred_at: Date; id: string }

/**
 * Conversions that reports count: those eligible for attribution, and cash of goals excluded from it. Each branch has an
 * index in the order of the list.
 */
const countedConversions = (profileId: string, cursorFilter: RawBuilder<unknown>) => sql`
  select identifier_id, day, occurred_at, id from conversions
  where profile_id = ${profileId} and attribution_eligible ${cursorFilter}
  union all
  select identifier_id, day, occurred_at, id from conversions
  where profile_id = ${profileId} and not attribution_eligible and revenue_type = 'cash' and duplicate_of is null
    and not unconfirmed ${cursorFilter}`

/** Customers by their latest conversion, newest first. Conversions without an identifier belong to no customer. */
export async function listConverted(
  db: Db | Tx,
  params: { profileId: string; after: Place | null; limit: number },
): Promise<ListedCustomer[]> {
  const { profileId, after } = params
  const cursorFilter =
    after === null
      ? sql``
      : sql`and (day, occurred_at, id) < (${after.day}::date, ${after.occurredAt}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<ListedCustomer>`
    select i.customer_id, c.day, c.occurred_at, c.id from (${countedConversions(profileId, cursorFilter)}) as c
    join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    where k.kind < ${identifierKinds.length} and ${isAlive(profileId, sql.ref('i.customer_id'))}
      and not exists (
        select 1 from (
          select i.customer_id as id union all
          select o.id from identifiers o
          where o.profile_id = ${profileId} and o.customer_id = i.customer_id and o.customer_id <> o.id) member
        -- A lateral join forces an index lookup per identifier: a scan of all conversions would take minutes.
        cross join lateral (
          select 1 from conversions later
          where later.profile_id = ${profileId} and later.identifier_id = member.id and ${sql.raw(COUNTED)}
            and (later.day, later.occurred_at, later.id) > (c.day, c.occurred_at, c.id)
          limit 1) newer)
    order by c.day desc, c.occurred_at desc, c.id desc limit ${params.limit}`.execute(db)
  return rows
}

export type CustomerSums = {
  customer_id: string
  kinds: number[]
  first_seen_at: Date | null
  first_channel: string | null
  last_seen_at: Date | null
  conversions: number
  last_conversion_at: Date | null
  payments: number
  cash_minor: number
  refunded_minor: number
  /** Payments and refunds without an exchange rate. */
  fx_missing: number
}

export async function sumCustomers(
  db: Db | Tx,
  params: { profileId: string; customerIds: readonly string[] },
): Promise<Map<string, CustomerSums>> {
  const { profileId } = params
  const { rows } = await sql<CustomerSums>`
    select m.customer_id, array_agg(m.kind order by m.kind) as kinds,
      least(min(t.first_at), min(c.first_at)) as first_seen_at,
      (array_agg(f.channel order by t.first_at) filter (where f.channel is not null))[1] as first_channel, greatest(max(t.last_at), max(c.last_at)) as last_seen_at,
      coalesce(sum(c.conversions), 0)::int as conversions, max(c.last_counted_at) as last_conversion_at,
      coalesce(sum(p.payments), 0)::int as payments, coalesce(sum(c.cash_minor), 0)::bigint as cash_minor,
      coalesce(sum(c.refunded_minor), 0)::bigint as refunded_minor, coalesce(sum(c.fx_missing), 0)::int as fx_missing
    from ${membersOf(profileId, params.customerIds)} as m
    left join lateral (
      select min(occurred_at) as first_at, max(occurred_at) as last_at from touches
      where profile_id = ${profileId} and identifier_id = m.id) as t on true
    left join lateral (
      select channel from touches where profile_id = ${profileId} and identifier_id = m.id
      order by occurred_at, id limit 1) as f on true
    left join lateral (
      select count(*) filter (where o.is_counted) as conversions, min(o.occurred_at) as first_at, max(o.occurred_at) as last_at,
        max(o.occurred_at) filter (where o.is_counted) as last_counted_at,
        sum(o.report_value_minor) filter (where o.is_cash) as cash_minor, sum(r.minor) as refunded_minor,
        count(*) filter (where o.is_cash and o.value_minor is not null and o.report_value_minor is null)
          + coalesce(sum(r.unrated), 0) as fx_missing
      from (
        select occurred_at, event_id, value_minor, report_value_minor,
          revenue_type = 'cash' and duplicate_of is null and not unconfirmed as is_cash, ${sql.raw(COUNTED)} as is_counted
        from conversions where profile_id = ${profileId} and identifier_id = m.id offset 0) as o
      left join lateral (
        select sum(report_amount_minor) as minor, count(*) filter (where report_amount_minor is null) as unrated from refunds
        where profile_id = ${profileId} and payment_id = o.event_id and o.is_cash) as r on true) as c on true
    left join lateral (
      select count(*) as payments from payments
      where profile_id = ${profileId} and coalesce(payer_identifier_id, identifier_id) = m.id
        and status in ('succeeded', 'disputed')) as p on true
    group by m.customer_id`.execute(db)
  return new Map(rows.map((row) => [row.customer_id, row]))
}

export async function listIdentifiers(db: Db | Tx, params: { profileId: string; customerId: string }) {
  const { rows } = await sql<{ id: string; kind: number }>`
    select id, kind from ${membersOf(params.profileId, [params.customerId])} as members
    order by kind, id`.execute(db)
  return rows
}

export async function listMergedInto(
  db: Db | Tx,
  params: { profileId: string; customerId: string },
): Promise<string[]> {
  const { rows } = await sql<{ from_customer_id: string }>`
    select from_customer_id from customer_merges
    where profile_id = ${params.profileId} and into_customer_id = ${params.customerId} and undone_at is null
    order by id`.execute(db)
  return rows.map((row) => row.from_customer_id)
}
