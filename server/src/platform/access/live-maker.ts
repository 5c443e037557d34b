/**
 * Objects end with the app, person or key that created them. A request that creates one takes a shared lock and checks
 * again that its caller still has access; ending or lowering the access takes the lock exclusively. So nothing is
 * created between the end of the access and the end of what was created.
 */
import { sql } from 'kysely'
import type { ProfileContext, WorkspaceContext } from '../../context.ts'
import { roleAtLeast, scopesOfMember } from '../contract/access.ts'
import { ApiError, noProfile } from '../contract/errors.ts'
import type { Tx } from '../db/database.ts'
import { findMembership, findWorkspaceRole } from './queries.ts'

type Access = { authorizationId: string } | { credentialId: string } | { workspaceId: string; userId: string }

const nameOf = (access: Access): string =>
  'authorizationId' in access
    ? `authorization ${access.authorizationId}`
    : 'credentialId' in access
      ? `credential ${access.credentialId}`
      : `member ${access.workspaceId} ${access.userId}`

/**
 * Call it in the transaction that ends or lowers the access, before it locks objects that were created under it. Who
 * locks the workspace too locks it first.
 */
export async function lockEnding(tx: Tx, access: Access): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(access)}, 0))`.execute(tx)
}

/** A statement of its own, so that the checks after it see what was committed while it waited. */
const lockLive = (tx: Tx, access: Access) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(access)}, 0))`.execute(tx)

/** Call it first in a transaction that creates an object or switches it on. */
export async function requireLiveMaker(
  tx: Tx,
  context: Pick<ProfileContext, 'caller' | 'profile' | 'role' | 'scopes' | 'service'>,
): Promise<void> {
  const { caller, profile, service } = context
  if (caller.kind === 'user') {
    await lockLive(tx, { workspaceId: profile.workspaceId, userId: caller.userId })
    const member = await findMembership(tx, { profile, userId: caller.userId })
    if (member === undefined) throw noProfile()
    const scopes = scopesOfMember(member)
    if (isLower(member.role, context.role) || !context.scopes.every((scope) => scopes.includes(scope)))
      throw lowered()
    if (caller.via === 'session') return
  } else if (caller.authorizationId !== null) {
    await lockLive(tx, { authorizationId: caller.authorizationId })
    if (!(await isLiveAuthorization(tx, caller.authorizationId))) throw ended()
  }
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

/** For what a person creates in a workspace. Call it before what is created is written. */
export async function requireLiveMember(
  tx: Tx,
  { caller, workspaceId, role }: Pick<WorkspaceContext, 'caller' | 'workspaceId' | 'role'>,
): Promise<void> {
  const member = { workspaceId, userId: caller.userId }
  await lockLive(tx, member)
  const current = await findWorkspaceRole(tx, member)
  if (current === undefined) throw new ApiError('not_found', 'No such workspace.')
  if (isLower(current, role)) throw lowered()
}

/** For what an app started and another request finishes. */
export async function requireLiveAuthorization(tx: Tx, authorizationId: string): Promise<void> {
  await lockLive(tx, { authorizationId })
  if (!(await isLiveAuthorization(tx, authorizationId)))
    throw new ApiError('forbidden', 'The access of the app that started this has ended.')
}

async function isLiveAuthorization(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    select revoked_at is null as live from app_authorizations where id = ${id}`.execute(tx)
  return rows[0]?.live === true
}

type Role = Exclude<ProfileContext['role'], null>
const isLower = (current: Role, before: Role | null) => before !== null && !roleAtLeast(current, before)

const ended = () => new ApiError('unauthorized', 'The access of this credential has ended.')
const lowered = () =>
  new ApiError('forbidden', 'Your permissions were reduced during this request; nothing was changed.')
