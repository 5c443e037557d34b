/**
 * Events become deliveries. Numbers of a profile become visible in their order, so one number per
 * profile says how far the walk has come; it moves in the transaction that writes the deliveries.
 */
import { sql } from 'kysely'
import { uuidv7 } from '../../contract/ids.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { loadAudience } from './audience.ts'
import { wakeQueues } from './queues.ts'
import { personEvents, reachOf, toEnvelope } from './rules.ts'

const EVENTS_AT_ONCE = 500
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
}

export type NewDelivery = {
  subscriptionId: string
  number: number | null
  eventId: string
  eventType: string
  payload: string
  recordedAt: Date
}

/** Profiles whose events have not all become deliveries. */
export async function listLagging(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select f.profile_id from webhook_fanouts f join outbox_counters c on c.profile_id = f.profile_id
    where c.last_number > f.through_number limit 1000`.execute(db)
  return rows.map((row) => row.profile_id)
}

export type FanOut = { more: boolean; deliveries: number; subscriptionIds: string[] }
const nothing: FanOut = { more: false, deliveries: 0, subscriptionIds: [] }

/** One batch of one profile; nothing while another process is at it. */
export async function fanOut(db: Db, profileId: string, now: Date): Promise<FanOut> {
  return inTransaction(db, async (tx) => {
    const { rows: held } = await sql<{ through_number: number }>`
      select through_number from webhook_fanouts where profile_id = ${profileId} for update skip locked`.execute(
      tx,
    )
    if (held[0] === undefined) return nothing
    const { rows: events } = await sql<OutboxRow>`
      select number, id, type, provider, connection_id, app_id, occurred_at, recorded_at, data from outbox_events
      where profile_id = ${profileId} and number > ${held[0].through_number}
      order by number limit ${EVENTS_AT_ONCE}`.execute(tx)
    if (events.length === 0) return nothing
    const deliveries = await deliveriesOf(tx, profileId, events)
    await saveDeliveries(tx, profileId, deliveries, now)
    await sql`update webhook_fanouts set through_number = ${events.at(-1)!.number}
      where profile_id = ${profileId}`.execute(tx)
    const subscriptionIds = [...new Set(deliveries.map((delivery) => delivery.subscriptionId))]
    await wakeQueues(tx, profileId, subscriptionIds, now)
    return { more: events.length === EVENTS_AT_ONCE, deliveries: deliveries.length, subscriptionIds }
  })
}

async function deliveriesOf(tx: Tx, profileId: string, events: readonly OutboxRow[]): Promise<NewDelivery[]> {
  const { rows: subscriptions } = await sql<ActiveSubscription>`
    select id, app_id, events, providers, opens_contact, after_number from webhook_subscriptions
    where profile_id = ${profileId} and status = 'active' and deleted_at is null order by id`.execute(tx)
  return matchEvents(tx, profileId, subscriptions, events)
}

/** Type and provider must both be named, and the subscription must be one that may hear of it. */
export async function matchEvents(
  tx: Tx,
  profileId: string,
  subscriptions: readonly ActiveSubscription[],
  events: readonly OutboxRow[],
): Promise<NewDelivery[]> {
  const profile = subscriptions.length === 0 ? undefined : await loadAudience(tx, { profileId })
  if (profile === undefined) return []
  const listeners = subscriptions.map((subscription) => ({
    ...subscription,
    reach: reachOf({ appId: subscription.app_id, opensContact: subscription.opens_contact }, profile),
  }))
  return events.flatMap((event) => {
    const isPersonal = personEvents.includes(event.type)
    const matching = listeners.filter(
      ({ events, providers, reach, after_number }) =>
        events.includes(event.type) &&
        providers.includes(event.provider) &&
        event.number > after_number &&
        (isPersonal ? reach.hearsOfPeople : reach.hears),
    )
    if (matching.length === 0) return []
    const payload = JSON.stringify(
      toEnvelope({
        ...event,
        occurredAt: event.occurred_at,
        appId: event.app_id,
        connectionId: event.connection_id,
      }),
    )
    return matching.map(({ id }) => ({
      subscriptionId: id,
      number: event.number,
      eventId: event.id,
      eventType: event.type,
      payload,
      recordedAt: event.recorded_at,
    }))
  })
}

export async function saveDeliveries(
  tx: Tx,
  profileId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<string[]> {
  const ids = deliveries.map(() => uuidv7(now))
  for (let start = 0; start < deliveries.length; start += ROWS_PER_INSERT) {
    const part = deliveries.slice(start, start + ROWS_PER_INSERT)
    await sql`
      insert into webhook_deliveries (profile_id, id, subscription_id, number, event_id, event_type, payload, recorded_at,
        status, next_attempt_at, created_at)
      select ${profileId}::uuid, d.*, 'pending', ${now}::timestamptz, ${now}::timestamptz
      from unnest(${ids.slice(start, start + ROWS_PER_INSERT)}::uuid[], ${part.map((row) => row.subscriptionId)}::uuid[],
        ${part.map((row) => row.number)}::bigint[], ${part.map((row) => row.eventId)}::text[],
        ${part.map((row) => row.eventType)}::text[], ${part.map((row) => row.payload)}::text[],
        ${part.map((row) => row.recordedAt)}::timestamptz[]) as d`.execute(tx)
  }
  return ids
}
