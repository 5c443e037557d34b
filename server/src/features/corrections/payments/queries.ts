import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import type { AmountBounds } from '../../../platform/contract/amounts.ts'
import { isWithin } from '../../../platform/db/amounts.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { conversionsOf } from '../../facts/events/derived-rows.ts'
import type { PersonSearch } from '../../facts/identity/search.ts'
import { customersFound } from '../../facts/identity/search-queries.ts'
import type { PageCursor, TimeRange } from './rules.ts'

export type PaymentRow = {
  id: string
  event_id: string
  identifier_id: string
  payer_identifier_id: string | null
  provider: string
  occurred_at: Date
  value_minor: number
  currency: string
  status: string
  is_first_payment: boolean
  is_installment: boolean
  customer_id: string
  /** Kind of the customer's root identifier. */
  customer_kind: number
  provider_refunds_minor: number
  manual_minor: number | null
  /** A refund in another currency than the payment lacks an exchange rate. */
  refunds_waiting: boolean
  manual_currency: string | null
  manual_told_minor: number | null
  /** A reported refund is not fully subtracted: it exceeds the payment, or the payment has not succeeded. */
  refunds_capped: boolean
  manual_reason: string | null
  manual_at: Date | null
}

const ANONYMOUS = identifierKinds.indexOf('anonymous_id')
/** False for anonymous visitors and for events without any identifier. */
export const hasIdentifiedPayer = (row: Pick<PaymentRow, 'customer_kind'>): boolean =>
  row.customer_kind < ANONYMOUS
/** False for events without any identifier. */
export const hasCustomer = (row: Pick<PaymentRow, 'customer_kind'>): boolean =>
  row.customer_kind < identifierKinds.length

const payments = (profileId: string) => sql`
  select p.id, p.event_id, p.identifier_id, p.payer_identifier_id, p.provider, p.occurred_at, p.value_minor, p.currency,
    p.status, p.is_first_payment, p.is_installment, i.customer_id, c.kind as customer_kind,
    coalesce(r.provider_minor, 0)::bigint as provider_refunds_minor, coalesce(m.counted_minor, m.amount_minor) as manual_minor, coalesce(r.capped, false) as refunds_capped,
    coalesce(r.waiting, false) as refunds_waiting, m.reason as manual_reason, m.occurred_at as manual_at,
    m.currency as manual_currency, coalesce(m.told_minor, m.amount_minor) as manual_told_minor
  from payments p
  join identifiers i on i.profile_id = ${profileId} and i.id = coalesce(p.payer_identifier_id, p.identifier_id)
  join identifiers c on c.profile_id = ${profileId} and c.id = i.customer_id
  left join lateral (
    select sum(coalesce(f.counted_minor, f.amount_minor)) filter (where f.kind <> 'manual') as provider_minor,
      bool_or(f.amount_minor <> f.told_minor) as capped,
      bool_or(f.amount_minor > 0 and f.counted_minor = 0 and f.currency <> p.currency) as waiting
    from refunds f
    where f.profile_id = ${profileId} and f.payment_id = p.id) r on true
  left join refunds m on m.profile_id = ${profileId} and m.payment_id = p.id and m.kind = 'manual'
  where p.profile_id = ${profileId}`

/** Matches a payment by amount, order id, payment id or payer. */
function matches(search: PersonSearch) {
  const conditions = [
    sql`p.id = ${search.recordId}::uuid`,
    sql`p.event_id in (
      select event_id from order_events where profile_id = ${search.profileId} and order_ref = ${search.orderRef}::uuid)`,
    ...(search.amount === null
      ? []
      : [isWithin(search.amount, sql.ref('p.value_minor'), sql.ref('p.currency'))]),
    ...(search.identifierIds.length + search.nameTokens.length === 0
      ? []
      : [
          sql`i.customer_id in (${customersFound({ ...search, amount: null, orderRef: null, recordId: null })})`,
        ]),
  ]
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** Newest first. */
export async function listPayments(
  db: Db | Tx,
  params: {
    profileId: string
    range: TimeRange
    status: 'all' | 'unidentified' | 'arrived'
    search?: PersonSearch | null
    amount?: readonly AmountBounds[] | null
    after: PageCursor | null
    limit: number
  },
): Promise<PaymentRow[]> {
  const { range, after } = params
  const statusFilter =
    params.status === 'all'
      ? sql``
      : params.status === 'unidentified'
        ? sql`and c.kind >= ${ANONYMOUS}`
        : sql`and p.status in ('succeeded', 'disputed')`
  const cursorFilter =
    after === null
      ? sql``
      : sql`and (p.occurred_at, p.id) < (${after.occurredAt}::timestamptz, ${after.id}::uuid)`
  const amount =
    params.amount == null
      ? sql``
      : sql`and ${isWithin(params.amount, sql.ref('p.value_minor'), sql.ref('p.currency'))}`
  const { rows } = await sql<PaymentRow>`
    ${payments(params.profileId)} and p.occurred_at between ${range.from} and ${range.to} ${statusFilter} ${amount}
      ${params.search == null ? sql`` : sql`and ${matches(params.search)}`} ${cursorFilter}
    order by p.occurred_at desc, p.id desc limit ${params.limit}`.execute(db)
  return rows
}

/** Payments that models credit: their goal takes part in attribution. */
export async function listCreditable(
  db: Db | Tx,
  params: { profileId: string; paymentIds: readonly string[] },
): Promise<Set<string>> {
  if (params.paymentIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select p.id from unnest(${uuidList(params.paymentIds)}::uuid[]) as input(id)
    join payments p on p.profile_id = ${params.profileId} and p.id = input.id
    join conversions v on v.profile_id = ${params.profileId} and v.recorded_at = p.recorded_at and v.event_id = p.event_id
      and v.revenue_type = 'cash' and v.attribution_eligible`.execute(db)
  return new Set(rows.map((row) => row.id))
}

export async function findPayment(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<PaymentRow>`${payments(params.profileId)} and p.id = ${params.id}`.execute(db)
  return rows[0]
}

/** Stored outside the payment, because payments are derived from events and may be derived again. */
export async function markInstallment(
  tx: Tx,
  params: { profileId: string; id: string; isInstallment: boolean },
): Promise<void> {
  await sql`
    insert into payment_marks (profile_id, payment_id, is_installment)
    values (${params.profileId}, ${params.id}, ${params.isInstallment})
    on conflict (profile_id, payment_id) do update set is_installment = excluded.is_installment`.execute(tx)
  await rowsWhere(tx, 'payments', { profile_id: params.profileId, id: params.id }).update({
    is_installment: params.isInstallment,
  })
}

/** Stores the merchant's choice; `applyPayer` applies it. */
export async function markPayer(
  tx: Tx,
  params: { profileId: string; paymentId: string; payerId: string | null },
): Promise<void> {
  await sql`
    insert into payment_marks (profile_id, payment_id, payer_identifier_id, is_installment)
    values (${params.profileId}, ${params.paymentId}, ${params.payerId}, false)
    on conflict (profile_id, payment_id) do update
    set payer_identifier_id = excluded.payer_identifier_id`.execute(tx)
}

/** Undefined if the merchant made no choice for the payment. */
export async function findMarkedPayer(db: Db | Tx, params: { profileId: string; paymentId: string }) {
  const { rows } = await sql<{ payerId: string | null }>`
    select payer_identifier_id as "payerId" from payment_marks
    where profile_id = ${params.profileId} and payment_id = ${params.paymentId}`.execute(db)
  return rows[0]
}

/** Moves the payment and the conversions of its event to the payer. */
export async function applyPayer(
  tx: Tx,
  params: { profileId: string; payment: PaymentRow; payerId: string | null },
): Promise<void> {
  const { profileId, payment, payerId } = params
  await rowsWhere(tx, 'payments', { profile_id: profileId, id: payment.id }).update({
    payer_identifier_id: payerId,
  })
  await sql`
    update conversions c set identifier_id = ${payerId ?? payment.identifier_id}::uuid
    from ${conversionsOf(profileId, [payment.event_id])} as derived
    where c.profile_id = ${profileId} and c.id = derived.id`.execute(tx)
}

export async function deleteManualRefund(tx: Tx, params: { profileId: string; paymentId: string }) {
  const { rows } = await sql`
    delete from refunds where profile_id = ${params.profileId} and payment_id = ${params.paymentId} and kind = 'manual'
    returning id`.execute(tx)
  return rows.length > 0
}

/** Replaces these identifiers as payers with the anonymous one. Returns the ids of the payments. */
export async function replacePayers(
  tx: Tx,
  params: { profileId: string; identifierIds: readonly string[]; payerId: string },
): Promise<string[]> {
  const { profileId, payerId } = params
  const ids = uuidList(params.identifierIds)
  const { rows } = await sql<{ payment_id: string }>`
    update payment_marks set payer_identifier_id = ${payerId}
    where profile_id = ${profileId} and payer_identifier_id = any(${ids}::uuid[])
    returning payment_id`.execute(tx)
  await sql`
    update payments set payer_identifier_id = ${payerId}
    where profile_id = ${profileId}
      and id = any(${uuidList(rows.map((row) => row.payment_id))}::uuid[])`.execute(tx)
  return rows.map((row) => row.payment_id)
}
