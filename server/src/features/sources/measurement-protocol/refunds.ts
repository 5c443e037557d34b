/**
 * Refunds: the event names its purchase by `transaction_id` and is deduplicated by its idempotency key. A job applies it,
 * because a full recompute may hold the profile's lock longer than a sender waits.
 */
import { z } from 'zod'
import type { RefundRecord } from '../../../connectors/connector.ts'
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { applyRefunds, FROM_EVENTS } from '../../attribution/pipeline/refunds.ts'
import { moneyOf } from '../../facts/events/rules.ts'
import { type Json, objectOf } from '../segment/members.ts'
import { purchaseKeyOf } from './to-event.ts'

const Refund = z.object({
  type: z.literal('refund'),
  externalId: z.string(),
  paymentExternalId: z.string(),
  occurredAt: z.iso.datetime(),
  amount: z.object({ amountMinor: z.int(), currency: z.string() }),
  kind: z.literal('refund'),
})

export const applyRefundsJob = job({
  name: 'measurement_protocol.give_back',
  payload: z.object({ refunds: z.array(Refund) }),
  // May wait for the profile's lock.
  slow: true,
  maxAttempts: 8,
  async run(context: JobContext, { refunds }) {
    await inTransaction(context.db, async (tx) => {
      await lockProfile(tx, context.profileId!)
      const profile = await loadAttributionProfile(tx, context.profileId!)
      await applyRefunds(tx, profile, FROM_EVENTS, refunds, context.now)
    })
  },
})

/** Queues the refunds among the stored events; refunds without an order or an amount are ignored. */
export async function queueRefunds(
  { db, clock }: Service,
  { id }: Pick<ProfileRef, 'id'>,
  events: readonly Json[],
): Promise<void> {
  const refundEvents = events.filter((event) => event.event_name === 'refund')
  if (refundEvents.length === 0) return
  const { currency } = await loadAttributionProfile(db, id)
  const refunds = refundEvents
    .map((event) => toRefund(event, currency, clock.now()))
    .filter((refund) => refund !== undefined)
  if (refunds.length > 0) await enqueue(db, applyRefundsJob, { refunds }, { profileId: id })
}

export function toRefund(
  event: Json,
  currency: string,
  now: Date,
): (RefundRecord & { kind: 'refund' }) | undefined {
  const properties = objectOf(event.properties)
  const money = moneyOf(properties, currency)
  if (typeof properties.order_id !== 'string' || money === undefined || !('minor' in money)) return undefined
  const at = event.timestamp === undefined ? now.getTime() : Date.parse(String(event.timestamp))
  return {
    type: 'refund',
    externalId: String(event.idempotency_key),
    paymentExternalId: purchaseKeyOf(properties.order_id),
    occurredAt: new Date(Math.min(at, now.getTime())).toISOString(),
    amount: { amountMinor: money.minor, currency: money.currency },
    kind: 'refund',
  }
}
