/** Verifies webhooks by Standard Webhooks (https://www.standardwebhooks.com) with WebCrypto. */
import type { WebhookEvent } from './generated/types.ts'

export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

type Headers_ = Headers | Record<string, string | string[] | undefined>
const TOLERANCE_SECONDS = 300

/**
 * Returns the event if one of the secrets signed exactly these bytes within the last five minutes. Pass the raw body, not
 * parsed and serialized again, and both secrets during a rotation.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Headers_,
  secrets: string | readonly string[],
  options: { now?: Date; toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS } = options
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string]
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a number')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too far from now')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signedBytes = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets)
    if (await isSigned(secret, signedBytes, signatures))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  throw new WebhookVerificationError('No signature matches')
}

async function isSigned(
  secret: string,
  signedBytes: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = fromBase64(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length === 0) throw new WebhookVerificationError('The secret is not base64')
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  for (const entry of signatures.split(' ')) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined
    if (signature !== undefined && (await crypto.subtle.verify(algorithm, key, signature, signedBytes)))
      return true
  }
  return false
}

function headerOf(headers: Headers_, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  const text = Array.isArray(value) ? value[0] : value
  if (!text) throw new WebhookVerificationError(`${name} is missing`)
  return text
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
