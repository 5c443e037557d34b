import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { COUNTED } from '../../../attribution/crediting/incremental/journeys.ts'
import { UNKNOWN_KIND } from '../../../facts/identity/members.ts'
import type { Window } from '../verdict-rules.ts'

/** Maximum number of sales read by the checks, newest first. */
const MAX_SALES = 20_000
const MAX_FLAGGED = 1000

/** A conversion and the customer's last touch before it. */
export type SaleRow = {
  id: string
  day: string
  occurred_at: Date
  revenue_type: string
  value_minor: number | null
  customer_id: string
  /** The event has no identifier. */
  is_unknown: boolean
  touch_at: Date | null
  platform: string | null
  click_id_kind: string | null
  utm_medium: string | null
  referrer_host: string | null
  channel: string | null
}

export async function listSales(db: Db | Tx, { profileId, from, to }: Window): Promise<SaleRow[]> {
  const { rows } = await sql<SaleRow>`
    select v.id, v.day, v.occurred_at, v.revenue_type, v.report_value_minor as value_minor, u.customer_id,
      u.kind = ${sql.lit(UNKNOWN_KIND)} and u.customer_id = u.id as is_unknown,
      t.occurred_at as touch_at, t.platform, t.click_id_kind, t.utm_medium, t.referrer_host, t.channel
    from (
      select * from conversions
      where profile_id = ${profileId} and day between ${from}::date and ${to}::date and attribution_eligible
      order by day desc, occurred_at desc, id desc limit ${MAX_SALES}) v
    join identifiers u on u.profile_id = ${profileId} and u.id = v.identifier_id
    left join lateral (
      select o.* from identifiers m
      join touches o on o.profile_id = ${profileId} and o.identifier_id = m.id and o.occurred_at <= v.occurred_at
      where m.profile_id = ${profileId} and m.customer_id = u.customer_id
      order by o.occurred_at desc, o.id desc limit 1) t on true`.execute(db)
  return rows
}

export type FlaggedSale = { id: string; day: string; value_minor: number | null; detail: string | null }

const cashOf = ({ profileId, from, to }: Window) => sql`
  v.profile_id = ${profileId} and v.day between ${from}::date and ${to}::date and v.attribution_eligible
  and v.revenue_type = 'cash'`

const eventOf = ({ profileId }: Window) =>
  sql`e.profile_id = ${profileId} and e.occurred_at = v.occurred_at and e.id = v.event_id`

/** Payments of the same customer and amount within an hour from two senders. */
export async function listRepeatedSales(db: Db | Tx, window: Window): Promise<FlaggedSale[]> {
  const { profileId } = window
  const { rows } = await sql<FlaggedSale>`
    with paid as (
      select v.id, v.day, v.occurred_at, v.value_minor, v.currency, v.report_value_minor, u.customer_id,
        coalesce(e.provider, e.source) as sender
      from conversions v
      join identifiers u on u.profile_id = ${profileId} and u.id = v.identifier_id
      join events e on ${eventOf(window)}
      where ${cashOf(window)} and v.value_minor > 0)
    select later.id, later.day, later.report_value_minor as value_minor,
      min(earlier.sender) || ' and ' || later.sender as detail
    from paid later
    join paid earlier on earlier.customer_id = later.customer_id and earlier.value_minor = later.value_minor
      and earlier.currency = later.currency and earlier.sender <> later.sender
      and earlier.occurred_at >= later.occurred_at - interval '1 hour'
      and (earlier.occurred_at, earlier.id) < (later.occurred_at, later.id)
    group by later.id, later.day, later.report_value_minor, later.sender
    order by later.day desc, later.id limit ${MAX_FLAGGED}`.execute(db)
  return rows
}

/** Payments marked as tests by their order id, a flag or the email address. */
export async function listTestSales(db: Db | Tx, window: Window): Promise<FlaggedSale[]> {
  const { rows } = await sql<FlaggedSale>`
    select v.id, v.day, v.report_value_minor as value_minor, null as detail
    from conversions v
    join events e on ${eventOf(window)}
    where ${cashOf(window)} and (
      e.body->>'order_id' ~* '(^|[^a-z])test([^a-z]|$)'
      or lower(e.body->'properties'->>'test') in ('true', '1')
      or lower(e.body->'properties'->>'is_test') in ('true', '1')
      or lower(e.body->'properties'->>'livemode') = 'false'
      or e.body->'traits'->>'email' ~* '^test[0-9]*([+._-][^@]*)?@')
    order by v.day desc, v.id limit ${MAX_FLAGGED}`.execute(db)
  return rows
}

export type UnratedRow = { currency: string; facts: number; since: string }

/** Sales and spend that could not be converted to the report currency. */
export async function listUnrated(db: Db | Tx, { profileId, from, to }: Window): Promise<UnratedRow[]> {
  const { rows } = await sql<UnratedRow>`
    select currency, count(*)::bigint as facts, min(day) as since
    from (
      select currency, day from conversions
      where profile_id = ${profileId} and day between ${from}::date and ${to}::date
        and value_minor is not null and report_value_minor is null and ${sql.raw(COUNTED)}
      union all
      select currency, day from ad_delivery
      where profile_id = ${profileId} and day between ${from}::date and ${to}::date and report_spend_minor is null) unrated
    group by currency order by 2 desc, 1`.execute(db)
  return rows
}
