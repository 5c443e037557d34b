/** Signatures of https://www.standardwebhooks.com: HMAC-SHA-256 over id, timestamp and body. */
import { createHmac, randomBytes } from 'node:crypto'

export type SignedHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** `whsec_` and 32 random bytes in base64. */
export function mintWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Signs with every live secret: two while one replaces the other, so that either verifies. */
export function signWebhook(
  secrets: readonly string[],
  message: { id: string; sentAt: Date; body: string | Uint8Array },
): SignedHeaders {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    return `v1,${hmac.update(`${message.id}.${timestamp}.`).update(message.body).digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
