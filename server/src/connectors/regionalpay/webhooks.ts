/**
 * Regionalpay webhooks contain only the id of the changed object. `x-signature: ts=…,v1=…` covers that id, the
 * request's id and the time, but not the body, so the body is accepted only if it contains the same id.
 */

import { z } from 'zod'
import { DAY_MS } from '../../platform/contract/dates.ts'
import type { InboundWebhook, ProviderApp, WebhookAction } from '../connector.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody, readSignatureHeader } from '../signatures.ts'

/** Deliveries are retried for days with their original timestamp; reading back makes old ones harmless. */
const maxAgeMs = 4 * DAY_MS
const maxAheadMs = 300_000

const Notice = z.looseObject({
  type: text,
  action: text,
  user_id: maybeId,
  data: z.looseObject({ id }),
})

const readNotice = (webhook: InboundWebhook) => Notice.safeParse(readJsonBody(webhook.rawBody)).data ?? null

/**
 * The possible signed lines, without parts that the request lacks. The official clients keep the case of
 * the id since 2026-06-17 (ids of orders are upper case); before, the documentation had it in lower case.
 */
function signedLines(parts: { dataId: string; requestId: string | null; timestamp: string }): string[] {
  const request = parts.requestId === null ? '' : `request-id:${parts.requestId};`
  return [parts.dataId, parts.dataId.toLowerCase()].map(
    (dataId) => `id:${dataId};${request}ts:${parts.timestamp};`,
  )
}

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean {
  const secret = app.extra.webhookSecret
  const header = readSignatureHeader(webhook.headers['x-signature'])
  const timestamp = header.get('ts')?.[0]
  const notice = readNotice(webhook)
  if (!secret || notice === null || timestamp === undefined || !/^\d{9,14}$/.test(timestamp)) return false
  const dataId = webhook.query['data.id'] ?? notice.data.id
  if (dataId.toLowerCase() !== notice.data.id.toLowerCase()) return false
  // Seconds in the documentation, milliseconds in some notification types.
  const signedAtMs = timestamp.length > 10 ? Number(timestamp) : Number(timestamp) * 1000
  const ageMs = now.getTime() - signedAtMs
  if (ageMs > maxAgeMs || ageMs < -maxAheadMs) return false
  const requestId = webhook.headers['x-request-id'] ?? null
  const expected = signedLines({ dataId, requestId, timestamp }).map((line) => hmacSha256(secret, line))
  return (header.get('v1') ?? []).some((signature) =>
    expected.some((digest) => isSameDigest(digest, Buffer.from(signature, 'hex'))),
  )
}

/** The object to read per topic; for chargebacks and claims it is the payment, whose state is decisive. */
const resources = new Map([
  ['payment', 'payment'],
  ['order', 'order'],
  ['topic_chargebacks_wh', 'chargeback'],
  ['chargebacks', 'chargeback'],
  ['topic_claims_integration_wh', 'claim'],
  ['claim', 'claim'],
])

export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const notice = readNotice(webhook)
  if (notice === null || notice.user_id === null) return [{ type: 'ignored' }]
  const resource = resources.get(notice.type ?? '')
  if (resource !== undefined)
    return [{ type: 'read_back', accountId: notice.user_id, resource, id: notice.data.id }]
  if (notice.type === 'mp-connect' && notice.action === 'application.deauthorized') {
    return [{ type: 'uninstalled', accountId: notice.user_id }]
  }
  return [{ type: 'ignored' }]
}
