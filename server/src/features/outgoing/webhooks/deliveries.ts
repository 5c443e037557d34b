/** Deliveries on request: test events, replays and recovery of missed events. */

import type { ProfileContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { matchEvents, saveDeliveries } from './delivery/fanout.ts'
import { wakeQueues } from './delivery/queues.ts'
import {
  type DeliveryRow,
  findDelivery,
  listMissedEvents,
  lockFanout,
  retryNow,
  type SubscriptionRow,
} from './queries.ts'
import { loadAudience } from './receivers.ts'
import { TEST_EVENT, toEnvelope } from './rules.ts'
import { getActiveSubscription, ownerOf } from './subscriptions.ts'

const RECOVER_PAGE = 1000
const RECOVER_DAYS = 90

export type AttemptEntry = {
  attempt: number
  at: string
  response_status: number | null
  error: string | null
  duration_ms: number
}

export async function testWebhookSubscription(context: ProfileContext, id: string) {
  const { now, profile } = context
  const subscription = await getActiveSubscription(context, id)
  const eventId = uuidv7(now)
  const payload = toEnvelope({
    id: eventId,
    type: TEST_EVENT,
    occurredAt: now,
    provider: 'platform',
    appId: subscription.app_id,
    connectionId: null,
    isHistorical: false,
    data: { profile_id: profile.id, subscription_id: id, test: true },
  })
  const delivery = {
    subscriptionId: id,
    number: null,
    eventId,
    eventType: TEST_EVENT,
    payload: JSON.stringify(payload),
    recordedAt: now,
    isHistorical: false,
  }
  await inTransaction(context.db, async (tx) => {
    await saveDeliveries(tx, profile.id, [delivery], now)
    await wakeQueues(tx, profile.id, [id], now)
  })
  return { enqueued: true, event_id: eventId, subscription_id: id }
}

export async function getWebhookDelivery(context: ProfileContext, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(context.db, { ...ownerOf(context), id })
  if (delivery === undefined) throw new ApiError('not_found', 'No such delivery.')
  return delivery
}

/** Creates a new delivery of the same bytes with the same event id, by which receivers deduplicate. */
export async function replayWebhookDelivery(context: ProfileContext, id: string) {
  const { now, profile } = context
  const delivery = await getWebhookDelivery(context, id)
  const subscriptionId = delivery.subscription_id
  await getActiveSubscription(context, subscriptionId)
  const replayed = {
    subscriptionId,
    number: delivery.number,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    payload: delivery.payload,
    recordedAt: delivery.recorded_at,
    // Requested by a person, so it does not wait.
    isHistorical: false,
  }
  const [deliveryId] = await inTransaction(context.db, async (tx) => {
    const ids = await saveDeliveries(tx, profile.id, [replayed], now)
    await wakeQueues(tx, profile.id, [subscriptionId], now)
    return ids
  })
  return {
    enqueued: true,
    event_id: delivery.event_id,
    subscription_id: subscriptionId,
    delivery_id: deliveryId!,
  }
}

export function checkSince(since: Date, now: Date): void {
  if (since > now) throw new ApiError('validation_error', 'must not be in the future.', { field: 'since' })
  if (since.getTime() < now.getTime() - RECOVER_DAYS * DAY_MS)
    throw new ApiError('validation_error', `must not be more than ${RECOVER_DAYS} days ago.`, {
      field: 'since',
    })
}

/** Enqueues events since a time that match the subscription and are neither delivered nor pending. */
export async function recoverWebhookEvents(context: ProfileContext, id: string, since: Date) {
  const { now, profile } = context
  checkSince(since, now)
  const subscription = await getActiveSubscription(context, id)
  const enqueued = await inTransaction(context.db, async (tx) => {
    const created = await recover(tx, profile.id, subscription, { since, now })
    // After an outage most deliveries still wait for their next attempt, hours ahead.
    const retried = await retryNow(tx, { profileId: profile.id, subscriptionId: id, since, now })
    if (created + retried > 0) await wakeQueues(tx, profile.id, [id], now)
    return created + retried
  })
  return { enqueued, subscription_id: id }
}

async function recover(
  tx: Tx,
  profileId: string,
  subscription: SubscriptionRow,
  { since, now }: { since: Date; now: Date },
): Promise<number> {
  // Blocks the fan-out, so that no event is enqueued by both.
  const through = await lockFanout(tx, { profileId })
  const profile = await loadAudience(tx, { profileId })
  let after = 0
  let total = 0
  for (;;) {
    const rows = await listMissedEvents(tx, {
      profileId,
      subscription,
      after,
      through,
      since,
      limit: RECOVER_PAGE,
    })
    if (rows.length === 0) return total
    after = rows.at(-1)!.number
    const listener = { ...subscription, after_number: 0 }
    const deliveries = profile === undefined ? [] : matchEvents(profile, [listener], rows)
    await saveDeliveries(tx, profileId, deliveries, now)
    total += deliveries.length
  }
}
