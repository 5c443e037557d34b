import { z } from 'zod'
import { profileRoles, scopes, workspaceRoles } from '../../../platform/contract/access.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  ExpiresAt,
  Instant,
  Name,
  ProfileId,
  WorkspaceId,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const email = z.email().max(254).describe('Email address of the invited person')
const ProfileParams = WorkspaceParams.extend({ profileId: z.uuid().describe('Id of the profile') })
export const Permissions = z
  .array(z.enum(scopes).exclude(['workspaces:write']))
  .max(scopes.length)
  .describe('If not empty, replaces the permissions of the role on this profile')

export const Member = z.object({
  user_id: z.uuid().describe('Id of the user'),
  email: z.string().describe('Email address of the person'),
  name: z.string().describe('Name of the person'),
  email_verified: z
    .boolean()
    .describe('While false, a membership that an app gave to this address has no effect'),
  role: z
    .enum(workspaceRoles)
    .nullable()
    .describe('Null for a person with access to individual profiles only'),
  created_at: Instant.nullable().describe(
    'When the person became a member; null while the invitation is pending',
  ),
  profiles: z
    .array(
      z.object({
        membership_id: z.uuid().describe('Id of the membership'),
        profile_id: ProfileId,
        role: z.enum(profileRoles).describe('Role in the workspace'),
        permissions: z.array(z.string()).describe('Permissions of the member'),
      }),
    )
    .describe('Profiles that the member may open'),
})

export const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path: '/workspaces/{workspaceId}/members',
  summary: 'List the people of a workspace',
  description: 'Members with their role, and people with access to individual profiles.',
  tag: 'members',
  access: { kind: 'workspace_or_app', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.array(Member),
})

export const putMember = endpoint({
  name: 'putMember',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/members',
  summary: 'Add or update a member',
  description:
    'The app that provisioned the workspace can add people by address. A person can only change the role of an existing member; new people are invited.',
  tag: 'members',
  access: { kind: 'workspace_or_app', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    email,
    name: Name.optional().describe('Name of the person, for the invitation'),
    role: z.enum(workspaceRoles).describe('Role in the workspace'),
  }),
  reply: Member,
  statuses: [200, 201],
  errors: ['invalid_state'],
  example: { body: { email: 'ana@example.com', role: 'editor' } },
})

export const removeMember = endpoint({
  name: 'removeMember',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/members/{userId}',
  summary: 'Remove a person from the workspace and its profiles',
  description:
    'They lose access through this workspace but stay signed in. The last owner cannot be removed.',
  tag: 'members',
  access: { kind: 'workspace_or_app', role: 'admin' },
  params: WorkspaceParams.extend({ userId: z.uuid().describe('Id of the user') }),
  reply: z.null(),
  statuses: [204],
  errors: ['invalid_state'],
})

export const Invitation = z.object({
  id: z.uuid().describe('Id of the invitation'),
  email: z.string().describe('Email address of the invited person'),
  role: z.enum(workspaceRoles).describe('Role in the workspace'),
  profile_id: z
    .uuid()
    .nullable()
    .describe('Id of the profile that the invitation is for; null if it is for the workspace'),
  permissions: z.array(z.string()).describe('Permissions of the member'),
  invited_by_user_id: z
    .uuid()
    .nullable()
    .describe('Id of the user who sent the invitation; null if an app sent it'),
  created_at: CreatedAt,
  expires_at: ExpiresAt,
})

export const listInvitations = endpoint({
  name: 'listInvitations',
  method: 'GET',
  path: '/workspaces/{workspaceId}/invitations',
  summary: 'List pending invitations to the workspace',
  description: 'Invitations that were neither accepted nor revoked and have not expired.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  reply: z.array(Invitation),
})

const SentInvitation = Invitation.extend({
  accept_url: z
    .string()
    .nullable()
    .describe(
      'A link to pass on; returned once, and only if no mail server is configured, otherwise null. The address of a person who joins with it stays unverified.',
    ),
})

const invitationErrors = [
  'invalid_state',
  'app_provisioned_workspace',
  'service_unavailable',
  'rate_limit_exceeded',
] as const

export const inviteMember = endpoint({
  name: 'inviteMember',
  method: 'POST',
  path: '/workspaces/{workspaceId}/invitations',
  summary: 'Invite a person to the workspace by mail',
  description: 'Sends a mail with a link. Without a mail server, the response contains a link to pass on.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ email, role: z.enum(workspaceRoles).describe('Role in the workspace') }),
  reply: SentInvitation,
  statuses: [201],
  secretReply: true,
  errors: invitationErrors,
  example: { body: { email: 'ana@example.com', role: 'editor' } },
})

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/invitations/{invitationId}',
  summary: 'Revoke a pending invitation to the workspace',
  description: 'The link in the mail stops working.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ invitationId: z.uuid().describe('Id of the invitation') }),
  reply: z.null(),
  statuses: [204],
  errors: ['invalid_state'],
})

export const listProfileInvitations = endpoint({
  name: 'listProfileInvitations',
  method: 'GET',
  path: '/workspaces/{workspaceId}/profiles/{profileId}/invitations',
  summary: 'List pending invitations to one profile',
  description: 'Invitations that were neither accepted nor revoked and have not expired.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: ProfileParams,
  reply: z.array(Invitation),
})

export const inviteProfileMember = endpoint({
  name: 'inviteProfileMember',
  method: 'POST',
  path: '/workspaces/{workspaceId}/profiles/{profileId}/invitations',
  summary: 'Invite a person to one profile by mail',
  description: 'The person gets access to this profile only.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: ProfileParams,
  body: z.strictObject({
    email,
    role: z.enum(profileRoles).describe('Role in the workspace'),
    permissions: Permissions.default([]),
  }),
  reply: SentInvitation,
  statuses: [201],
  secretReply: true,
  errors: invitationErrors,
})

export const revokeProfileInvitation = endpoint({
  name: 'revokeProfileInvitation',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/profiles/{profileId}/invitations/{invitationId}',
  summary: 'Revoke a pending invitation to one profile',
  description: 'The link in the mail stops working.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: ProfileParams.extend({ invitationId: z.uuid().describe('Id of the invitation') }),
  reply: z.null(),
  statuses: [204],
  errors: ['invalid_state'],
})

export const acceptInvitation = endpoint({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation with the token from the mail',
  description: 'The signed-in person must have the invited address.',
  tag: 'members',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({ token: z.string().min(1).max(200).describe('Token from the link in the mail') }),
  reply: z.object({
    workspace_id: WorkspaceId,
    profile_id: z
      .uuid()
      .nullable()
      .describe('Id of the profile that the invitation is for; null if it is for the workspace'),
    membership_id: z
      .uuid()
      .nullable()
      .describe('Id of the profile membership; null for an invitation to the workspace'),
    role: z.enum(workspaceRoles).describe('Role in the workspace'),
  }),
  errors: ['not_found', 'invalid_state', 'workspace_archived', 'forbidden'],
})

const MembershipParams = ProfileParams.extend({ membershipId: z.uuid().describe('Id of the membership') })

export const updateProfileMember = endpoint({
  name: 'updateProfileMember',
  method: 'PATCH',
  path: '/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}',
  summary: 'Change the role or the permissions of a profile member',
  description: 'Permissions, if not empty, replace those of the role.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: MembershipParams,
  body: z.strictObject({
    role: z.enum(profileRoles).optional().describe('Role in the workspace'),
    permissions: Permissions.optional(),
  }),
  reply: z.object({
    membership_id: z.uuid().describe('Id of the membership'),
    profile_id: ProfileId,
    user_id: z.uuid().describe('Id of the user'),
    role: z.enum(profileRoles).describe('Role in the workspace'),
    permissions: z.array(z.string()).describe('Permissions of the member'),
  }),
})

export const removeProfileMember = endpoint({
  name: 'removeProfileMember',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}',
  summary: 'Remove a person from one profile',
  description: 'Access to other profiles is not changed.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: MembershipParams,
  reply: z.null(),
  statuses: [204],
})
