/**
 * Banklink webhooks contain a JWT in `Plaid-Verification`, signed with ES256 over the SHA-256 of the body; the key is
 * fetched by its id (https://plaid.com/docs/api/webhooks/webhook-verification/, read 2026-11-16).
 */
import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type InboundWebhook, type ProviderApp, ProviderError } from '../connector.ts'
import { readJsonBody } from '../signatures.ts'
import { call } from './client.ts'

const MAX_AGE_SECONDS = 300

const Head = z.looseObject({ alg: z.literal('ES256'), kid: z.string().regex(/^[\w-]{1,100}$/) })
const Claims = z.looseObject({ iat: z.number(), request_body_sha256: z.string().regex(/^[0-9a-f]{64}$/) })

type Verification = { keyId: string; signed: string; signature: Buffer; claims: z.infer<typeof Claims> }

const decoded = (part: string): unknown => readJsonBody(Buffer.from(part, 'base64url'))

/** Parses the header without verifying it; null if it is not such a token. */
export function readVerification(header: string | undefined): Verification | null {
  const parts = (header ?? '').split('.')
  if (parts.length !== 3) return null
  const [head, claims, signature] = parts as [string, string, string]
  const parsed = { head: Head.safeParse(decoded(head)), claims: Claims.safeParse(decoded(claims)) }
  if (!parsed.head.success || !parsed.claims.success) return null
  return {
    keyId: parsed.head.data.kid,
    signed: `${head}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
    claims: parsed.claims.data,
  }
}

export function isVerified(
  { signed, signature, claims }: Verification,
  key: KeyObject,
  rawBody: Uint8Array,
  now: Date,
): boolean {
  if (Math.abs(now.getTime() / 1000 - claims.iat) > MAX_AGE_SECONDS) return false
  const sum = createHash('sha256').update(rawBody).digest()
  if (!timingSafeEqual(sum, Buffer.from(claims.request_body_sha256, 'hex'))) return false
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

const KeyReply = z.looseObject({
  key: z.looseObject({
    alg: z.literal('ES256'),
    crv: z.literal('P-256'),
    kty: z.literal('EC'),
    x: z.string(),
    y: z.string(),
    expired_at: z.number().nullish(),
  }),
})

/** Null for an unknown or expired key. */
async function readWebhookKey(http: Outbound, app: ProviderApp, keyId: string): Promise<KeyObject | null> {
  try {
    const { key } = await call(http, app, '/webhook_verification_key/get', { key_id: keyId }, KeyReply)
    if (key.expired_at != null) return null
    const { crv, kty, x, y } = key
    return createPublicKey({ key: { crv, kty, x, y }, format: 'jwk' })
  } catch (error) {
    const isUnknown =
      error instanceof ProviderError && error.providerCode === 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'
    if (isUnknown) return null
    throw error
  }
}

const KEY_CACHE_MS = 3_600_000
const UNKNOWN_KEY_CACHE_MS = 300_000
const MAX_UNKNOWN = 1000
const LOOKUPS_PER_MINUTE = 20

export type WebhookKeys = ReturnType<typeof createWebhookKeys>

/**
 * Cache of keys by id, fetched once an hour. Anyone can send key ids, so unknown ones are cached separately, where they
 * cannot evict known keys, and lookups are rate-limited.
 */
export function createWebhookKeys(http: Outbound, app: ProviderApp) {
  const keys = new Map<string, { key: KeyObject; until: number }>()
  const unknown = new Map<string, number>()
  const pending = new Map<string, Promise<KeyObject | null>>()
  let minute = 0
  let lookups = 0

  function mayLookUp(now: number): boolean {
    if (minute !== Math.floor(now / 60_000)) {
      minute = Math.floor(now / 60_000)
      lookups = 0
    }
    return ++lookups <= LOOKUPS_PER_MINUTE
  }

  async function fetchKey(keyId: string, now: number): Promise<KeyObject | null> {
    try {
      const key = await readWebhookKey(http, app, keyId)
      if (key !== null) keys.set(keyId, { key, until: now + KEY_CACHE_MS })
      else {
        if (unknown.size >= MAX_UNKNOWN) unknown.clear()
        unknown.set(keyId, now + UNKNOWN_KEY_CACHE_MS)
        keys.delete(keyId)
      }
      return key
    } finally {
      pending.delete(keyId)
    }
  }

  /** Throws if the key cannot be fetched now, so that the webhook is delivered again. */
  return async function findKey(keyId: string, at: Date): Promise<KeyObject | null> {
    const now = at.getTime()
    const cached = keys.get(keyId)
    if (cached !== undefined && cached.until > now) return cached.key
    if ((unknown.get(keyId) ?? 0) > now) return null
    const inFlight = pending.get(keyId)
    if (inFlight !== undefined) return inFlight
    if (!mayLookUp(now)) throw new ProviderError('unavailable', 'Too many unknown webhook keys')
    const lookup = fetchKey(keyId, now)
    pending.set(keyId, lookup)
    return lookup
  }
}

/** The required fields of the body, without its public tokens. */
export const FinishedSession = z.object({
  webhook_type: z.literal('LINK'),
  webhook_code: z.literal('SESSION_FINISHED'),
  link_token: z.string().min(1).max(500),
  link_session_id: z.string().max(200).nullish(),
  status: z.string(),
})

/** The finished session of a webhook; null for every other webhook of the provider. */
export function readFinishedSession(webhook: Pick<InboundWebhook, 'rawBody'>) {
  return FinishedSession.safeParse(readJsonBody(webhook.rawBody)).data ?? null
}
