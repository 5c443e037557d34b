/** Invitations. The mailed token proves ownership of the address; without a mail server the inviter gets a separate link to pass on. */
import type { UserContext, WorkspaceContext } from '../../../context.ts'
import { requireLiveMember } from '../../../platform/access/live-maker.ts'
import {
  findMember,
  findProfileMembership,
  findWorkspaceRole,
  markVerified,
} from '../../../platform/access/queries.ts'
import { normaliseEmail } from '../../../platform/access/rules.ts'
import { findUserByEmail, getUser } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { roleAtLeast, type WorkspaceRole } from '../../../platform/contract/access.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { requireUnit } from '../../../platform/http/rate-limit.ts'
import { lookupHash, lookupHashes, mintToken } from '../../../platform/secrets/tokens.ts'
import { profileExists } from '../api-keys/queries.ts'
import { requireMailToPeople } from '../workspaces/plan.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import {
  findInvitationByToken,
  findInvitingWorkspace,
  type InvitationRow,
  insertInvitation,
  joinProfile,
  listPendingInvitations,
  lockInvitation,
  markAccepted,
  markRevoked,
} from './invitation-queries.ts'
import { saveMember } from './queries.ts'
import { canChange, INVITATION_LIFETIME_MS, invitationState } from './rules.ts'

const PER_WORKSPACE = { perMinute: 50 / 60, burst: 50 }
const PER_ADDRESS = { perMinute: 5 / 60, burst: 5 }

type Target = { profileId: string | null }
type OfProfile = { profileId: string }
type NewInvitation = { email: string; role: WorkspaceRole; permissions: string[] }

const ofWorkspace = { profileId: null }

export const listInvitations = (context: WorkspaceContext) => listPending(context, ofWorkspace)
export const listProfileInvitations = (context: WorkspaceContext, profile: OfProfile) =>
  listPending(context, profile)

export const inviteMember = (context: WorkspaceContext, body: Omit<NewInvitation, 'permissions'>) =>
  invite(context, ofWorkspace, { ...body, permissions: [] })
export const inviteProfileMember = (context: WorkspaceContext, profile: OfProfile, body: NewInvitation) =>
  invite(context, profile, body)

export const revokeInvitation = (context: WorkspaceContext, id: string) => revoke(context, ofWorkspace, id)
export const revokeProfileInvitation = (context: WorkspaceContext, profile: OfProfile, id: string) =>
  revoke(context, profile, id)

async function listPending(context: WorkspaceContext, target: Target): Promise<InvitationRow[]> {
  await requireProfile(context.db, context.workspaceId, target)
  return listPendingInvitations(context.db, {
    workspaceId: context.workspaceId,
    profileId: target.profileId,
    now: context.now,
  })
}

async function invite(
  context: WorkspaceContext,
  target: Target,
  body: NewInvitation,
): Promise<{ invitation: InvitationRow; acceptUrl: string | null }> {
  const { workspaceId, now, service } = context
  return inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    await requireLiveMember(tx, context)
    await requireProfile(tx, workspaceId, target)
    const workspace = await findInvitingWorkspace(tx, { workspaceId })
    await requireMailToPeople(tx, workspaceId)
    if (!canChange(context.role, undefined, body.role))
      throw new ApiError('forbidden', 'Only an owner can invite an owner.')
    const emailLower = normaliseEmail(body.email)
    await refuseExisting(tx, { workspaceId, ...target, emailLower, now })
    await limitInvitations(context, body.email)
    const token = mintToken('invitation')
    const link = service.config.SMTP_URL === undefined ? mintToken('invitation').token : null
    const row: InvitationRow = {
      id: uuidv7(now),
      workspace_id: workspaceId,
      profile_id: target.profileId,
      email: body.email.trim(),
      email_lower: emailLower,
      role: body.role,
      permissions: [...new Set(body.permissions)],
      invited_by_user_id: context.caller.userId,
      created_at: now,
      expires_at: new Date(now.getTime() + INVITATION_LIFETIME_MS),
      accepted_at: null,
      revoked_at: null,
    }
    await insertInvitation(tx, {
      invitation: row,
      tokenHash: lookupHash(service.keyring, token.token),
      linkHash: link === null ? null : lookupHash(service.keyring, link),
    })
    await recordChange(tx, context, {
      workspaceId,
      profileId: target.profileId,
      action: 'invitation.sent',
      subject: row.id,
      detail: { role: row.role },
    })
    // Last in the transaction, so that an invitation that could not be sent is rolled back.
    await sendInvitation(context, row, workspace.name, token.token)
    return { invitation: row, acceptUrl: link === null ? null : acceptUrl(context, link) }
  })
}

/** Invitations are mail to arbitrary addresses, so they are limited per workspace and per recipient. */
async function limitInvitations(context: WorkspaceContext, email: string): Promise<void> {
  const { db, clock } = context.service
  const message = 'Too many invitations were sent; wait and try again.'
  const now = clock.machineNow()
  const ofWorkspace = { key: `invitation:workspace:${context.workspaceId}`, limit: PER_WORKSPACE }
  const ofAddress = { key: `invitation:address:${normaliseEmail(email)}`, limit: PER_ADDRESS }
  for (const limited of [ofWorkspace, ofAddress]) await requireUnit(db, { ...limited, now, message })
}

async function sendInvitation(
  context: WorkspaceContext,
  invitation: InvitationRow,
  workspaceName: string,
  token: string,
): Promise<void> {
  const { mailer } = context.service
  const text = [
    `You are invited to ${workspaceName} on Whence as ${invitation.role}.`,
    '',
    `Accept it here: ${acceptUrl(context, token)}`,
    '',
    `The invitation expires on ${invitation.expires_at.toISOString().slice(0, 10)}. If you did not expect it, ignore it.`,
  ].join('\n')
  try {
    // No caller-provided text in the subject: it could be abused to send arbitrary messages.
    await mailer.send({ to: invitation.email, subject: 'You are invited to a workspace on Whence', text })
  } catch (cause) {
    throw new ApiError('service_unavailable', 'The invitation could not be mailed; try again later.', {
      cause,
    })
  }
}

function acceptUrl(context: WorkspaceContext, token: string): string {
  return `${context.service.config.BASE_URL}/invitations/accept?token=${encodeURIComponent(token)}`
}

/** Refuses a second pending invitation for the address and target, and invitations of existing members. */
async function refuseExisting(
  tx: Tx,
  params: { workspaceId: string; profileId: string | null; emailLower: string; now: Date },
): Promise<void> {
  const pending = await listPendingInvitations(tx, params)
  if (pending.some((invitation) => invitation.email_lower === params.emailLower))
    throw new ApiError('invalid_state', 'This address has a pending invitation.', {
      reason: 'already_invited',
    })
  const user = await findUserByEmail(tx, { email: params.emailLower })
  if (user === undefined) return
  const role =
    (await findMember(tx, { workspaceId: params.workspaceId, userId: user.id }))?.role ??
    (params.profileId === null
      ? undefined
      : (await findProfileMembership(tx, { profileId: params.profileId, userId: user.id }))?.role)
  if (role !== undefined)
    throw new ApiError('invalid_state', 'This person is already a member.', { reason: 'already_member' })
}

async function revoke(context: WorkspaceContext, target: Target, id: string): Promise<void> {
  const { workspaceId, now } = context
  await inTransaction(context.db, async (tx) => {
    const invitation = await lockInvitation(tx, { workspaceId, ...target, id })
    if (invitation === undefined) throw new ApiError('not_found', 'No such invitation.')
    const state = invitationState(invitation, now)
    if (state !== 'expired') refuseSettled(state)
    await markRevoked(tx, { id, now })
    await recordChange(tx, context, {
      workspaceId,
      profileId: target.profileId,
      action: 'invitation.revoked',
      subject: id,
    })
  })
}

function refuseSettled(state: ReturnType<typeof invitationState>): void {
  if (state === 'pending') return
  throw new ApiError('invalid_state', `The invitation is ${state}.`, { reason: `invitation_${state}` })
}

export async function acceptInvitation(context: UserContext, { token }: { token: string }) {
  const { now, service } = context
  const { userId } = context.caller
  return inTransaction(context.db, async (tx) => {
    const match = await findInvitationByToken(tx, { hashes: lookupHashes(service.keyring, token) })
    if (match === undefined) throw new ApiError('not_found', 'No such invitation.')
    const workspaceId = match.workspace_id
    // Everywhere the workspace is locked first, so a concurrent archive cannot deadlock.
    const workspace = await lockWorkspace(tx, { workspaceId })
    const invitation = await lockInvitation(tx, { workspaceId, profileId: match.profile_id, id: match.id })
    if (invitation === undefined) throw new ApiError('not_found', 'No such invitation.')
    if (workspace === undefined || workspace.archived_at !== null)
      throw new ApiError('workspace_archived', 'The workspace of this invitation is archived.')
    refuseSettled(invitationState(invitation, now))
    await requireInvited(tx, userId, invitation)
    if (match.was_mailed) await markVerified(tx, { userId, now })
    const membershipId = await join(tx, invitation, userId, now)
    await markAccepted(tx, { id: invitation.id, now })
    await recordChange(tx, context, {
      workspaceId,
      profileId: invitation.profile_id,
      action: 'invitation.accepted',
      subject: invitation.id,
    })
    const { profile_id, role } = invitation
    return { workspace_id: workspaceId, profile_id, membership_id: membershipId, role }
  })
}

async function requireInvited(tx: Tx, userId: string, invitation: InvitationRow): Promise<void> {
  const user = await getUser(tx, userId)
  if (normaliseEmail(user.email) !== invitation.email_lower)
    throw new ApiError('forbidden', 'The invitation was sent to another address.', {
      reason: 'email_mismatch',
    })
}

/** Accepting never lowers a role. Returns the profile membership's id; null for an invitation to the workspace. */
async function join(tx: Tx, invitation: InvitationRow, userId: string, now: Date): Promise<string | null> {
  const { workspace_id: workspaceId, profile_id: profileId, role, permissions } = invitation
  if (profileId !== null)
    return joinProfile(tx, { id: uuidv7(now), profileId, userId, role, permissions, now })
  const current = await findWorkspaceRole(tx, { workspaceId, userId })
  if (current === undefined || !roleAtLeast(current, role))
    await saveMember(tx, { workspaceId, userId, role, byEmail: false, now })
  return null
}

async function requireProfile(db: Db | Tx, workspaceId: string, target: Target): Promise<void> {
  if (target.profileId === null) return
  if (!(await profileExists(db, { workspaceId, profileId: target.profileId })))
    throw new ApiError('not_found', 'No such profile in this workspace.')
}
