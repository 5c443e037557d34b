/**
 * Regionalpay webhooks name what changed and no more. `x-signature: ts=…,v1=…` covers that name, the
 * request's id and the time, not the body, so the body is believed only where it names the same thing.
 */
import { z } from 'zod'
import type { InboundWebhook, ProviderApp, WebhookMeaning } from '../connector.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody, readSignatureHeader } from '../signatures.ts'

/** Deliveries are repeated for days under their first time; reading back makes an old one harmless. */
const maxAgeMs = 4 * 86_400_000
const maxAheadMs = 300_000

const Notice = z.looseObject({
  type: text,
  action: text,
  user_id: maybeId,
  data: z.looseObject({ id }),
})

const readNotice = (webhook: InboundWebhook) => Notice.safeParse(readJsonBody(webhook.rawBody)).data ?? null

/** The line that is signed; a part that the request lacks is left out of it. */
export function signedLine(parts: { dataId: string; requestId: string | null; timestamp: string }): string {
  const request = parts.requestId === null ? '' : `request-id:${parts.requestId};`
  return `id:${parts.dataId.toLowerCase()};${request}ts:${parts.timestamp};`
}

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean {
  const secret = app.extra.webhookSecret
  const header = readSignatureHeader(webhook.headers['x-signature'])
  const timestamp = header.get('ts')?.[0]
  const notice = readNotice(webhook)
  if (!secret || notice === null || timestamp === undefined || !/^\d{9,14}$/.test(timestamp)) return false
  const dataId = webhook.query['data.id'] ?? notice.data.id
  if (dataId.toLowerCase() !== notice.data.id.toLowerCase()) return false
  // Seconds in the documentation, milliseconds on the wire of some notification types.
  const signedAtMs = timestamp.length > 10 ? Number(timestamp) : Number(timestamp) * 1000
  const ageMs = now.getTime() - signedAtMs
  if (ageMs > maxAgeMs || ageMs < -maxAheadMs) return false
  const requestId = webhook.headers['x-request-id'] ?? null
  const expected = hmacSha256(secret, signedLine({ dataId, requestId, timestamp }))
  return (header.get('v1') ?? []).some((given) => isSameDigest(expected, Buffer.from(given, 'hex')))
}

export function mapWebhook(webhook: InboundWebhook): WebhookMeaning[] {
  const notice = readNotice(webhook)
  if (notice === null || notice.user_id === null) return [{ type: 'ignored' }]
  if (notice.type === 'payment' || notice.type === 'order') {
    return [{ type: 'read_back', accountId: notice.user_id, resource: notice.type, id: notice.data.id }]
  }
  if (notice.type === 'mp-connect' && notice.action === 'application.deauthorized') {
    return [{ type: 'uninstalled', accountId: notice.user_id }]
  }
  return [{ type: 'ignored' }]
}
