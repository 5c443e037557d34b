import { z } from 'zod'
import { defaultKeyScopes, defaultUserTokenScopes, scopes } from '../../../platform/contract/access.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, Name, WorkspaceParams } from '../../../platform/contract/fields.ts'

const KeyParams = WorkspaceParams.extend({ id: z.uuid() })
const Day = z.iso.date()

/** A key belongs to one profile, so workspace scopes are excluded. */
export const KeyScope = z.enum(scopes).exclude(['workspaces:write'])

export const ApiKey = z.object({
  id: z.uuid(),
  hint: z.string(),
  name: z.string().nullable(),
  profile_id: z.uuid(),
  scopes: z.array(z.string()),
  app_id: z.uuid().nullable().describe('The partner app that the key was issued to'),
  created_at: Instant,
  expires_at: Instant.nullable(),
  revoked_at: Instant.nullable().describe('In the future while a rotated key still works'),
  last_used_on: Day.nullable(),
})

export const MintedApiKey = z.object({
  id: z.uuid(),
  key: z.string().describe('Shown once'),
  hint: z.string(),
  name: z.string(),
  profile_id: z.uuid(),
  scopes: z.array(z.string()),
  created_at: Instant,
  expires_at: Instant.nullable(),
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
  query: z.object({ profile_id: z.uuid().optional() }),
  reply: z.array(ApiKey),
})

export const createApiKey = endpoint({
  name: 'createApiKey',
  method: 'POST',
  path: '/workspaces/{workspaceId}/api-keys',
  summary: 'Create an API key for one profile',
  description:
    'The key is returned once and stored as a hash. Without `scopes` it reads analytics, campaigns, conversions and realtime figures; anything else, such as sending events, needs its scope.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_id: z.uuid(),
    name: Name,
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
  reply: z.object({ id: z.uuid(), revoked_at: Instant }),
})

export const rotateApiKey = endpoint({
  name: 'rotateApiKey',
  method: 'POST',
  path: '/workspaces/{workspaceId}/api-keys/{id}/rotate',
  summary: 'Rotate an API key',
  description: 'The new key has the same scopes. The old key works until the overlap ends.',
  tag: 'api-keys',
  access: { kind: 'workspace', role: 'admin' },
  params: KeyParams,
  body: z.strictObject({ overlap_seconds: z.int().min(0).max(604_800).default(172_800) }),
  reply: MintedApiKey.extend({ previous: z.object({ id: z.uuid(), revoked_at: Instant }) }),
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
    profile_id: z.uuid().optional(),
    days: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 366')
      .transform(Number)
      .refine((days) => days >= 1 && days <= 366, 'must be a whole number from 1 to 366')
      .optional()
      .describe('Number of days, including today; default 30'),
  }),
  reply: z.object({
    date_from: Day,
    date_to: Day,
    keys: z.array(
      z.object({
        api_key_id: z.uuid(),
        hint: z.string(),
        name: z.string().nullable(),
        profile_id: z.uuid(),
        requests: z.int(),
        errors: z.int(),
        last_used_on: Day.nullable(),
        days: z.array(z.object({ date: Day, requests: z.int(), errors: z.int() })),
      }),
    ),
  }),
})

export const UserToken = z.object({
  id: z.uuid(),
  hint: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: Instant,
  expires_at: Instant.nullable(),
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
  method: 'POST',
  path: '/user-tokens',
  summary: 'Create a user token for all profiles of the signed-in person',
  description:
    'The token is returned once. It has the person’s permissions, limited to its scopes. Routes of a profile need `?profile_id=`.',
  tag: 'auth',
  access: { kind: 'user', tokens: false },
  body: z.strictObject({
    name: Name,
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .optional()
      .describe(`Default: ${defaultUserTokenScopes.join(' ')}`),
  }),
  reply: UserToken.extend({ token: z.string().describe('Shown once') }),
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
  params: z.object({ id: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
