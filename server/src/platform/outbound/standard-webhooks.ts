/** Signatures of https://www.standardwebhooks.com: HMAC-SHA-256 over id, timestamp and body. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

export type SignedHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** `whsec_` and 32 random bytes in base64. */
export function mintWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Frequent signers should cache the key: creating it costs five times as much as a signature. */
export function toSigningKey(secret: string): KeyObject {
  return createSecretKey(secret.replace(/^whsec_/, ''), 'base64')
}

/** Signs with every valid key: two during rotation, so that either verifies. */
export function signWebhook(
  keys: readonly KeyObject[],
  message: { id: string; sentAt: Date; body: string | Uint8Array },
): SignedHeaders {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000))
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${message.id}.${timestamp}.`).update(message.body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
