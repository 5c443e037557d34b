import { sql } from 'kysely'
import { bigints, booleans, instants, texts, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert, type Columns } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import { conversionsReceived, type Receipt, receiptRows } from '../events/derived-rows.ts'
import type { DerivedConversion, DerivedPayment, Goal } from './derive.ts'

export async function listGoals(db: Db | Tx, params: { profileId: string }): Promise<Goal[]> {
  const rows = await rowsWhere(db, 'goals', { profile_id: params.profileId }).list({
    columns: ['id', 'source_event_names', 'outcome_type', 'revenue_type', 'attribution_eligible'],
    orderBy: ['id'],
  })
  return rows.map((row) => ({
    id: row.id,
    sourceEventNames: row.source_event_names,
    outcomeType: row.outcome_type,
    revenueType: row.revenue_type as Goal['revenueType'],
    attributionEligible: row.attribution_eligible,
  }))
}

export type ConversionWrite = DerivedConversion & { day: string; reportValueMinor: number | null }

const columns: Columns<'conversions', ConversionWrite> = {
  id: (row) => row.id,
  event_id: (row) => row.eventId,
  goal_id: (row) => row.goalId,
  identifier_id: (row) => row.identifierId,
  occurred_at: (row) => row.occurredAt,
  recorded_at: (row) => row.recordedAt,
  day: (row) => row.day,
  outcome_type: (row) => row.outcomeType,
  revenue_type: (row) => row.revenueType,
  attribution_eligible: (row) => row.attributionEligible,
  value_minor: (row) => row.valueMinor,
  currency: (row) => row.currency,
  report_value_minor: (row) => row.reportValueMinor,
  provider: (row) => row.provider,
  external_id: (row) => row.externalId,
  duplicate_of: (row) => row.duplicateOf,
  unconfirmed: (row) => row.unconfirmed,
}

/** Inserts conversions of new events, none of which is stored. */
export async function addConversions(tx: Tx, profileId: string, rows: readonly ConversionWrite[]) {
  await bulkInsert(tx, { into: 'conversions', profileId, rows }, columns)
}

/** Inserts or replaces conversions. The caller holds the profile's lock. */
export async function saveConversions(tx: Tx, profileId: string, rows: readonly ConversionWrite[]) {
  if (rows.length === 0) return
  // One lookup per key: for a list of ids the planner may scan any index that starts with the profile.
  const { rows: stored } = await sql`
    select 1 from unnest(${uuids(rows, (row) => row.id)}::uuid[]) as input(id)
    cross join lateral (
      select 1 from conversions where profile_id = ${profileId} and id = input.id offset 0) as stored`.execute(
    tx,
  )
  // Nearly always none is stored. This query costs a third as much as `on conflict` on the insert.
  if (stored.length === 0) await addConversions(tx, profileId, rows)
  else await replaceConversions(tx, profileId, rows)
}

/** Upserts conversions that may be stored. */
export async function replaceConversions(tx: Tx, profileId: string, rows: readonly ConversionWrite[]) {
  await bulkInsert(tx, { into: 'conversions', profileId, rows }, columns, {
    conflict: { on: ['profile_id', 'id'], keep: ['event_id', 'goal_id'] },
  })
}

/** The merchant's marks (payer, instalment) are kept in their own table and survive updates of the event. */
export async function savePayments(tx: Tx, profileId: string, rows: readonly DerivedPayment[]) {
  if (rows.length === 0) return
  await sql`
    insert into payments (profile_id, id, event_id, identifier_id, provider, external_id, order_id, occurred_at, recorded_at,
      value_minor, currency, status, subject_ref, from_events, is_first_payment, is_installment, payer_identifier_id)
    select ${anchoredProfileId(tx, profileId)}, p.*, false, coalesce(m.is_installment, false), m.payer_identifier_id from unnest(
      ${uuids(rows, (row) => row.id)}::uuid[], ${uuids(rows, (row) => row.eventId)}::uuid[],
      ${uuids(rows, (row) => row.identifierId)}::uuid[], ${texts(rows, (row) => row.provider)}::text[],
      ${texts(rows, (row) => row.externalId)}::text[], ${texts(rows, (row) => row.orderId)}::text[],
      ${instants(rows, (row) => row.occurredAt)}::timestamptz[], ${instants(rows, (row) => row.recordedAt)}::timestamptz[],
      ${bigints(rows, (row) => row.valueMinor)}::bigint[], ${texts(rows, (row) => row.currency)}::text[],
      ${texts(rows, (row) => row.status)}::text[], ${texts(rows, (row) => row.subjectRef)}::text[],
      ${booleans(rows, (row) => row.fromEvents)}::boolean[]) as p(id, event_id, identifier_id, provider, external_id, order_id,
        occurred_at, recorded_at, value_minor, currency, status, subject_ref, from_events)
    left join payment_marks m on m.profile_id = ${profileId} and m.payment_id = p.id
    ${joinAnchor(tx, profileId)}
    on conflict (profile_id, id) do update set
      identifier_id = excluded.identifier_id, provider = excluded.provider, external_id = excluded.external_id,
      order_id = excluded.order_id, occurred_at = excluded.occurred_at, recorded_at = excluded.recorded_at,
      value_minor = excluded.value_minor, currency = excluded.currency, status = excluded.status,
      subject_ref = excluded.subject_ref, from_events = excluded.from_events`.execute(tx)
}

/** The payers that the merchant assigned, for events that are about to be derived again. */
export async function loadPayers(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<Map<string, string>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<{ event_id: string; payer_identifier_id: string }>`
    select payment_id as event_id, payer_identifier_id from payment_marks
    where profile_id = ${profileId}
      and payment_id = any(${uuidList(eventIds)}::uuid[]) and payer_identifier_id is not null`.execute(tx)
  return new Map(rows.map((row) => [row.event_id, row.payer_identifier_id]))
}

/** Stored conversions of these events. */
export async function loadConversionsOf(tx: Tx, profileId: string, receipts: readonly Receipt[]) {
  const { rows } = await sql<ConversionWrite>`
    select id, event_id as "eventId", goal_id as "goalId", identifier_id as "identifierId", occurred_at as "occurredAt",
      recorded_at as "recordedAt", day, outcome_type as "outcomeType", revenue_type as "revenueType",
      attribution_eligible as "attributionEligible", value_minor as "valueMinor", currency,
      report_value_minor as "reportValueMinor", provider, external_id as "externalId", duplicate_of as "duplicateOf", unconfirmed
    from ${conversionsReceived(profileId, receiptRows(receipts))} as received`.execute(tx)
  return rows
}

/** The payments of these events, each with the event's id. */
export async function loadPaymentsOf(tx: Tx, profileId: string, eventIds: readonly string[]) {
  const { rows } = await sql<{ id: string; identifierId: string }>`
    select payment.id, payment.identifier_id as "identifierId" from unnest(${uuidList(eventIds)}::uuid[]) as input(id)
    cross join lateral (
      select id, identifier_id from payments where profile_id = ${profileId} and id = input.id offset 0) as payment`.execute(
    tx,
  )
  return rows
}

/** Deletes the merchant's marks of a retracted event, which can never return. */
export async function deletePaymentMarks(tx: Tx, profileId: string, paymentId: string): Promise<void> {
  await rowsWhere(tx, 'payment_marks', { profile_id: profileId, payment_id: paymentId }).delete()
}

export async function deleteConversions(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from conversions c using (
      select stored.id from unnest(${uuidList(ids)}::uuid[]) as input(id)
      cross join lateral (
        select id from conversions where profile_id = ${profileId} and id = input.id offset 0) as stored) as removed
    where c.profile_id = ${profileId} and c.id = removed.id`.execute(tx)
}

export async function deletePayments(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from payments where profile_id = ${profileId} and id = any(${uuidList(ids)}::uuid[])`.execute(
    tx,
  )
}
