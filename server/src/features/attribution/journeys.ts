/** Reads what the engine needs of some customers: conversions, touches in order, refunds, and the credits so far. */
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { NamedAd } from './paths.ts'

export type ConversionRow = {
  id: string
  customer_id: string
  event_id: string
  goal_id: string
  occurred_at: Date
  day: string
  outcome_type: string
  revenue_type: string
  value_minor: number | null
  report_value_minor: number | null
}
export type StoredConversion = ConversionRow & { attribution_eligible: boolean }

export async function loadConversions(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<StoredConversion[]> {
  if (customerIds.length === 0) return []
  const { rows } = await sql<StoredConversion>`
    select c.id, i.customer_id, c.event_id, c.goal_id, c.occurred_at, c.day, c.outcome_type, c.revenue_type,
           c.value_minor, c.report_value_minor, c.attribution_eligible
    from identifiers i
    join conversions c on c.profile_id = ${profileId} and c.identifier_id = i.id
    where i.profile_id = ${profileId} and i.customer_id = any(${customerIds}::uuid[])
    order by i.customer_id, c.id`.execute(tx)
  return rows
}

export type JourneyTouch = NamedAd & {
  id: string
  customer_id: string
  occurred_at: Date
  is_direct: boolean
}

export async function loadTouches(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<JourneyTouch[]> {
  if (customerIds.length === 0) return []
  const { rows } = await sql<JourneyTouch>`
    select t.id, i.customer_id, t.occurred_at, t.is_direct, t.platform, t.campaign_external_id, t.ad_set_external_id, t.ad_external_id
    from identifiers i
    join touches t on t.profile_id = ${profileId} and t.identifier_id = i.id
    where i.profile_id = ${profileId} and i.customer_id = any(${customerIds}::uuid[])
    order by i.customer_id, t.occurred_at, t.recorded_at, t.id`.execute(tx)
  return rows
}

export type RefundRow = { event_id: string; day: string; report_amount_minor: number | null }

export async function loadRefunds(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<RefundRow[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<RefundRow>`
    select payment_id as event_id, day, report_amount_minor from refunds
    where profile_id = ${profileId} and payment_id = any(${eventIds}::uuid[])
    order by payment_id, day, occurred_at, id`.execute(tx)
  return rows
}

export type CreditRow = {
  conversion_id: string
  day: string
  outcome_type: string
  revenue_type: string
  fx_missing: boolean
  packed: Buffer
}

export async function loadCredits(
  tx: Tx,
  profileId: string,
  conversionIds: readonly string[],
): Promise<CreditRow[]> {
  if (conversionIds.length === 0) return []
  const { rows } = await sql<CreditRow>`
    select conversion_id, day, outcome_type, revenue_type, fx_missing, packed from credits
    where profile_id = ${profileId} and conversion_id = any(${conversionIds}::uuid[])`.execute(tx)
  return rows
}
