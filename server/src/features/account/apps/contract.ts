import { z } from 'zod'
import { grants, scopes } from '../../../platform/contract/access.ts'
import { createdKinds } from '../../../platform/contract/created-kinds.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  Hint,
  Instant,
  Name,
  ProfileId,
  ProfileName,
  UpdatedAt,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const AppParams = WorkspaceParams.extend({ appId: z.uuid().describe('Id of the partner app') })

const parse = (text: string) => (URL.canParse(text) ? new URL(text) : undefined)
const isLoopback = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
const isSafe = (url: URL | undefined) =>
  url !== undefined &&
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
  url.username === '' &&
  url.password === '' &&
  url.hash === ''

const RedirectUri = z
  .string()
  .max(2000)
  .refine((text) => isSafe(parse(text)), 'must be an https URL (http on loopback) without fragment or user')
const Origin = z
  .string()
  .max(500)
  .refine(
    (text) => isSafe(parse(text)) && parse(text)!.origin === text,
    'must be an origin such as https://app.example',
  )
const GrantName = z
  .enum([...(Object.keys(grants) as (keyof typeof grants)[]), ...scopes])
  .exclude(['workspaces:write'])

const fields = {
  name: Name.describe('Name, as people see it'),
  logo_url: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable()
    .describe('URL of the app’s logo; null or absent: none'),
  redirect_uris: z.array(RedirectUri).max(20).describe('Allowed redirect URIs after consent'),
  allowed_return_origins: z.array(Origin).max(20).describe('Origins that a hand-off may return to'),
  allowed_scopes: z.array(GrantName).max(50).describe('Grants and scopes that the app may request'),
}

export const OAuthApp = z.object({
  id: z.uuid().describe('Id of the partner app'),
  client_id: z.string().describe('Public id of the app'),
  name: z.string().describe('Name of the partner app'),
  logo_url: z.string().nullable().describe('URL of the app’s logo; null if it has none'),
  redirect_uris: z.array(z.string()).describe('Allowed redirect URIs after consent'),
  allowed_return_origins: z.array(z.string()).describe('Origins that a hand-off may return to'),
  allowed_scopes: z.array(z.string()).describe('Scopes that the app may request'),
  dpa: z
    .object({
      status: z
        .enum(['not_accepted', 'accepted', 'withdrawn'])
        .describe('Whether the data-processing agreement is signed'),
      version: z.string().nullable().describe('Version of the agreement that was signed; null if none was'),
      accepted_at: Instant.nullable().describe('When it was accepted; null until then'),
      withdrawn_at: Instant.nullable().describe('When it was withdrawn; null if it was not'),
    })
    .describe('The data-processing agreement'),
  secrets: z
    .array(
      z.object({
        hint: Hint,
        created_at: CreatedAt,
        expires_at: Instant.nullable().describe('When it expires; null if it does not'),
      }),
    )
    .describe('Valid secrets, at most two'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const listOAuthApps = endpoint({
  name: 'listOAuthApps',
  method: 'GET',
  path: '/workspaces/{workspaceId}/oauth-apps',
  summary: 'List partner apps of the workspace, with their DPA status',
  description:
    'Includes redirect URIs, allowed grants and the status of the data-processing agreement, but never the secret.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  reply: z.array(OAuthApp),
})

export const createOAuthApp = endpoint({
  name: 'createOAuthApp',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/oauth-apps',
  summary: 'Register a partner app',
  description:
    'The client secret is returned once. Redirect URIs must be https, or loopback for development.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    name: fields.name,
    logo_url: fields.logo_url.default(null).describe('URL of the app’s logo; null or absent: none'),
    redirect_uris: fields.redirect_uris.default([]).describe('Allowed redirect URIs after consent'),
    allowed_return_origins: fields.allowed_return_origins
      .default([])
      .describe('Origins that a hand-off may return to'),
    allowed_scopes: fields.allowed_scopes.min(1).default(['analytics']),
  }),
  reply: OAuthApp.extend({ client_secret: z.string().describe('Secret of the app; returned only once') }),
  statuses: [201],
  errors: ['invalid_state'],
  secretReply: true,
  example: {
    body: {
      name: 'Dealer suite',
      redirect_uris: ['https://suite.example/callback'],
      allowed_scopes: ['attribution', 'connections'],
    },
  },
})

export const updateOAuthApp = endpoint({
  name: 'updateOAuthApp',
  method: 'PATCH',
  path: '/workspaces/{workspaceId}/oauth-apps/{appId}',
  summary: 'Change the registration of a partner app',
  description: 'Omitted fields are not changed.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: AppParams,
  body: z.strictObject(fields).partial(),
  reply: OAuthApp,
})

export const rotateOAuthAppSecret = endpoint({
  name: 'rotateOAuthAppSecret',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/oauth-apps/{appId}/rotate-secret',
  summary: 'Rotate the app’s secret',
  description:
    'The old secret works until the grace period ends. At most two secrets are valid: another rotation revokes the older one.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: AppParams,
  body: z.strictObject({
    grace_days: z
      .int()
      .min(0)
      .max(90)
      .default(7)
      .describe('Days during which the previous secret also signs'),
  }),
  reply: z.object({
    client_id: z.string().describe('Public id of the app'),
    client_secret: z.string().describe('Secret of the app; returned only once'),
    hint: Hint,
    previous_expires_at: Instant.nullable().describe(
      'When the previous secret stops working; null if there is none',
    ),
  }),
  statuses: [201],
  secretReply: true,
})

const Dpa = OAuthApp.shape.dpa.extend({ app_id: z.uuid().describe('Id of the partner app') })

export const acceptDpa = endpoint({
  name: 'acceptDpa',
  method: 'POST',
  path: '/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/accept',
  summary: 'Accept the data-processing agreement for profiles the app provisions',
  description:
    'On profiles that the app provisioned, its person-level scopes (`customers:read`, `visitors:read`) have no effect until the agreement is accepted: such requests return 403 `forbidden` with reason `dpa_not_accepted`, and webhooks and replays omit the contact. Until then the app is also refused owner decisions there.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: AppParams,
  body: z.strictObject({}),
  reply: Dpa,
})

export const withdrawDpa = endpoint({
  name: 'withdrawDpa',
  method: 'POST',
  path: '/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/withdraw',
  summary: 'Withdraw the acceptance of the data-processing agreement',
  description:
    'Takes effect immediately: the app can no longer read people of the profiles that it provisioned. Profiles, keys and grants are kept.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: AppParams,
  body: z.strictObject({}),
  reply: Dpa,
  errors: ['invalid_state'],
})

export const listConnectedApps = endpoint({
  name: 'listConnectedApps',
  method: 'GET',
  path: '/workspaces/{workspaceId}/connected-apps',
  summary: 'List valid authorizations of partner apps on the workspace’s profiles',
  description: 'Shows app, profile, grant, authorizing user and time.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the authorization'),
      app: z
        .object({
          id: z.uuid().describe('Id of the partner app'),
          client_id: z.string().describe('Public id of the app'),
          name: z.string().describe('Name of the partner app'),
          logo_url: z.string().nullable().describe('URL of the app’s logo; null if it has none'),
        })
        .describe('The authorised app'),
      profile_id: ProfileId,
      profile_name: ProfileName,
      grant: z.string().describe('Grant of the app, such as `attribution`'),
      scopes: z.array(z.string()).describe('Scopes of the credential'),
      authorized_by_user_id: z
        .uuid()
        .nullable()
        .describe('Id of the user who authorised it; null if the app created the profile'),
      governs: z.boolean().describe('True if the app created or adopted the profile and still manages it'),
      created: z
        .array(
          z.object({
            kind: z.enum(createdKinds).describe('What the app created'),
            id: z.uuid().describe('Id of the object that the app created'),
            name: z.string().describe('Name of the object that the app created'),
          }),
        )
        .describe(
          'Resources that the app created under this authorization; they stop working when it is revoked',
        ),
      created_at: CreatedAt,
    }),
  ),
})

export const revokeConnectedApp = endpoint({
  name: 'revokeConnectedApp',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/connected-apps/{id}',
  summary: 'Revoke an authorization and all keys created with it',
  description:
    'The app also stops governing the profile. Hand-offs started under the authorization end, and so does everything listed in `created`: destinations are disabled, tracking domains get the status failed, tracking keys are revoked, webhooks are paused, alerts are disabled, and connections that no person confirmed on a hand-off page (manual stores, the chatbot, bank links, messaging accounts) are disconnected and lose their signing secret.',
  tag: 'apps',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ id: z.uuid().describe('Id of the authorization') }),
  reply: z.null(),
  statuses: [204],
})
