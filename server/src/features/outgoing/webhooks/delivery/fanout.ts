/**
 * Fan-out: creates deliveries from events. A profile's event numbers become visible in order, so one number per profile
 * records the progress. It is updated in the transaction that writes the deliveries.
 */
import { sql } from 'kysely'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { bigints, booleans, instants, texts, uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { acrossProfiles, type DataNode } from '../../../../platform/db/nodes.ts'
import { anchoredProfileId, ensureAnchor, joinAnchor } from '../../../../platform/db/shard-anchor.ts'
import { sentUnder } from '../../../facts/outbox/event-types.ts'
import { audience } from '../receivers.ts'
import {
  firstAttempts,
  isHistorical,
  personEvents,
  type RecipientProfile,
  toEnvelope,
  visibilityOf,
} from '../rules.ts'
import { wakeQueues } from './queues.ts'

const EVENTS_PER_BATCH = 500
const ROWS_PER_INSERT = 1000

export type OutboxRow = {
  number: number
  id: string
  type: string
  provider: string
  connection_id: string | null
  app_id: string | null
  occurred_at: Date
  recorded_at: Date
  data: unknown
}

export type ActiveSubscription = {
  id: string
  app_id: string | null
  events: string[]
  providers: string[]
  opens_contact: boolean
  after_number: number
  include_history: boolean
}

export type NewDelivery = {
  subscriptionId: string
  number: number | null
  eventId: string
  eventType: string
  payload: string
  recordedAt: Date
  isHistorical: boolean
}

/** Profiles with events that are not fanned out yet. */
export async function listLagging(node: DataNode): Promise<string[]> {
  const { rows } = await acrossProfiles(
    node,
    (table) => sql<{ profile_id: string }>`
      select f.profile_id from ${table('webhook_fanouts')} f
      join ${table('outbox_counters')} c on c.profile_id = f.profile_id
      where c.last_number > f.through_number limit 1000`,
  ).execute(node.backgroundDb)
  return rows.map((row) => row.profile_id)
}

type FanoutRow = { through_number: number; last_number: number | null }

export type FanOut = { more: boolean; deliveries: number; subscriptionIds: string[] }
const nothing: FanOut = { more: false, deliveries: 0, subscriptionIds: [] }

/** Fans out one batch of a profile; does nothing while another process holds the profile's row. */
export async function fanOut(db: Db, profileId: string, now: Date): Promise<FanOut> {
  return inTransaction(db, async (tx) => {
    // Visible numbers have no gaps, so progress made since the snapshot only means that less is left to do.
    const { rows } = await sql<FanoutRow & (OutboxRow | { number: null })>`
      with locked as materialized (
        select through_number from webhook_fanouts where profile_id = ${profileId} for update skip locked)
      select locked.through_number, c.last_number, event.* from locked
      left join outbox_counters c on c.profile_id = ${profileId}
      left join lateral (
        select number, id, type, provider, connection_id, app_id, occurred_at, recorded_at, data from outbox_events
        where profile_id = ${profileId} and number > locked.through_number
        order by number limit ${EVENTS_PER_BATCH}) as event on true
      order by event.number`.execute(tx)
    const [fanout] = rows
    if (fanout === undefined) return nothing
    const events = rows.filter((row) => row.number !== null)
    const more = events.length === EVENTS_PER_BATCH
    // Numbers assigned to events that were already recorded have no row; they are skipped.
    const through = Math.max(
      events.at(-1)?.number ?? fanout.through_number,
      more ? 0 : (fanout.last_number ?? 0),
    )
    if (through === fanout.through_number) return nothing
    const deliveries = await deliveriesOf(tx, profileId, events)
    await saveDeliveries(tx, profileId, deliveries, now)
    await sql`update webhook_fanouts set through_number = ${through} where profile_id = ${profileId}`.execute(
      tx,
    )
    const subscriptionIds = [...new Set(deliveries.map((delivery) => delivery.subscriptionId))]
    await wakeQueues(tx, profileId, subscriptionIds, now)
    return { more, deliveries: deliveries.length, subscriptionIds }
  })
}

async function deliveriesOf(tx: Tx, profileId: string, events: readonly OutboxRow[]): Promise<NewDelivery[]> {
  const { rows } = await sql<{ profile: RecipientProfile; subscriptions: ActiveSubscription[] | null }>`
    select ${audience} as profile, (
      select jsonb_agg(jsonb_build_object('id', s.id, 'app_id', s.app_id, 'events', s.events, 'providers', s.providers,
        'opens_contact', s.opens_contact, 'after_number', s.after_number, 'include_history', s.include_history) order by s.id)
      from webhook_subscriptions s
      where s.profile_id = ${profileId} and s.status = 'active' and s.deleted_at is null) as subscriptions
    from profiles p join workspaces w on w.id = p.workspace_id
    where p.id = ${profileId} and p.archived_at is null`.execute(tx)
  const [row] = rows
  return row?.subscriptions ? matchEvents(row.profile, row.subscriptions, events) : []
}

/** Matches subscriptions that list the event's type and provider and may receive it. */
export function matchEvents(
  profile: RecipientProfile,
  subscriptions: readonly ActiveSubscription[],
  events: readonly OutboxRow[],
): NewDelivery[] {
  const listeners = subscriptions.map((subscription) => ({
    ...subscription,
    visibility: visibilityOf(
      { appId: subscription.app_id, opensContact: subscription.opens_contact },
      profile,
    ),
  }))
  return events.flatMap((event) => {
    const isPersonal = personEvents.includes(event.type)
    const historical = isHistorical({
      ...event,
      occurredAt: event.occurred_at,
      recordedAt: event.recorded_at,
    })
    const matching = listeners.filter(
      ({ events, providers, visibility, after_number, include_history }) =>
        events.includes(event.type) &&
        sentUnder(event).some((provider) => providers.includes(provider)) &&
        event.number > after_number &&
        (include_history || !historical) &&
        (isPersonal ? visibility.receivesPersonEvents : visibility.receivesEvents),
    )
    if (matching.length === 0) return []
    const payload = JSON.stringify(
      toEnvelope({
        ...event,
        occurredAt: event.occurred_at,
        appId: event.app_id,
        connectionId: event.connection_id,
        isHistorical: historical,
      }),
    )
    return matching.map(({ id }) => ({
      subscriptionId: id,
      number: event.number,
      eventId: event.id,
      eventType: event.type,
      payload,
      recordedAt: event.recorded_at,
      isHistorical: historical,
    }))
  })
}

/** Sends each payload to the database once, regardless of the number of its deliveries. */
export async function saveDeliveries(
  tx: Tx,
  profileId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<string[]> {
  const ids = deliveries.map(() => uuidv7(now))
  const dueAt = firstAttempts(deliveries, await historyUntil(tx, profileId, deliveries), now)
  if (deliveries.length > 0) await ensureAnchor(tx, profileId)
  for (let start = 0; start < deliveries.length; start += ROWS_PER_INSERT) {
    const part = deliveries.slice(start, start + ROWS_PER_INSERT)
    const events = [...new Map(part.map((row) => [row.payload, row])).values()]
    const positions = new Map(events.map((row, index) => [row.payload, index + 1]))
    await sql`
      insert into webhook_deliveries (profile_id, id, subscription_id, number, event_id, event_type, payload, recorded_at,
        status, next_attempt_at, historical, created_at)
      select ${anchoredProfileId(tx, profileId)}, d.id, d.subscription_id, e.number, e.event_id, e.event_type, e.payload, e.recorded_at,
        'pending', d.due_at, d.historical, ${now}::timestamptz
      from unnest(${uuidList(ids.slice(start, start + ROWS_PER_INSERT))}::uuid[],
        ${uuids(part, (row) => row.subscriptionId)}::uuid[],
        ${bigints(part, (row) => positions.get(row.payload)!)}::bigint[],
        ${instants(dueAt.slice(start, start + ROWS_PER_INSERT), (at) => at)}::timestamptz[],
        ${booleans(part, (row) => row.isHistorical)}::boolean[])
        as d(id, subscription_id, position, due_at, historical)
      join unnest(${bigints(events, (row) => row.number)}::bigint[], ${texts(events, (row) => row.eventId)}::text[],
        ${texts(events, (row) => row.eventType)}::text[], ${texts(events, (row) => row.payload)}::text[],
        ${instants(events, (row) => row.recordedAt)}::timestamptz[])
        with ordinality as e(number, event_id, event_type, payload, recorded_at, position) on e.position = d.position
      ${joinAnchor(tx, profileId)}`.execute(tx)
  }
  return ids
}

/** When the last waiting first attempt of each subscription with history is due. */
async function historyUntil(
  tx: Tx,
  profileId: string,
  deliveries: readonly NewDelivery[],
): Promise<Map<string, Date>> {
  const ids = [...new Set(deliveries.flatMap((row) => (row.isHistorical ? row.subscriptionId : [])))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; until: Date }>`
    select subscription_id as id, max(next_attempt_at) as until from webhook_deliveries
    where profile_id = ${profileId} and subscription_id = any(${uuidList(ids)}::uuid[]) and status = 'pending'
      and attempt_count = 0
    group by subscription_id`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.until]))
}
