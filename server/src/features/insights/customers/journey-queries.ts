/** The newest touches, conversions, replies and payments of a customer's identifiers. */
import { type RawBuilder, sql } from 'kysely'
import type { RevenueType } from '../../../platform/contract/fields.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DescribedTouch } from '../../attribution/crediting/describe-touches.ts'

type Params = { profileId: string; identifierIds: readonly string[]; limit: number }

export type JourneyTouchRow = DescribedTouch & {
  identifier_id: string
  click_id_kind: string | null
  click_id: string | null
  landing_path: string | null
  referrer_host: string | null
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
}

/** A lateral join per identifier, so that each is an index lookup. `rows` refers to the identifier as `input.id`. */
function newest(params: Params, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select latest.* from unnest(${uuidList(params.identifierIds)}::uuid[]) as input(id)
    cross join lateral (${rows} order by occurred_at desc, id desc limit ${params.limit}) as latest
    order by latest.occurred_at desc, latest.id desc limit ${params.limit}`
}

export async function listTouches(db: Db | Tx, params: Params): Promise<JourneyTouchRow[]> {
  const { rows } = await sql<JourneyTouchRow>`${newest(
    params,
    sql`select id, identifier_id, occurred_at, channel, origin, platform, is_direct, campaign_external_id,
      ad_set_external_id, ad_external_id, reported_at, click_id_kind, click_id, landing_path, referrer_host, utm_source,
      utm_medium, utm_campaign
    from touches where profile_id = ${params.profileId} and identifier_id = input.id`,
  )}`.execute(db)
  return rows
}

export type ConversionRow = {
  id: string
  occurred_at: Date
  outcome_type: string
  revenue_type: RevenueType
  value_minor: number | null
  currency: string | null
  attribution_eligible: boolean
  duplicate_of: string | null
  unconfirmed: boolean
}

export async function listConversions(db: Db | Tx, params: Params): Promise<ConversionRow[]> {
  const { rows } = await sql<ConversionRow>`${newest(
    params,
    sql`select id, occurred_at, outcome_type, revenue_type, value_minor, currency, attribution_eligible, duplicate_of,
      unconfirmed
    from conversions where profile_id = ${params.profileId} and identifier_id = input.id`,
  )}`.execute(db)
  return rows
}

export type ReplyRow = { id: string; occurred_at: Date; conversation_id: string; template: string | null }

/** Replies of the business that the platform accepted. */
export async function listReplies(db: Db | Tx, params: Params): Promise<ReplyRow[]> {
  const { rows } = await sql<ReplyRow>`${newest(
    params,
    sql`select r.id, r.created_at as occurred_at, r.conversation_id, r.template_name as template
    from conversations c
    join conversation_replies r on r.profile_id = ${params.profileId} and r.conversation_id = c.id
    where c.profile_id = ${params.profileId} and c.identifier_id = input.id and r.status in ('sent', 'delivered')`,
  )}`.execute(db)
  return rows
}

export type PaymentRow = {
  id: string
  occurred_at: Date
  provider: string
  status: string
  value_minor: number
  currency: string
  refunded_minor: number
  is_first_payment: boolean
}

export async function listPayments(db: Db | Tx, params: Params): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`${newest(
    params,
    sql`select id, occurred_at, provider, status, value_minor, currency, is_first_payment,
      coalesce((select sum(coalesce(f.counted_minor, f.amount_minor)) from refunds f
        where f.profile_id = ${params.profileId} and f.payment_id = p.id), 0)::bigint as refunded_minor
    from payments p
    where profile_id = ${params.profileId} and coalesce(payer_identifier_id, identifier_id) = input.id`,
  )}`.execute(db)
  return rows
}
