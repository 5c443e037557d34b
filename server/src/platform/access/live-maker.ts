/**
 * Objects end with the app, person or key that created them. A request that creates one takes a shared lock and checks
 * again that its caller still has access; ending the access takes the lock exclusively. So nothing is created between
 * the end of the access and the end of what was created.
 */
import { sql } from 'kysely'
import type { ProfileContext } from '../../context.ts'
import { ApiError, noProfile } from '../contract/errors.ts'
import type { Tx } from '../db/database.ts'
import { findMembership } from './queries.ts'

type Access = { authorizationId: string } | { credentialId: string } | { workspaceId: string; userId: string }

const nameOf = (access: Access): string =>
  'authorizationId' in access
    ? `authorization ${access.authorizationId}`
    : 'credentialId' in access
      ? `credential ${access.credentialId}`
      : `member ${access.workspaceId} ${access.userId}`

/** Call it first in the transaction that ends the access. */
export async function lockEnding(tx: Tx, access: Access): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(access)}, 0))`.execute(tx)
}

const lockLive = (tx: Tx, access: Access) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(access)}, 0))`.execute(tx)

/** Call it first in a transaction that creates an object or switches it on. */
export async function requireLiveMaker(
  tx: Tx,
  { caller, profile, service }: Pick<ProfileContext, 'caller' | 'profile' | 'service'>,
): Promise<void> {
  if (caller.kind === 'user') {
    await lockLive(tx, { workspaceId: profile.workspaceId, userId: caller.userId })
    if ((await findMembership(tx, { profile, userId: caller.userId })) === undefined) throw noProfile()
  }
  if (caller.kind === 'key' && caller.authorizationId !== null)
    await requireLiveAuthorization(tx, caller.authorizationId)
  if (caller.kind === 'user' && caller.via === 'session') return
  const credentialId =
    caller.kind === 'user' ? (caller.consentId ?? caller.credentialId) : caller.credentialId
  await lockLive(tx, { credentialId })
  const now = service.clock.machineNow()
  const { rows } = await sql<{ live: boolean }>`
    select revoked_at is null or revoked_at > ${now} as live from credentials where id = ${caller.credentialId}`.execute(
    tx,
  )
  if (rows[0]?.live !== true) throw ended()
}

export async function requireLiveAuthorization(tx: Tx, authorizationId: string): Promise<void> {
  await lockLive(tx, { authorizationId })
  const { rows } = await sql<{ live: boolean }>`
    select revoked_at is null as live from app_authorizations where id = ${authorizationId}`.execute(tx)
  if (rows[0]?.live !== true) throw ended()
}

const ended = () => new ApiError('unauthorized', 'The access of this credential has ended.')
