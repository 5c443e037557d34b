import { sql } from 'kysely'
import { bigints, booleans, days, instants, texts, uuidList, uuids } from '../../db/bulk/columns.ts'
import type { Db, Tx } from '../../db/database.ts'
import { conversionsOf, touchesOf } from '../events/derived-rows.ts'
import type { DerivedConversion, DerivedPayment, Goal } from './derive.ts'

export async function listGoals(db: Db | Tx, params: { profileId: string }): Promise<Goal[]> {
  const rows = await db
    .selectFrom('goals')
    .select(['id', 'source_event_names', 'outcome_type', 'revenue_type', 'attribution_eligible'])
    .where('profile_id', '=', params.profileId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sourceEventNames: row.source_event_names,
    outcomeType: row.outcome_type,
    revenueType: row.revenue_type as Goal['revenueType'],
    attributionEligible: row.attribution_eligible,
  }))
}

export type ConversionWrite = DerivedConversion & { day: string; reportValueMinor: number | null }

const replaceStored = sql`
    on conflict (profile_id, id) do update set
      identifier_id = excluded.identifier_id, occurred_at = excluded.occurred_at, recorded_at = excluded.recorded_at,
      day = excluded.day, outcome_type = excluded.outcome_type, revenue_type = excluded.revenue_type,
      attribution_eligible = excluded.attribution_eligible, value_minor = excluded.value_minor,
      currency = excluded.currency, report_value_minor = excluded.report_value_minor,
      provider = excluded.provider, external_id = excluded.external_id, duplicate_of = excluded.duplicate_of,
      unconfirmed = excluded.unconfirmed`

/** The caller holds the profile's lock. */
export async function saveConversions(
  tx: Tx,
  profileId: string,
  rows: readonly ConversionWrite[],
): Promise<void> {
  if (rows.length === 0) return
  // Key by key: for a list of ids the planner takes whatever index begins with the profile, and reads all of it.
  const { rows: stored } = await sql`
    select 1 from unnest(${uuids(rows, (row) => row.id)}::uuid[]) as asked(id)
    cross join lateral (
      select 1 from conversions where profile_id = ${profileId} and id = asked.id offset 0) as found`.execute(
    tx,
  )
  // Nearly always none is: looking first costs a third of what the database spends to be ready for a conflict.
  const onConflict = stored.length === 0 ? sql`` : replaceStored
  await sql`
    insert into conversions (profile_id, id, event_id, goal_id, identifier_id, occurred_at, recorded_at, day, outcome_type,
      revenue_type, attribution_eligible, value_minor, currency, report_value_minor, provider, external_id, duplicate_of,
      unconfirmed)
    select ${profileId}::uuid, unnest(${uuids(rows, (row) => row.id)}::uuid[]), unnest(${uuids(rows, (row) => row.eventId)}::uuid[]),
      unnest(${uuids(rows, (row) => row.goalId)}::uuid[]),
      unnest(${uuids(rows, (row) => row.identifierId)}::uuid[]),
      unnest(${instants(rows, (row) => row.occurredAt)}::timestamptz[]),
      unnest(${instants(rows, (row) => row.recordedAt)}::timestamptz[]),
      unnest(${days(rows, (row) => row.day)}::date[]), unnest(${texts(rows, (row) => row.outcomeType)}::text[]),
      unnest(${texts(rows, (row) => row.revenueType)}::text[]),
      unnest(${booleans(rows, (row) => row.attributionEligible)}::boolean[]),
      unnest(${bigints(rows, (row) => row.valueMinor)}::bigint[]),
      unnest(${texts(rows, (row) => row.currency)}::text[]),
      unnest(${bigints(rows, (row) => row.reportValueMinor)}::bigint[]),
      unnest(${texts(rows, (row) => row.provider)}::text[]),
      unnest(${texts(rows, (row) => row.externalId)}::text[]),
      unnest(${uuids(rows, (row) => row.duplicateOf)}::uuid[]),
      unnest(${booleans(rows, (row) => row.unconfirmed)}::boolean[])
    ${onConflict}`.execute(tx)
}

/** What the merchant said (payer, installment) stays when the event is sent again, also when it was no payment in between. */
export async function savePayments(
  tx: Tx,
  profileId: string,
  rows: readonly DerivedPayment[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into payments (profile_id, id, event_id, identifier_id, provider, external_id, order_id, occurred_at, recorded_at,
      value_minor, currency, status, subject_ref, from_events, is_first_payment, is_installment, payer_identifier_id)
    select ${profileId}::uuid, p.*, false, coalesce(m.is_installment, false), m.payer_identifier_id from unnest(
      ${uuids(rows, (row) => row.id)}::uuid[], ${uuids(rows, (row) => row.eventId)}::uuid[],
      ${uuids(rows, (row) => row.identifierId)}::uuid[], ${texts(rows, (row) => row.provider)}::text[],
      ${texts(rows, (row) => row.externalId)}::text[], ${texts(rows, (row) => row.orderId)}::text[],
      ${instants(rows, (row) => row.occurredAt)}::timestamptz[], ${instants(rows, (row) => row.recordedAt)}::timestamptz[],
      ${bigints(rows, (row) => row.valueMinor)}::bigint[], ${texts(rows, (row) => row.currency)}::text[],
      ${texts(rows, (row) => row.status)}::text[], ${texts(rows, (row) => row.subjectRef)}::text[],
      ${booleans(rows, (row) => row.fromEvents)}::boolean[]) as p(id, event_id, identifier_id, provider, external_id, order_id,
        occurred_at, recorded_at, value_minor, currency, status, subject_ref, from_events)
    left join payment_marks m on m.profile_id = ${profileId} and m.payment_id = p.id
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
  const { rows } = await sql<{ event_id: string; payer_identifier_id: string }>`
    select payment_id as event_id, payer_identifier_id from payment_marks
    where profile_id = ${profileId} and payment_id = any(${uuidList(eventIds)}::uuid[]) and payer_identifier_id is not null`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.event_id, row.payer_identifier_id]))
}

/** The ids that conversions of these events have: an id stays, also one that was made in another way. */
export async function loadConversionIds(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<{ idOf(eventId: string, goalId: string): string | undefined }> {
  const { rows } = await sql<{ id: string; event_id: string; goal_id: string }>`
    select id, event_id, goal_id from ${conversionsOf(profileId, eventIds)} as made`.execute(tx)
  const ids = new Map(rows.map((row) => [`${row.event_id} ${row.goal_id}`, row.id]))
  return { idOf: (eventId, goalId) => ids.get(`${eventId} ${goalId}`) }
}

/** A retracted event never comes back, so what was said about its payment goes too. */
export async function forgetMarks(tx: Tx, profileId: string, paymentId: string): Promise<void> {
  await tx
    .deleteFrom('payment_marks')
    .where('profile_id', '=', profileId)
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Deletes what an earlier version of these events made and this one does not. Tells whose it was. */
export async function deleteStale(
  tx: Tx,
  profileId: string,
  params: {
    eventIds: readonly string[]
    keepConversions: readonly string[]
    keepPayments: readonly string[]
  },
): Promise<{ owners: string[]; conversionIds: string[] }> {
  const conversions = await sql<{ id: string; identifier_id: string }>`
    delete from conversions c using ${conversionsOf(profileId, params.eventIds)} as made
    where c.profile_id = ${profileId} and c.id = made.id
      and not exists (select 1 from unnest(${uuidList(params.keepConversions)}::uuid[]) as kept(id) where kept.id = c.id)
    returning c.id, c.identifier_id`.execute(tx)
  const payments = await sql<{ identifier_id: string }>`
    delete from payments p where p.profile_id = ${profileId} and p.id = any(${uuidList(params.eventIds)}::uuid[])
      and not exists (select 1 from unnest(${uuidList(params.keepPayments)}::uuid[]) as kept(id) where kept.id = p.id)
    returning p.identifier_id`.execute(tx)
  return {
    owners: [...conversions.rows, ...payments.rows].map((row) => row.identifier_id),
    conversionIds: conversions.rows.map((row) => row.id),
  }
}

/** Who the current versions of these events belong to, before they change. */
export async function ownersOfEvents(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ identifier_id: string }>`
    select identifier_id from ${conversionsOf(profileId, eventIds)} as converted
    union
    select identifier_id from payments where profile_id = ${profileId} and id = any(${uuidList(eventIds)}::uuid[])
    union
    select identifier_id from ${touchesOf(profileId, eventIds)} as touched`.execute(tx)
  return rows.map((row) => row.identifier_id)
}
