import { type Route, route } from '../../../platform/http/route.ts'
import {
  acceptInvitation,
  inviteMember,
  inviteProfileMember,
  listInvitations,
  listMembers,
  listProfileInvitations,
  putMember,
  removeMember,
  removeProfileMember,
  revokeInvitation,
  revokeProfileInvitation,
  updateProfileMember,
} from './contract.ts'
import type { InvitationRow } from './invitation-queries.ts'
import * as invitations from './invitations.ts'
import * as operations from './operations.ts'
import { listMembers as findMembers, type MemberRow } from './queries.ts'

const toMember = (row: MemberRow) => ({ ...row, created_at: row.created_at?.toISOString() ?? null })
const toInvitation = (row: InvitationRow) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  profile_id: row.profile_id,
  permissions: row.permissions,
  invited_by_user_id: row.invited_by_user_id,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})
const toSent = ({ invitation, acceptUrl }: Awaited<ReturnType<typeof invitations.inviteMember>>) => ({
  ...toInvitation(invitation),
  accept_url: acceptUrl,
})
const done = { data: null }

export const memberRoutes: readonly Route[] = [
  route(listMembers, async (context) => ({
    data: (await findMembers(context.db, { workspaceId: context.workspaceId })).map(toMember),
  })),
  route(putMember, async (context, { body }) => {
    const { member, created } = await operations.putMember(context, body)
    return { data: toMember(member), status: created ? 201 : 200 }
  }),
  route(removeMember, async (context, { params }) => {
    await operations.removeMember(context, params.userId)
    return done
  }),
  route(listInvitations, async (context) => ({
    data: (await invitations.listInvitations(context)).map(toInvitation),
  })),
  route(inviteMember, async (context, { body }) => ({
    data: toSent(await invitations.inviteMember(context, body)),
  })),
  route(revokeInvitation, async (context, { params }) => {
    await invitations.revokeInvitation(context, params.invitationId)
    return done
  }),
  route(listProfileInvitations, async (context, { params }) => ({
    data: (await invitations.listProfileInvitations(context, params)).map(toInvitation),
  })),
  route(inviteProfileMember, async (context, { params, body }) => ({
    data: toSent(await invitations.inviteProfileMember(context, params, body)),
  })),
  route(revokeProfileInvitation, async (context, { params }) => {
    await invitations.revokeProfileInvitation(context, params, params.invitationId)
    return done
  }),
  route(acceptInvitation, async (context, { body }) => {
    const accepted = await invitations.acceptInvitation(context, body.token)
    return {
      data: {
        workspace_id: accepted.workspaceId,
        profile_id: accepted.profileId,
        membership_id: accepted.membershipId,
        role: accepted.role,
      },
    }
  }),
  route(updateProfileMember, async (context, { params, body }) => {
    const { userId, role, permissions } = await operations.updateProfileMember(context, params, body)
    return {
      data: {
        membership_id: params.membershipId,
        profile_id: params.profileId,
        user_id: userId,
        role,
        permissions,
      },
    }
  }),
  route(removeProfileMember, async (context, { params }) => {
    await operations.removeProfileMember(context, params)
    return done
  }),
]
