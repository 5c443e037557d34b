import type { AppCaller, RequestContext, UserCaller, WorkspaceContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { endWhatPersonMade } from '../../../platform/access/endings.ts'
import { lockEnding } from '../../../platform/access/live-maker.ts'
import { findOrCreateUser } from '../../../platform/access/people.ts'
import { findMember } from '../../../platform/access/queries.ts'
import { findUserByEmail } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { profileExists } from '../api-keys/queries.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import {
  countOwners,
  deleteMember,
  deleteMemberships,
  deleteProfileMember,
  listMembers,
  lockProfileMember,
  type MemberRow,
  saveMember,
  updateProfileMemberRow,
} from './queries.ts'
import { canChange } from './rules.ts'

export type MembersContext = RequestContext & {
  caller: UserCaller | AppCaller
  workspaceId: string
  role: WorkspaceRole | null
}

const memberNotFound = () => new ApiError('not_found', 'No such member.')

export async function putMember(
  context: MembersContext,
  body: { email: string; name?: string | undefined; role: WorkspaceRole },
): Promise<{ member: MemberRow; created: boolean }> {
  const { workspaceId, now } = context
  return inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const user =
      context.caller.kind === 'app'
        ? await findOrCreateUser(tx, { email: body.email, name: body.name, now })
        : await findUserByEmail(tx, { email: body.email })
    const current =
      user === undefined ? undefined : (await findMember(tx, { workspaceId, userId: user.id }))?.role
    if (user === undefined || (current === undefined && context.caller.kind === 'user'))
      throw new ApiError('not_found', 'This person is not a member; invite them instead.')
    if (current !== undefined) await lockEnding(tx, { workspaceId, userId: user.id })
    await requireChange(tx, context, current, body.role)
    await saveMember(tx, { workspaceId, userId: user.id, role: body.role, byEmail: true, now })
    await recordChange(tx, context, {
      workspaceId,
      action: current === undefined ? 'member.added' : 'member.role_changed',
      subject: user.id,
      detail: { from: current ?? null, to: body.role },
    })
    if (current !== undefined) await endWhatPersonMade(tx, context, { workspaceId, userId: user.id })
    const [member] = await listMembers(tx, { workspaceId, userId: user.id })
    return { member: member!, created: current === undefined }
  })
}

async function requireChange(
  tx: Tx,
  context: MembersContext,
  current: WorkspaceRole | undefined,
  next: WorkspaceRole | null,
): Promise<void> {
  if (!canChange(context.role, current, next))
    throw new ApiError('forbidden', 'Only an owner can add, change or remove an owner.')
  if (current === 'owner' && next !== 'owner' && (await countOwners(tx, context)) === 1)
    throw new ApiError('invalid_state', 'A workspace must have at least one owner.', { reason: 'last_owner' })
}

export async function removeMember(context: MembersContext, userId: string): Promise<void> {
  const { workspaceId } = context
  await inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    await lockEnding(tx, { workspaceId, userId })
    const [member] = await listMembers(tx, { workspaceId, userId })
    if (member === undefined) throw memberNotFound()
    await requireChange(tx, context, member.role ?? undefined, null)
    await deleteMember(tx, { workspaceId, userId })
    await deleteMemberships(tx, { userId, ids: member.profiles.map((profile) => profile.membership_id) })
    await recordChange(tx, context, { workspaceId, action: 'member.removed', subject: userId })
    await endWhatPersonMade(tx, context, { workspaceId, userId })
  })
  forgetCredentials(context.service)
}

type MembershipKey = { profileId: string; membershipId: string }

export async function updateProfileMember(
  context: WorkspaceContext,
  key: MembershipKey,
  patch: { role?: 'editor' | 'viewer' | undefined; permissions?: string[] | undefined },
) {
  const { workspaceId } = context
  return inTransaction(context.db, async (tx) => {
    const current = await lockMembership(tx, workspaceId, key)
    await lockEnding(tx, { workspaceId, userId: current.user_id })
    const next = {
      role: patch.role ?? current.role,
      permissions: patch.permissions === undefined ? current.permissions : [...new Set(patch.permissions)],
    }
    await updateProfileMemberRow(tx, { ...key, fields: next })
    await recordChange(tx, context, {
      workspaceId,
      profileId: key.profileId,
      action: 'profile_member.changed',
      subject: key.membershipId,
      detail: next,
    })
    await endWhatPersonMade(tx, context, { workspaceId, userId: current.user_id })
    return {
      membership_id: key.membershipId,
      profile_id: key.profileId,
      user_id: current.user_id,
      role: next.role as 'editor' | 'viewer',
      permissions: next.permissions,
    }
  })
}

export async function removeProfileMember(context: WorkspaceContext, key: MembershipKey): Promise<void> {
  const { workspaceId } = context
  await inTransaction(context.db, async (tx) => {
    const { user_id: userId } = await lockMembership(tx, workspaceId, key)
    await lockEnding(tx, { workspaceId, userId })
    await deleteProfileMember(tx, key)
    await recordChange(tx, context, {
      workspaceId,
      profileId: key.profileId,
      action: 'profile_member.removed',
      subject: key.membershipId,
    })
    await endWhatPersonMade(tx, context, { workspaceId, userId })
  })
  forgetCredentials(context.service)
}

async function lockMembership(tx: Tx, workspaceId: string, key: MembershipKey) {
  const inWorkspace = await profileExists(tx, { workspaceId, profileId: key.profileId })
  const row = await lockProfileMember(tx, key)
  if (!inWorkspace || row === undefined) throw memberNotFound()
  return row
}
