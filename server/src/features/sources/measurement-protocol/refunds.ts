/** Money given back: `refund` names the purchase by its `transaction_id`. The event's own key makes it count once. */
import type { RefundRecord } from '../../../connectors/connector.ts'
import type { ProfileRef, Service } from '../../../context.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { applyRefunds, FROM_EVENTS } from '../../attribution/pipeline/refunds.ts'
import { moneyOf } from '../../facts/events/rules.ts'
import { type Json, objectOf } from '../segment/members.ts'
import { purchaseKeyOf } from './to-event.ts'

/** Events as they were stored; those without an order or an amount give nothing back. */
export async function giveBack(
  service: Service,
  { id }: Pick<ProfileRef, 'id'>,
  events: readonly Json[],
): Promise<void> {
  const refunds = events.filter((event) => event.event_name === 'refund')
  if (refunds.length === 0) return
  const now = service.clock.now()
  await inTransaction(service.db, async (tx) => {
    await lockProfile(tx, id)
    const profile = await loadAttributionProfile(tx, id)
    const records = refunds.map((event) => toRefund(event, profile.currency, now))
    await applyRefunds(
      tx,
      profile,
      FROM_EVENTS,
      records.filter((record) => record !== undefined),
      now,
    )
  })
}

export function toRefund(event: Json, currency: string, now: Date): RefundRecord | undefined {
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
