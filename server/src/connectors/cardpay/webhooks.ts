/** Cardpay webhooks: `Stripe-Signature: t=…,v1=…` over `t.body`, five minutes of tolerance. */
import { z } from 'zod'
import type { InboundWebhook, ProviderApp, WebhookAction } from '../connector.ts'
import { hmacSha256, isSameDigest, readJsonBody, readSignatureHeader } from '../signatures.ts'
import { Charge, Refund, toPayment, toRefund } from './mapping.ts'

const toleranceSeconds = 300

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean {
  return isSignedBy(app.extra.webhookSecret, webhook, now)
}

export function isSignedBy(
  secret: string | undefined,
  webhook: Pick<InboundWebhook, 'headers' | 'rawBody'>,
  now: Date,
): boolean {
  const header = readSignatureHeader(webhook.headers['stripe-signature'])
  const timestamp = header.get('t')?.[0]
  if (!secret || timestamp === undefined || !/^\d+$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = hmacSha256(secret, `${timestamp}.`, webhook.rawBody)
  return (header.get('v1') ?? []).some((signature) => isSameDigest(expected, Buffer.from(signature, 'hex')))
}

const Event = z.looseObject({
  id: z.string(),
  type: z.string(),
  /** Set on every event of a connected account. */
  account: z.string().nullish(),
  data: z.looseObject({ object: z.looseObject({ id: z.string().nullish() }) }),
})

/**
 * No event is complete: disputes and checkouts lack their charge, a charge lacks the
 * checkout with the visitor. A charge changes after its checkout was reported, so each object is read back.
 */
export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const event = Event.safeParse(readJsonBody(webhook.rawBody)).data
  const accountId = event?.account
  if (!event || !accountId) return [{ type: 'ignored' }]
  const object = event.data.object
  switch (event.type) {
    case 'charge.succeeded':
    case 'charge.updated':
    case 'charge.captured':
    case 'charge.failed':
    case 'charge.pending': {
      const reported = toPayment(Charge.parse(object))
      return [{ type: 'read_back', accountId, resource: 'payment', id: reported.externalId, reported }]
    }
    case 'charge.refunded':
      return [{ type: 'read_back', accountId, resource: 'charge', id: Charge.parse(object).id }]
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = toRefund(Refund.parse(object))
      return refund === null ? [{ type: 'ignored' }] : [{ type: 'records', accountId, records: [refund] }]
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return [{ type: 'read_back', accountId, resource: 'dispute', id: String(object.id) }]
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return [{ type: 'read_back', accountId, resource: 'checkout_session', id: String(object.id) }]
    case 'account.application.deauthorized':
      return [{ type: 'uninstalled', accountId }]
    default:
      return [{ type: 'ignored' }]
  }
}
