import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const SignInPolicy = z.object({
  second_factor_required_from: Instant.nullable().describe(
    'From then on, members without a second factor cannot open the workspace; null if it is not required',
  ),
  members: z
    .array(
      z.object({
        user_id: z.uuid().describe('Id of the user'),
        email: z.string().describe('Email address of the account'),
        name: z.string().describe('Name of the person'),
        has_second_factor: z.boolean().describe('Whether the account has an authenticator app or a passkey'),
      }),
    )
    .describe('People of the workspace and its profiles'),
})

export const getSignInPolicy = endpoint({
  name: 'getSignInPolicy',
  method: 'GET',
  path: '/workspaces/{workspaceId}/sign-in-policy',
  summary: 'What the workspace requires of the sign-in of its members',
  description: 'Includes which people of the workspace and its profiles have a second factor.',
  tag: 'members',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  reply: SignInPolicy,
})

export const updateSignInPolicy = endpoint({
  name: 'updateSignInPolicy',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/sign-in-policy',
  summary: 'Require a second factor of all members, or no longer',
  description:
    'Requires an owner who signed in with a second factor. Members without one get a mail and `grace_days`; after that, their requests to this workspace return 403 `forbidden`, reason `second_factor_required`. In a healthcare workspace, a remembered device alone is not enough.',
  tag: 'members',
  fresh: true,
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({
    require_second_factor: z.boolean().describe('False: the password is enough again'),
    grace_days: z.int().min(0).max(90).default(14).describe('Days until it is required'),
  }),
  reply: SignInPolicy,
  errors: ['invalid_state'],
  example: { body: { require_second_factor: true } },
})

export const resetMemberFactors = endpoint({
  name: 'resetMemberFactors',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/members/{userId}/factors',
  summary: 'Remove the second factors of a member who lost them',
  description:
    'Requires an owner. The member must belong to this workspace alone (otherwise 403 `forbidden`, reason `member_elsewhere`); the operator of the service can help people of several. Ends the sessions of the member, who gets a mail and signs in with the password.',
  tag: 'members',
  fresh: true,
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams.extend({ userId: z.uuid().describe('Id of the user') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_state'],
})
