import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import type { RevenueType } from '../../../platform/contract/fields.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DescribedTouch } from '../../attribution/crediting/describe-touches.ts'
import { isAlive } from '../../facts/identity/members.ts'

/** Position in the order of receipt, the order of the index. */
export type Place = { at: Date; id: string }
export type VisitorRow = DescribedTouch & {
  identifier_id: string
  customer_id: string
  customer_kind: number
  recorded_at: Date
  landing_path: string | null
  referrer_host: string | null
}

/** Excludes visits of erased people. */
export async function listVisitors(
  db: Db | Tx,
  params: { profileId: string; after: Place | null; limit: number },
): Promise<VisitorRow[]> {
  const { profileId, after } = params
  const cursorFilter =
    after === null ? sql`` : sql`and (t.recorded_at, t.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<VisitorRow>`
    select t.id, t.identifier_id, i.customer_id, k.kind as customer_kind, t.occurred_at, t.recorded_at, t.channel, t.origin,
      t.platform, t.is_direct, t.campaign_external_id, t.ad_set_external_id, t.ad_external_id, t.reported_at,
      t.landing_path, t.referrer_host, t.utm_source, t.click_id_kind
    from touches t
    join identifiers i on i.profile_id = ${profileId} and i.id = t.identifier_id
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    where t.profile_id = ${profileId} and t.reported_at is null and k.kind < ${identifierKinds.length} ${cursorFilter}
      and ${isAlive(profileId, sql.ref('i.customer_id'))}
      and not exists (
        select 1 from touches later where later.profile_id = ${profileId} and later.identifier_id = t.identifier_id
          and later.reported_at is null and (later.recorded_at, later.id) > (t.recorded_at, t.id))
    order by t.recorded_at desc, t.id desc limit ${params.limit}`.execute(db)
  return rows
}

export type ArrivedEvent = {
  occurred_at: Date
  /** Null for outcomes reported by a server or provider, which are not visits. */
  visitor: string | null
  path: string | null
  channel: string | null
}

/** The newest events of a time window. URLs are reduced to their path, because query strings may contain personal data. */
export async function listArrived(
  db: Db | Tx,
  params: { profileId: string; from: Date; to: Date; limit: number },
): Promise<ArrivedEvent[]> {
  const { rows } = await sql<ArrivedEvent>`
    select occurred_at,
      case when source = 'tracker' or body->'page' is not null or body->'touch' is not null
        then coalesce(anonymous_id, body->'identifiers'->0->>'id') end as visitor,
      case when name = 'page_view' then substring(body->'page'->>'url' from '^[a-z]+://[^/?#]*([^?#]*)') end as path,
      body->'touch'->>'channel' as channel
    from events
    where profile_id = ${params.profileId} and occurred_at >= ${params.from} and occurred_at <= ${params.to} and not is_bot
    order by occurred_at desc, id desc limit ${params.limit}`.execute(db)
  return rows
}

export type RecentConversion = {
  id: string
  outcome_type: string
  revenue_type: RevenueType
  occurred_at: Date
  value_minor: number | null
  currency: string | null
}

export async function listRecentConversions(
  db: Db | Tx,
  params: { profileId: string; from: Date; to: Date; limit: number },
): Promise<RecentConversion[]> {
  const { rows } = await sql<RecentConversion>`
    select id, outcome_type, revenue_type, occurred_at, value_minor, currency from conversions
    where profile_id = ${params.profileId} and recorded_at >= ${params.from} and occurred_at >= ${params.from}
      and occurred_at <= ${params.to} and duplicate_of is null and not unconfirmed
    order by recorded_at desc, event_id desc limit ${params.limit}`.execute(db)
  return rows
}
