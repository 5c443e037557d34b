/** Saves the refunds that senders report as events, and divides them again when a payment of the order changes. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import type { AttributionProfile } from '../crediting/settings.ts'
import { divideRefunds, type RefundReport, type ReportedPayment, refundReportOf } from './refund-events.ts'
import { FROM_BROWSER, FROM_EVENTS, recalculateRefunds, saveRefunds } from './refunds.ts'

type StoredRefund = RefundReport & { paymentIds: string[] }

const columns = sql`event_id as "eventId", order_ref as "orderRef", keyed_payment_id as "keyedPaymentId",
  occurred_at as "occurredAt", amount_minor as "amountMinor", currency, by_browser as "byBrowser",
  payment_ids as "paymentIds"`

/**
 * Call it after the payments and order claims are saved. Returns the payments whose refunds changed. `removedPaymentIds`:
 * payments of earlier versions that are no longer derived.
 */
export async function saveReportedRefunds(
  tx: Tx,
  profile: AttributionProfile,
  part: {
    events: readonly StoredEvent[]
    updatedIds: readonly string[]
    paymentIds: readonly string[]
    removedPaymentIds: readonly string[]
  },
  now: Date,
): Promise<string[]> {
  const { profileId } = profile
  const reports = part.events.flatMap((event) => refundReportOf(event) ?? [])
  const previous = await removeReports(tx, profileId, part.updatedIds)
  if (reports.length + previous.length + part.paymentIds.length + part.removedPaymentIds.length === 0)
    return []
  await saveReports(tx, profileId, reports)
  const paid = new Set(part.paymentIds)
  const orders = part.events.flatMap(({ id, body }) =>
    paid.has(id) && body.order_ref !== undefined ? body.order_ref : [],
  )
  const refunds = await loadReports(tx, profileId, {
    orderRefs: [...orders, ...[...reports, ...previous].map((report) => report.orderRef)],
    paymentIds: part.paymentIds,
    removedPaymentIds: part.removedPaymentIds,
  })
  if (refunds.length + previous.length === 0) return []
  const payments = await loadPayments(tx, profileId, refunds)
  const desired = [...Map.groupBy(refunds, (refund) => refund.orderRef)].flatMap(([orderRef, ofOrder]) =>
    divideRefunds(ofOrder, payments.get(orderRef) ?? []),
  )
  const timeOf = new Map(refunds.map((refund) => [refund.eventId, refund.occurredAt]))
  const writes = desired.map((refund) => ({
    id: refundIdOf(refund),
    paymentId: refund.paymentId,
    kind: 'provider' as const,
    externalId: refund.eventId,
    occurredAt: timeOf.get(refund.eventId)!,
    amountMinor: refund.amountMinor,
    currency: refund.currency,
    reason: null,
  }))
  const desiredIds = new Set(writes.map((write) => write.id))
  const stale = [...previous, ...refunds].flatMap(({ eventId, paymentIds }) =>
    paymentIds.flatMap((paymentId) => {
      const id = refundIdOf({ eventId, paymentId })
      return desiredIds.has(id) ? [] : [{ id, paymentId }]
    }),
  )
  await deleteRefunds(tx, profileId, stale)
  const stalePayments = stale.map(({ paymentId }) => paymentId)
  await recalculateRefunds(tx, profile, stalePayments)
  const saved = await saveRefunds(tx, profile, writes, now)
  await savePaymentIds(tx, profileId, refunds, desired)
  return [...new Set([...saved, ...stalePayments])]
}

const refundIdOf = ({ eventId, paymentId }: { eventId: string; paymentId: string }) =>
  uuidv5(eventId, `refund of ${paymentId}`)

async function removeReports(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<StoredRefund[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<StoredRefund>`
    delete from reported_refunds where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])
    returning ${columns}`.execute(tx)
  return rows
}

const saveReports = (tx: Tx, profileId: string, reports: readonly RefundReport[]) =>
  bulkInsert(
    tx,
    { into: 'reported_refunds', profileId, rows: reports },
    {
      event_id: 'eventId',
      order_ref: 'orderRef',
      keyed_payment_id: 'keyedPaymentId',
      occurred_at: 'occurredAt',
      amount_minor: 'amountMinor',
      currency: 'currency',
      by_browser: 'byBrowser',
      payment_ids: () => [],
    },
    { conflict: { on: ['profile_id', 'event_id'] } },
  )

/** All refunds of the orders that one of the ids belongs to. */
async function loadReports(
  tx: Tx,
  profileId: string,
  ids: {
    orderRefs: readonly string[]
    paymentIds: readonly string[]
    removedPaymentIds: readonly string[]
  },
): Promise<StoredRefund[]> {
  const removed = uuidList(ids.removedPaymentIds)
  const isRemoved = ids.removedPaymentIds.length === 0 ? sql`false` : sql`payment_ids && ${removed}::uuid[]`
  const { rows } = await sql<StoredRefund>`
    select ${columns} from reported_refunds
    where profile_id = ${profileId} and order_ref in (
      select order_ref from reported_refunds
      where profile_id = ${profileId} and (order_ref = any(${uuidList(ids.orderRefs)}::uuid[])
        or keyed_payment_id = any(${uuidList(ids.paymentIds)}::uuid[]) or ${isRemoved}))`.execute(tx)
  return rows
}

/** Payments that events reported, by the order of the refunds. */
async function loadPayments(
  tx: Tx,
  profileId: string,
  refunds: readonly RefundReport[],
): Promise<Map<string, ReportedPayment[]>> {
  const orderRefs = uuidList([...new Set(refunds.map((refund) => refund.orderRef))])
  const { rows } = await sql<ReportedPayment & { orderRef: string }>`
    with wanted as (
      select order_ref, event_id as payment_id from order_events
      where profile_id = ${profileId} and order_ref = any(${orderRefs}::uuid[]) and revenue_type = 'cash'
      union
      select order_ref, keyed_payment_id from reported_refunds
      where profile_id = ${profileId} and order_ref = any(${orderRefs}::uuid[])
    )
    select w.order_ref as "orderRef", p.id, p.occurred_at as "occurredAt", p.value_minor as "valueMinor", p.currency,
      p.status, p.provider = ${FROM_BROWSER} as "byBrowser"
    from wanted w
    join payments p on p.profile_id = ${profileId} and p.id = w.payment_id
    where p.provider in (${FROM_EVENTS}, ${FROM_BROWSER})`.execute(tx)
  return Map.groupBy(rows, (row) => row.orderRef)
}

async function deleteRefunds(tx: Tx, profileId: string, stale: readonly { id: string }[]): Promise<void> {
  if (stale.length === 0) return
  const ids = uuidList(stale.map(({ id }) => id))
  await sql`delete from refunds where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(tx)
}

async function savePaymentIds(
  tx: Tx,
  profileId: string,
  refunds: readonly StoredRefund[],
  desired: readonly { eventId: string; paymentId: string }[],
): Promise<void> {
  const byEvent = Map.groupBy(desired, (refund) => refund.eventId)
  for (const { eventId, paymentIds } of refunds) {
    const later = (byEvent.get(eventId) ?? []).map(({ paymentId }) => paymentId).sort()
    if (later.join() === paymentIds.toSorted().join()) continue
    await sql`
      update reported_refunds set payment_ids = ${uuidList(later)}::uuid[]
      where profile_id = ${profileId} and event_id = ${eventId}`.execute(tx)
  }
}
