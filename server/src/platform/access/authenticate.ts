/**
 * Resolves a credential of any kind to a caller. Unknown, expired, revoked and wrong-kind credentials are not
 * distinguished.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Caller, Service } from '../../context.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { ApiError } from '../contract/errors.ts'
import { isOutOfSpace } from '../db/database.ts'
import { lookupHashes, readToken } from '../secrets/tokens.ts'
import { withoutPersonScopes } from './dpa.ts'
import { copyKeys, shardWithCopies } from './key-copies.ts'
import { type CredentialRow, findCredential, rehashCredential, touchSession } from './queries.ts'
import { cachedBriefly, clearShortCache } from './short-cache.ts'

export const SESSION_IDLE_MS = 12 * 3_600_000
const TOUCH_EVERY_MS = 60_000

type MaybeAsync<T> = T | undefined | Promise<T | undefined>

export function authenticateBearer(service: Service, token: string): MaybeAsync<Caller> {
  const row = findByToken(service, token)
  return row instanceof Promise ? row.then((resolved) => toCaller(service, resolved)) : toCaller(service, row)
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

/** Tokens that the service did not issue are rejected by format and checksum, without a database query. */
function findByToken(service: Service, token: string): MaybeAsync<CredentialRow> {
  const claim = readToken(token)
  if (claim === undefined) return undefined
  return cachedBriefly(service, 'credential', token, async () => {
    const hashes = lookupHashes(service.keyring, token)
    const row = await findLive(service, {
      hashes,
      now: service.clock.machineNow(),
      isSession: claim.kind === 'session',
    })
    const at = row === undefined ? -1 : hashes.findIndex((hash) => timingSafeEqual(hash, row.lookup_hash))
    if (row === undefined || at < 0) {
      // Another process may have hashed it with a master key that this one lacks, so the token may still be valid.
      if (service.keyring.missingKeyId !== null)
        throw new ApiError('service_unavailable', 'This process lacks a master key; retry.')
      return undefined
    }
    if (service.nodes.isDistributed && row.profile_id !== null)
      profileByKeyHash.set(hashes[0]!.toString('base64'), row.profile_id)
    // Hashed with an older master key: rehash with the current one, so that the older one can be removed.
    if (at > 0)
      await rehashCredential(service.db, { id: row.id, from: hashes[at]!, to: hashes[0]! }).catch((error) =>
        service.log.warn('credential not rehashed', { error }),
      )
    return row
  })
}

/** Profile ids of keys seen before, by hash. */
const profileByKeyHash = new BoundedCache<string, string>(50_000)

/**
 * On a distributed database a key seen before is looked up on its profile's shard. If its copy is missing there, it
 * is looked up on the coordinator and copied.
 */
async function findLive(
  service: Service,
  query: Parameters<typeof findCredential>[1],
): Promise<CredentialRow | undefined> {
  const profileId = service.nodes.isDistributed
    ? profileByKeyHash.get(query.hashes[0]!.toString('base64'))
    : undefined
  const shard = profileId === undefined ? undefined : await shardWithCopies(service, profileId)
  if (shard === undefined || profileId === undefined) return findCredential(service.db, query)
  const copy = await findCredential(shard, { ...query, profileId })
  if (copy !== undefined) return copy
  const row = await findCredential(service.db, query)
  if (row !== undefined)
    await service.db
      .transaction()
      .execute((tx) => copyKeys(tx, [row.id]))
      .catch((error) => service.log.warn('API key not copied to the node of its profile', { error }))
  return row
}

/** A tracking key is public: it identifies the profile that events are written to, and gives no other access. */
export async function authenticateTrackingKey(service: Service, key: string): Promise<string | undefined> {
  const row = await findByToken(service, key)
  return row?.kind === 'tracking_key' ? (row.profile_id ?? undefined) : undefined
}

function toCaller(service: Service, row: CredentialRow | undefined): MaybeAsync<Caller> {
  switch (row?.kind) {
    case 'api_key':
      return row.profile_id === null ? undefined : keyCaller(row, row.profile_id)
    case 'session':
      return sessionCaller(service, row)
    case 'user_token':
    case 'oauth_access':
      if (row.user_id === null) return undefined
      return {
        kind: 'user',
        via: 'token',
        credentialId: row.id,
        consentId: row.authorization_id,
        userId: row.user_id,
        scopes: row.scopes,
      }
    default:
      return undefined
  }
}

function keyCaller(row: CredentialRow, profileId: string): Caller {
  const scopes = row.lacks_dpa ? withoutPersonScopes(row.scopes) : row.scopes
  return {
    kind: 'key',
    credentialId: row.id,
    profileId,
    scopes,
    grant: row.grant_name,
    appId: row.app_id,
    authorizationId: row.authorization_id,
    lacksDpa: row.lacks_dpa,
    withheldScopes: row.scopes.filter((scope) => !scopes.includes(scope)),
  }
}

async function sessionCaller(service: Service, row: CredentialRow): Promise<Caller | undefined> {
  if (row.user_id === null) return undefined
  // Nothing gives a session without the second factor, not even a process of an older release.
  if (row.needs_second_factor && row.second_factor !== true) return undefined
  const now = service.clock.machineNow()
  const lastUsed = row.last_used_at ?? row.created_at
  if (now.getTime() - lastUsed.getTime() > SESSION_IDLE_MS) return undefined
  if (now.getTime() - lastUsed.getTime() > TOUCH_EVERY_MS) {
    row.last_used_at = now
    await touchSession(service.db, { credentialId: row.id, now }).catch((error: unknown) => {
      // A full disk must not end sessions.
      if (!isOutOfSpace(error)) throw error
    })
  }
  return {
    kind: 'user',
    via: 'session',
    credentialId: row.id,
    userId: row.user_id,
    scopes: [],
    session: {
      hasSecondFactor: row.second_factor ?? false,
      isProved: row.is_proved ?? false,
      ssoWorkspaceId: row.sso_workspace_id,
    },
  }
}

/** Called when this process revokes a credential. */
export function forgetCredentials(service: Service): void {
  clearShortCache(service)
}
