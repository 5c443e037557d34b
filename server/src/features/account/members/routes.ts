import { toReply } from '../../../platform/contract/to-reply.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import type { InvitationRow } from './invitation-queries.ts'
import * as invitations from './invitations.ts'
import * as operations from './operations.ts'
import { listMembers as findMembers } from './queries.ts'

const toInvitation = (row: InvitationRow) => toReply(contract.Invitation, row, {})
const toSent = ({ invitation, acceptUrl }: Awaited<ReturnType<typeof invitations.inviteMember>>) => ({
  ...toInvitation(invitation),
  accept_url: acceptUrl,
})
const done = { data: null }

export const memberRoutes: readonly Route[] = [
  route(contract.listMembers, async (context) => ({
    data: await findMembers(context.db, { workspaceId: context.workspaceId }),
  })),
  route(contract.putMember, async (context, { body }) => {
    const { member, created } = await operations.putMember(context, body)
    return { data: member, status: created ? 201 : 200 }
  }),
  ...bind(contract, { removeMember: operations.removeMember }),
  route(contract.listInvitations, async (context) => ({
    data: (await invitations.listInvitations(context)).map(toInvitation),
  })),
  route(contract.inviteMember, async (context, { body }) => ({
    data: toSent(await invitations.inviteMember(context, body)),
  })),
  ...bind(contract, { revokeInvitation: invitations.revokeInvitation }),
  route(contract.listProfileInvitations, async (context, { params }) => ({
    data: (await invitations.listProfileInvitations(context, params)).map(toInvitation),
  })),
  route(contract.inviteProfileMember, async (context, { params, body }) => ({
    data: toSent(await invitations.inviteProfileMember(context, params, body)),
  })),
  route(contract.revokeProfileInvitation, async (context, { params }) => {
    await invitations.revokeProfileInvitation(context, params, params.invitationId)
    return done
  }),
  ...bind(contract, {
    acceptInvitation: invitations.acceptInvitation,
    updateProfileMember: operations.updateProfileMember,
    removeProfileMember: operations.removeProfileMember,
  }),
]
