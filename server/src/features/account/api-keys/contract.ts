import { z } from 'zod'
import { defaultKeyScopes, defaultUserTokenScopes, scopes } from '../../../platform/contract/access.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  Hint,
  Instant,
  Name,
  ProfileId,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const KeyParams = WorkspaceParams.extend({ id: z.uuid().describe('Id of the API key') })
const Day = z.iso.date()

/** A key belongs to one profile, so workspace scopes are excluded. */
export const KeyScope = z.enum(scopes).exclude(['workspaces:write'])

export const ApiKey = z.object({
  id: z.uuid().describe('Id of the API key'),
  hint: Hint,
  name: z.string().nullable().describe('Name of the API key; null if it has none'),
  profile_id: ProfileId,
  scopes: z.array(z.string()).describe('Scopes of the credential'),
  app_id: z
    .uuid()
    .nullable()
    .describe('The partner app that the key was issued to; null if it was not issued to an app'),
  created_at: CreatedAt,
  expires_at: Instant.nullable().describe('When it expires; null if it does not'),
  revoked_at: Instant.nullable().describe(
    'When it stops working, in the future while a rotated key still works; null if it is not revoked',
  ),
  last_used_on: Day.nullable().describe('Last day of use; null if there was none'),
})

export const MintedApiKey = z.object({
  id: z.uuid().describe('Id of the API key'),
  key: z.string().describe('The API key; returned only once'),
  hint: Hint,
  name: z.string().describe('Name of the API key'),
  profile_id: ProfileId,
  scopes: z.array(z.string()).describe('Scopes of the credential'),
  created_at: CreatedAt,
  expires_at: Instant.nullable().describe('When it expires; null if it does not'),
})

export const listApiKeys = endpoint({
  name: 'listApiKeys',
  method: 'GET',
  path: '/workspaces/{workspaceId}/api-keys',
  summary: 'List API keys of a workspace’s profiles',
  description: 'Secrets are not included: a key is shown only once, when it is created.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  query: z.object({ profile_id: ProfileId.optional() }),
  reply: z.array(ApiKey),
})

export const createApiKey = endpoint({
  name: 'createApiKey',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/api-keys',
  summary: 'Create an API key for one profile',
  description:
    'The key is returned once and stored as a hash. Without `scopes` it reads analytics, campaigns, conversions and realtime figures; anything else, such as sending events, needs its scope.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_id: ProfileId,
    name: Name.describe('Name of the API key'),
    scopes: z
      .array(KeyScope)
      .min(1)
      .max(scopes.length)
      .optional()
      .describe(`Default: ${defaultKeyScopes.join(' ')}`),
  }),
  reply: MintedApiKey,
  statuses: [201],
  errors: ['invalid_state'],
  secretReply: true,
  example: {
    body: {
      profile_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
      name: 'Back office',
      scopes: ['events:write'],
    },
  },
})

export const revokeApiKey = endpoint({
  name: 'revokeApiKey',
  method: 'POST',
  path: '/workspaces/{workspaceId}/api-keys/{id}/revoke',
  summary: 'Revoke an API key immediately',
  description: 'All further requests with it return 401.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'admin' },
  params: KeyParams,
  body: z.strictObject({}),
  reply: z.object({
    id: z.uuid().describe('Id of the API key'),
    revoked_at: Instant.describe('When it stopped working'),
  }),
})

export const rotateApiKey = endpoint({
  name: 'rotateApiKey',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/api-keys/{id}/rotate',
  summary: 'Rotate an API key',
  description: 'The new key has the same scopes. The old key works until the overlap ends.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'admin' },
  params: KeyParams,
  body: z.strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(172_800)
      .describe('Seconds for which the old key remains valid'),
  }),
  reply: MintedApiKey.extend({
    previous: z
      .object({
        id: z.uuid().describe('Id of the API key'),
        revoked_at: Instant.describe('When it stops working'),
      })
      .describe('The previous key, which works until `revoked_at`'),
  }),
  statuses: [201],
  secretReply: true,
  errors: ['invalid_state'],
})

export const getApiUsage = endpoint({
  name: 'getApiUsage',
  method: 'GET',
  path: '/workspaces/{workspaceId}/api-usage',
  summary: 'Count requests and errors per API key',
  description: 'Per key and day, in UTC. Refused requests count as errors.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  query: z.object({
    profile_id: ProfileId.optional(),
    days: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 366')
      .transform(Number)
      .refine((days) => days >= 1 && days <= 366, 'must be a whole number from 1 to 366')
      .optional()
      .describe('Number of days, including today; default 30'),
  }),
  reply: z.object({
    date_from: Day.describe('First day of the range, YYYY-MM-DD, in the time zone of the profile'),
    date_to: Day.describe('Last day of the range, inclusive, YYYY-MM-DD'),
    keys: z
      .array(
        z.object({
          api_key_id: z.uuid().describe('Id of the API key'),
          hint: Hint,
          name: z.string().nullable().describe('Name of the API key; null if it has none'),
          profile_id: ProfileId,
          requests: z.int().describe('Number of requests'),
          errors: z.int().describe('Number of requests that were refused or failed'),
          last_used_on: Day.nullable().describe('Last day of use; null if there was none'),
          days: z
            .array(
              z.object({
                date: Day.describe('Day, YYYY-MM-DD, in the time zone of the profile'),
                requests: z.int().describe('Number of requests'),
                errors: z.int().describe('Number of requests that were refused or failed'),
              }),
            )
            .describe('Requests per day'),
        }),
      )
      .describe('API keys with their request counts'),
  }),
})

export const UserToken = z.object({
  id: z.uuid().describe('Id of the user token'),
  hint: Hint,
  name: z.string().describe('Name of the user token'),
  scopes: z.array(z.string()).describe('Scopes of the credential'),
  created_at: CreatedAt,
  expires_at: Instant.nullable().describe('When it expires; null if it does not'),
})

export const listUserTokens = endpoint({
  name: 'listUserTokens',
  method: 'GET',
  path: '/user-tokens',
  summary: 'List user tokens and authorized clients of the signed-in person',
  description: 'Includes MCP and OAuth clients that act for the person.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  reply: z.array(UserToken),
})

export const createUserToken = endpoint({
  name: 'createUserToken',
  fresh: true,
  method: 'POST',
  path: '/user-tokens',
  summary: 'Create a user token for all profiles of the signed-in person',
  description:
    'The token is returned once. It has the person’s permissions, limited to its scopes. Routes of a profile need `?profile_id=`.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({
    name: Name.describe('Name of the token, to recognise it'),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .optional()
      .describe(`What the token may do; default: ${defaultUserTokenScopes.join(' ')}`),
  }),
  reply: UserToken.extend({ token: z.string().describe('The user token; returned only once') }),
  statuses: [201],
  errors: ['invalid_state'],
  secretReply: true,
})

export const revokeUserToken = endpoint({
  name: 'revokeUserToken',
  method: 'DELETE',
  path: '/user-tokens/{id}',
  summary: 'Revoke a user token or the access of a client',
  description: 'Access and refresh tokens of the client are revoked immediately.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  params: z.object({ id: z.uuid().describe('Id of the user token') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
