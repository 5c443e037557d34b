/**
 * `Idempotency-Key`: the key is claimed and the response stored in the transaction of the operation, so a crash leaves the
 * key unused, and concurrent identical requests have one effect.
 */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller, Service } from '../../context.ts'
import { DAY_MS } from '../contract/dates.ts'
import { ApiError } from '../contract/errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { open, seal } from '../secrets/seal.ts'

const KEEP_MS = DAY_MS

export type Stored = { status: number; body: string | null }
export type Claim = {
  /** Owner of the key: an app, a person, or the direct keys of a profile. */
  scope: string
  method: string
  path: string
  key: string
  /**
   * Called only when a stored response is compared or a new one stored: for a streamed body it needs the whole
   * body.
   */
  fingerprint: () => Buffer | Promise<Buffer>
  /** False for streamed bodies, where an error may come from the transfer. */
  storesErrors: boolean
  /** The response contains a secret. */
  sealed: boolean
}

/** Owner of the caller's keys. Two apps on one profile have separate keys. */
export function keyOwner(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return caller.appId === null ? `profile:${caller.profileId}` : `app:${caller.appId}`
    case 'user':
      return `user:${caller.userId}`
    case 'app':
      return `app:${caller.appId}`
    case 'anonymous':
      return 'anonymous'
  }
}

export function checkKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/** Includes the API key's profile, because one app has keys of several profiles. */
export function fingerprintOf(request: {
  method: string
  path: string
  query: Record<string, unknown>
  body: unknown
  profileId: string | null
}): Buffer {
  const { method, path, query, body, profileId } = request
  const sortedQuery = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([method, path, sortedQuery, canonical(body), profileId]))
    .digest()
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  )
}

export async function withIdempotency(
  { service, db }: { service: Service; db: Db },
  claim: Claim,
  run: (db: Tx) => Promise<Stored>,
  /** Renders an error thrown by the handler as it would be sent. */
  refusal: (error: ApiError) => Stored,
): Promise<Stored & { replayed: boolean }> {
  return db.transaction().execute(async (tx) => {
    const now = service.clock.now()
    const lockName = [claim.scope, claim.key].join('\n')
    const lock = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as free`.execute(tx)
    if (lock.rows[0]?.free !== true)
      throw new ApiError(
        'idempotency_key_in_flight',
        'The first request with this key has not finished; retry shortly.',
        {
          retryAfter: 1,
        },
      )
    const stored = await findStored(service, tx, claim, now)
    if (stored !== undefined) return { ...stored, replayed: true }
    await sql`savepoint before_work`.execute(tx)
    let result: Stored
    try {
      result = await run(tx)
    } catch (error) {
      if (!(error instanceof ApiError) || !claim.storesErrors || !isFinalError(error)) throw error
      await sql`rollback to savepoint before_work`.execute(tx)
      result = refusal(error)
    }
    await store(service, tx, claim, result, now)
    return { ...result, replayed: false }
  })
}

/**
 * For operations that write in transactions of their own and have no second effect when repeated: holds no connection
 * while they run. Errors are not stored.
 */
export async function withStoredResponse(
  { service, db }: { service: Service; db: Db },
  claim: Claim,
  run: () => Promise<Stored>,
): Promise<Stored & { replayed: boolean }> {
  const stored = await findStored(service, db, claim, service.clock.now())
  if (stored !== undefined) return { ...stored, replayed: true }
  const result = await run()
  await db.transaction().execute((tx) => store(service, tx, claim, result, service.clock.now()))
  return { ...result, replayed: false }
}

/** Stores errors that are final; those that a corrected or later request could avoid are not stored. */
function isFinalError(error: ApiError): boolean {
  const never = ['validation_error', 'invalid_parameter', 'invalid_request', 'invalid_date_range']
  return (
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 403, 413, 429].includes(error.status) &&
    !never.includes(error.code)
  )
}

async function findStored(
  service: Service,
  db: Db | Tx,
  claim: Claim,
  now: Date,
): Promise<Stored | undefined> {
  const rows = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body', 'sealed'])
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .where('expires_at', '>', now)
    .execute()
  if (rows.length === 0) return undefined
  const requestFingerprint = await claim.fingerprint()
  const row = rows.find(({ fingerprint }) => fingerprint.equals(requestFingerprint))
  if (row === undefined)
    throw new ApiError(
      'idempotency_key_conflict',
      'This Idempotency-Key was already used for another operation or body; send a new one.',
    )
  const bytes =
    row.body === null ? null : row.sealed ? open(service.keyring, sealContext(claim), row.body) : row.body
  return { status: row.status, body: bytes === null ? null : bytes.toString('utf8') }
}

async function store(service: Service, db: Tx, claim: Claim, stored: Stored, now: Date): Promise<void> {
  const bytes = stored.body === null ? null : Buffer.from(stored.body)
  const row = {
    scope: claim.scope,
    method: claim.method,
    path: claim.path,
    key: claim.key,
    fingerprint: await claim.fingerprint(),
    status: stored.status,
    body: bytes !== null && claim.sealed ? seal(service.keyring, sealContext(claim), bytes) : bytes,
    sealed: claim.sealed,
    created_at: now,
    expires_at: new Date(now.getTime() + KEEP_MS),
  }
  await db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['scope', 'method', 'path', 'key']).doUpdateSet(row))
    .execute()
}

function sealContext(claim: Claim) {
  return {
    table: 'idempotency_keys',
    row: `${claim.method} ${claim.path} ${claim.key}`,
    column: 'body',
    profileId: claim.scope,
  }
}
