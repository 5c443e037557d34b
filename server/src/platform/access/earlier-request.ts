/**
 * Idempotency for requests that send something to an external person: the sent row stores the request's key, so
 * that after a crash or lost response a retry finds the row instead of sending again.
 */
import type { ProfileContext } from '../../context.ts'
import { DAY_MS } from '../contract/dates.ts'
import { ApiError } from '../contract/errors.ts'
import { type Db, databaseNow } from '../db/database.ts'
import { keyedHash } from '../secrets/keyed-hash.ts'
import { uuidv5 } from '../secrets/uuid5.ts'

export type SendingRequest = { requestKey: string | null; requestHash: string }
type Sending = { id: string; request_hash: string | null; status: string }

/** Derives the stored key from an `Idempotency-Key`, scoped to an app, a person, or the direct keys of a profile. */
export function sendingRequest(
  { caller, profile, service }: ProfileContext,
  { kind, within = [], key, body }: { kind: string; within?: string[]; key: string | null; body: unknown },
): SendingRequest {
  const owner =
    caller.kind === 'key' ? (caller.appId ?? 'profile') : caller.kind === 'user' ? caller.userId : ''
  return {
    requestKey: key === null ? null : uuidv5(profile.id, [kind, owner, ...within, key].join('\n')),
    requestHash: keyedHash(service.identityPepper, JSON.stringify(body)),
  }
}

/** Only reached if the response of the first request was not stored. */
export async function findEarlier(
  { db, profile }: ProfileContext,
  { requestKey, requestHash }: SendingRequest,
  noun: string,
  find: (
    db: Db,
    params: { profileId: string; requestKey: string; since: Date },
  ) => Promise<Sending | undefined>,
): Promise<{ row: Sending; now: Date } | undefined> {
  if (requestKey === null) return undefined
  const now = await databaseNow(db)
  const since = new Date(now.getTime() - DAY_MS)
  const row = await find(db, { profileId: profile.id, requestKey, since })
  if (row === undefined || row.status === 'failed') return undefined
  if (row.request_hash !== requestHash)
    throw new ApiError(
      'idempotency_key_conflict',
      `This Idempotency-Key was already used for another ${noun}; send a new one.`,
    )
  return { row, now }
}
