/**
 * Loads the engine's input for some customers: conversions, touches in order, refunds and current credits. Rows are
 * looked up per key (lateral join): with `= any(list)`, a cached plan from when the tables were small scans all rows of
 * the profile.
 */
import { withoutEchoes } from '@whence/engine'
import { sql } from 'kysely'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { identifiersOf, type Members } from '../../../facts/identity/members.ts'
import type { PathTouch } from '../credits/paths.ts'
import { type SourcedTouch, sourceOf } from '../credits/source-name.ts'
import { toEvidence } from '../touches.ts'

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
  attribution_eligible: boolean
  /** A duplicate, or unconfirmed browser money. */
  is_set_aside: boolean
  /** The event has no identifier, and no customer was assigned since. */
  is_unnamed: boolean
}

/** All cash counts as revenue, also cash that may not be credited. Other outcomes count only if they may be credited. */
export function isCounted(
  row: Pick<ConversionRow, 'attribution_eligible' | 'revenue_type' | 'is_set_aside'>,
): boolean {
  return row.attribution_eligible || (row.revenue_type === 'cash' && !row.is_set_aside)
}

/** `isCounted` as SQL, for rows of `conversions`. */
export const COUNTED =
  "(attribution_eligible or (revenue_type = 'cash' and duplicate_of is null and not unconfirmed))"

/** An event without an identifier uses its own id as identifier (`UNKNOWN_KIND`). */
export function isUnnamed(eventId: string, identifierId: string, customerId: string): boolean {
  return identifierId === eventId && customerId === identifierId
}

export async function loadConversions(tx: Tx, profileId: string, members: Members): Promise<ConversionRow[]> {
  if (members.size === 0) return []
  const { rows } = await sql<Omit<ConversionRow, 'customer_id' | 'is_unnamed'> & { identifier_id: string }>`
    select conversion.* from unnest(${uuidList([...members.keys()])}::uuid[]) as input(id)
    cross join lateral (
      select id, identifier_id, event_id, goal_id, occurred_at, day, outcome_type, revenue_type, value_minor,
        report_value_minor, attribution_eligible, (duplicate_of is not null or unconfirmed) as is_set_aside
      from conversions where profile_id = ${profileId} and identifier_id = input.id offset 0) as conversion`.execute(
    tx,
  )
  return rows.map((row) => {
    const customerId = members.get(row.identifier_id)!
    return {
      ...row,
      customer_id: customerId,
      is_unnamed: isUnnamed(row.event_id, row.identifier_id, customerId),
    }
  })
}

export type JourneyTouch = PathTouch & {
  id: string
  customer_id: string
  occurred_at: Date
  is_direct: boolean
}

type Evidence = { reported_at: Date | null; click_id_kind: string | null; click_id: string | null }

export type LoadedTouch = JourneyTouch & Evidence & { channel: string; origin: string }

/** Touches in journey order, without echoes. */
export async function loadTouches(
  tx: Tx,
  profileId: string,
  members: Members,
  customerIds: ReadonlySet<string>,
): Promise<LoadedTouch[]> {
  const identifiers = identifiersOf(members, customerIds)
  if (identifiers.length === 0) return []
  const { rows } = await sql<
    Omit<LoadedTouch, 'customer_id' | 'source'> & SourcedTouch & { identifier_id: string }
  >`
    select touch.id, touch.identifier_id, touch.occurred_at, touch.is_direct, touch.channel, touch.origin, touch.platform,
      touch.campaign_external_id, touch.ad_set_external_id, touch.ad_external_id, touch.reported_at, touch.click_id_kind,
      touch.click_id, touch.utm_source, touch.referrer_host
    from unnest(${uuidList(identifiers)}::uuid[]) as input(id)
    cross join lateral (
      select * from touches where profile_id = ${profileId} and identifier_id = input.id offset 0) as touch
    order by touch.occurred_at, touch.recorded_at, touch.id`.execute(tx)
  const touches = rows.map((row) => ({
    ...row,
    customer_id: members.get(row.identifier_id)!,
    source: sourceOf(row),
  }))
  return dropEchoes(touches)
}

/** Removes echoes. Most customers have no reported touches and are returned unchanged. */
export function dropEchoes<
  Row extends Evidence & { customer_id: string; occurred_at: Date; ad_external_id: string | null },
>(touches: Row[]): Row[] {
  const withReports = new Set(
    touches.flatMap((touch) => (touch.reported_at === null ? [] : touch.customer_id)),
  )
  if (withReports.size === 0) return touches
  const nonEchoes = new Set<Row>()
  const candidates = touches.filter((touch) => withReports.has(touch.customer_id))
  for (const journey of Map.groupBy(candidates, (touch) => touch.customer_id).values())
    for (const touch of withoutEchoes(journey, toEvidence)) nonEchoes.add(touch)
  return touches.filter((touch) => !withReports.has(touch.customer_id) || nonEchoes.has(touch))
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
    where profile_id = ${profileId} and payment_id = any(${uuidList(eventIds)}::uuid[])
    order by payment_id, day, occurred_at, id`.execute(tx)
  return rows
}

export type CreditRow = { conversion_id: string; packed: Buffer }

export async function loadCredits(
  tx: Tx,
  profileId: string,
  conversionIds: readonly string[],
): Promise<CreditRow[]> {
  if (conversionIds.length === 0) return []
  const { rows } = await sql<CreditRow>`
    select conversion_id, packed from credits
    where profile_id = ${profileId} and conversion_id = any(${uuidList(conversionIds)}::uuid[])`.execute(tx)
  return rows
}
