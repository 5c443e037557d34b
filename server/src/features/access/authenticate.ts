/** Credential → caller. One resolver for every kind; unknown, expired, revoked and wrong kind are the same answer. */
import { timingSafeEqual } from 'node:crypto'
import type { Caller, Service } from '../../context.ts'
import { lookupHashes } from '../../secrets/tokens.ts'
import { type CredentialRow, findCredential, touchSession } from './queries.ts'

const SESSION_IDLE_MS = 12 * 3_600_000
const TOUCH_EVERY_MS = 60_000
/** A revoked key is refused within a second on every process: what is remembered is younger than that. */
const REMEMBER_MS = 500
const MOST_REMEMBERED = 10_000

type Remembered = { row: CredentialRow | undefined; until: number }
const remembered = new WeakMap<Service, Map<string, Remembered>>()

export async function authenticateBearer(service: Service, token: string): Promise<Caller | undefined> {
  const row = await findByToken(service, token)
  return row === undefined ? undefined : toCaller(service, row)
}

export async function authenticateApp(
  service: Service,
  clientId: string,
  secret: string,
): Promise<Caller | undefined> {
  const row = await findByToken(service, secret)
  if (row?.kind !== 'app_secret' || row.app_id === null || row.client_id === null) return undefined
  if (!sameText(row.client_id, clientId)) return undefined
  return { kind: 'app', credentialId: row.id, appId: row.app_id, clientId: row.client_id }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

async function findByToken(service: Service, token: string): Promise<CredentialRow | undefined> {
  const hashes = lookupHashes(service.keyring, token)
  const cache = remembered.get(service) ?? new Map<string, Remembered>()
  remembered.set(service, cache)
  const key = hashes[0]!.toString('base64')
  const known = cache.get(key)
  const wallMs = performance.now()
  if (known !== undefined && known.until > wallMs) return known.row
  const row = await findCredential(service.db, { hashes, now: service.clock.now() })
  const matches = row !== undefined && hashes.some((hash) => timingSafeEqual(hash, row.lookup_hash))
  if (cache.size >= MOST_REMEMBERED) cache.clear()
  cache.set(key, { row: matches ? row : undefined, until: wallMs + REMEMBER_MS })
  return matches ? row : undefined
}

async function toCaller(service: Service, row: CredentialRow): Promise<Caller | undefined> {
  switch (row.kind) {
    case 'api_key':
      if (row.profile_id === null) return undefined
      return {
        kind: 'key',
        credentialId: row.id,
        profileId: row.profile_id,
        scopes: row.scopes,
        grant: row.grant_name,
        appId: row.app_id,
        authorizationId: row.authorization_id,
      }
    case 'session':
      return sessionCaller(service, row)
    case 'user_token':
    case 'oauth_access':
      if (row.user_id === null) return undefined
      return { kind: 'user', via: 'token', credentialId: row.id, userId: row.user_id, scopes: row.scopes }
    default:
      return undefined
  }
}

async function sessionCaller(service: Service, row: CredentialRow): Promise<Caller | undefined> {
  if (row.user_id === null) return undefined
  const now = service.clock.now()
  const lastUsed = row.last_used_at ?? row.created_at
  if (now.getTime() - lastUsed.getTime() > SESSION_IDLE_MS) return undefined
  if (now.getTime() - lastUsed.getTime() > TOUCH_EVERY_MS) {
    row.last_used_at = now
    await touchSession(service.db, { credentialId: row.id, now })
  }
  return { kind: 'user', via: 'session', credentialId: row.id, userId: row.user_id, scopes: [] }
}

/** What this process remembers is dropped at once when it revokes something itself. */
export function forgetCredentials(service: Service): void {
  remembered.get(service)?.clear()
}
