import { sql } from 'kysely'
import type { RevenueType } from '../../../platform/contract/fields.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { readConsent } from '../../facts/consents/rules.ts'
import { conversionsOf } from '../../facts/events/derived-rows.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { membersOf } from '../../facts/identity/members.ts'

type ConversionRow = {
  id: string
  event_id: string
  goal_id: string
  customer_id: string
  outcome_type: string
  revenue_type: RevenueType
  occurred_at: Date
  value_minor: number | null
  currency: string | null
  report_value_minor: number | null
  attribution_eligible: boolean
  customer_kind: number
  duplicate_of: string | null
  unconfirmed: boolean
}

/** Prefers a match by conversion id. An event with several conversions is represented by the first of them. */
export async function findConversion(db: Db | Tx, params: { profileId: string; id: string }) {
  const { profileId, id } = params
  const uuid = isUuid(id) ? id : null
  const eventIds = [eventIdOf(profileId, id), ...(uuid === null ? [] : [uuid])]
  const { rows } = await sql<ConversionRow>`
    select c.id, c.event_id, c.goal_id, i.customer_id, c.outcome_type, c.revenue_type, c.occurred_at, c.value_minor, c.currency, c.report_value_minor,
      c.attribution_eligible, c.duplicate_of, c.unconfirmed, k.kind as customer_kind
    from (
      select * from conversions where profile_id = ${profileId} and id = ${uuid}::uuid
      union select * from ${conversionsOf(profileId, eventIds)} as received) as c
    join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    order by c.id = ${uuid}::uuid desc nulls last, c.id limit 1`.execute(db)
  return rows[0]
}

/** What the event of a conversion states about the use for ads. */
export async function findStatedConsent(db: Db | Tx, params: { profileId: string; eventId: string }) {
  const { profileId, eventId } = params
  const { rows } = await sql<Parameters<typeof readConsent>[0]>`
    select e.occurred_at as "occurredAt", e.source, e.body->'properties'->'consent' as consent,
      e.body->'consent_signals' as signals
    from event_keys k
    join events e on e.profile_id = ${profileId} and e.occurred_at = k.occurred_at and e.id = k.event_id
    where k.profile_id = ${profileId} and k.event_id = ${eventId}`.execute(db)
  return rows[0]
}

/** The customer's latest answer, linked by one of the customer's identifiers or orders. */
export async function findDeclaredAnswer(
  db: Db | Tx,
  params: { profileId: string; customerId: string },
): Promise<{ answer_key: string; asked_at: Date } | null> {
  const { profileId } = params
  const { rows } = await sql<{ answer_key: string; asked_at: Date }>`
    with members as (select id from ${membersOf(profileId, [params.customerId])} as own)
    select a.answer_key, a.asked_at from declared_answers a
    where a.profile_id = ${profileId} and (a.identifier_id in (select id from members) or a.order_ref in (
      select o.order_ref from conversions c
      join order_events o on o.profile_id = ${profileId} and o.event_id = c.event_id
      where c.profile_id = ${profileId} and c.identifier_id in (select id from members)))
    order by a.asked_at desc, a.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

const MAX_STEPS = 50

/** Outcomes of the customer before a conversion, and replies of the business (type null), oldest first. */
export async function listSteps(
  db: Db | Tx,
  params: {
    profileId: string
    conversion: { id: string; customer_id: string; occurred_at: Date }
    withReplies: boolean
  },
): Promise<{ outcome_type: string | null; occurred_at: Date }[]> {
  const { profileId, conversion, withReplies } = params
  const { rows } = await sql<{ outcome_type: string | null; occurred_at: Date }>`
    with members as (select id from ${membersOf(profileId, [conversion.customer_id])} as own)
    select outcome_type, occurred_at from (
      select c.outcome_type, c.occurred_at from conversions c
      where c.profile_id = ${profileId} and c.identifier_id in (select id from members)
        and c.occurred_at <= ${conversion.occurred_at} and c.id <> ${conversion.id} and c.duplicate_of is null
      union all
      select null, r.created_at from conversations v
      join conversation_replies r on r.profile_id = ${profileId} and r.conversation_id = v.id
      where ${withReplies} and v.profile_id = ${profileId} and v.identifier_id in (select id from members)
        and r.status in ('sent', 'delivered') and r.created_at <= ${conversion.occurred_at}) as step
    order by occurred_at desc, outcome_type limit ${MAX_STEPS}`.execute(db)
  return rows.reverse()
}
