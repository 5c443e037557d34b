import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Country,
  CreatedAt,
  Currency,
  CurrencyCode,
  Instant,
  Name,
  ProfileId,
  TimeZone,
  UpdatedAt,
  WorkspaceId,
  WorkspaceParams,
  ZoneName,
} from '../../../platform/contract/fields.ts'

export const Profile = z.object({
  id: z.uuid().describe('Id of the profile'),
  workspace_id: WorkspaceId,
  name: z.string().describe('Name of the profile'),
  timezone: ZoneName,
  currency: CurrencyCode,
  country: z
    .string()
    .nullable()
    .describe(
      'ISO 3166 code of the country assumed for phone numbers without a country code. Null: such numbers identify no one.',
    ),
  privacy_mode: z
    .enum(['standard', 'platform_safe', 'hipaa'])
    .describe('What data about people may be sent to ad platforms'),
  provisioned_by_app_id: z
    .uuid()
    .nullable()
    .describe('Id of the partner app that created the profile; null if a person did'),
  is_demo: z.boolean().describe('True for sample data'),
  created_at: CreatedAt,
  archived_at: Instant.nullable().describe('When it was archived; null if it is not'),
})

const ProfileParams = z.object({ profileId: z.uuid().describe('Id of the profile') })

export const listWorkspaceProfiles = endpoint({
  name: 'listWorkspaceProfiles',
  method: 'GET',
  path: '/workspaces/{workspaceId}/profiles',
  summary: 'List the profiles of a workspace that the person can open',
  description: 'Members of individual profiles see only those.',
  tag: 'profiles',
  noPage: 'shown_elsewhere',
  access: { kind: 'user' },
  params: WorkspaceParams,
  reply: z.array(Profile),
  meta: { workspace_id: WorkspaceId },
  errors: ['not_found'],
})

export const listProfiles = endpoint({
  name: 'listProfiles',
  mcp: {
    description: 'Profiles (businesses) that you can read. Call this first: other tools need a profile_id.',
    concise: 'id name timezone currency is_demo',
  },
  method: 'GET',
  path: '/profiles',
  summary: 'List the profiles of the person or the app',
  description:
    'A person sees the profiles of their workspaces; an app sees those that it provisioned or is authorized for.',
  tag: 'profiles',
  access: { kind: 'user_or_app' },
  query: z.object({ workspace_id: WorkspaceId.optional() }),
  reply: z.array(Profile),
})

export const readinessSteps = [
  'attribution_enabled',
  'tracker_installed',
  'ad_platform_connected',
  'crm_or_outcome_source_connected',
  'touch_recorded',
  'outcome_recorded',
  'outcome_attributed',
] as const

export const ReadinessStep = z.object({
  step: z.enum(readinessSteps).describe('Name of the step'),
  state: z.enum(['done', 'todo', 'attention']).describe('attention: it worked before and has stopped'),
  title: z.string().describe('What is to be done, as a short sentence'),
  todo: z.string().nullable().describe('Next action; null if done'),
})
export type ReadinessStep = z.infer<typeof ReadinessStep>

export const getReadiness = endpoint({
  name: 'getReadiness',
  method: 'GET',
  path: '/profiles/{profileId}/readiness',
  summary: 'List the setup steps of a profile and whether they are done',
  description:
    "Reports of a profile are complete once all steps are done. For the profile's keys (with `tracking:read`, `connections:read`, `analytics:read` or `campaigns:read`) and for people with access to it. A CRM is not required: outcomes sent with POST /events satisfy `crm_or_outcome_source_connected` too.",
  tag: 'profiles',
  access: { kind: 'bearer' },
  params: ProfileParams,
  reply: z.object({
    ready: z.boolean().describe('Whether setup is complete'),
    steps: z.array(ReadinessStep).describe('What remains to be set up, in order'),
  }),
  meta: { profile_id: ProfileId },
  errors: ['not_found', 'insufficient_scope'],
})

export const createProfile = endpoint({
  name: 'createProfile',
  method: 'POST',
  path: '/profiles',
  summary: 'Create a profile',
  description:
    'A person creates a profile in their workspace. An app (HTTP Basic) provisions a profile for a user and gets its key; without `workspace_id` it also creates the workspace.',
  tag: 'profiles',
  access: { kind: 'user_or_app' },
  body: z.strictObject({
    workspace_id: z.uuid().optional().describe('Required for a person'),
    name: Name.describe('Name of the profile'),
    timezone: TimeZone.optional().describe("Default: the workspace's"),
    currency: Currency.optional().describe("Default: the workspace's reporting currency, else USD"),
    country: Country.nullish().describe(
      'ISO 3166 code of its country; null or absent: the country of the time zone, or else of the currency',
    ),
    user: z
      .strictObject({
        email: z.email().max(254).describe('Email address of the person who will own the profile'),
        name: Name.optional().describe('Name of the person'),
      })
      .optional()
      .describe('App only: the person who gets the profile'),
    scopes: z
      .array(z.string().max(64))
      .min(1)
      .max(50)
      .optional()
      .describe('App only: grants of the key; default: all grants that the app is registered for'),
  }),
  reply: Profile.partial().extend({
    profile_id: ProfileId,
    workspace_id: WorkspaceId,
    api_key: z.string().optional().describe('App only, shown once'),
    connections_key: z
      .string()
      .optional()
      .describe('App only: a second key, if the connections grant was requested in addition to data grants'),
  }),
  statuses: [201],
  secretReply: true,
  errors: [
    'insufficient_scope',
    'forbidden',
    'not_found',
    'profile_limit_reached',
    'healthcare_scope_forbidden',
  ],
  example: {
    body: {
      workspace_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
      name: 'Acme Madrid',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
    },
  },
})

export const updateProfile = endpoint({
  name: 'updateProfile',
  method: 'PATCH',
  path: '/profiles/{profileId}',
  summary: 'Rename a profile, or set its time zone, currency and country',
  description:
    'Requires an admin of the workspace. Time zone and currency can change only while the profile has no data and no connection, because days and amounts are stored in them (`invalid_state`, reason `profile_has_data`). The country applies to phone numbers received from then on; `POST /identity/repair` with `country` repairs earlier ones that identify no one. Omitted fields are not changed.',
  tag: 'profiles',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  params: ProfileParams,
  body: z.strictObject({
    name: Name.optional().describe('Name of the profile'),
    timezone: TimeZone.optional(),
    currency: Currency.optional(),
    country: Country.nullable().optional().describe('Null: numbers without a country code identify no one'),
  }),
  reply: Profile,
  errors: ['not_found', 'forbidden', 'invalid_state'],
  example: { body: { name: 'Acme Madrid', timezone: 'Europe/Madrid', currency: 'EUR' } },
})

export const archiveProfile = endpoint({
  name: 'archiveProfile',
  method: 'DELETE',
  path: '/profiles/{profileId}',
  summary: 'Archive a profile that the app provisioned',
  description:
    'Revokes all keys and immediately deletes the data of the profile, including its connections. The audit log, access log, export ledger, erasure receipts and webhook subscriptions (paused) are kept.',
  tag: 'profiles',
  noPage: 'partner_apps',
  access: { kind: 'app' },
  params: ProfileParams,
  slow: true,
  reply: z.object({
    profile_id: ProfileId,
    archived: z.boolean().describe('Whether it is archived'),
    archived_at: Instant.describe('When it was archived'),
  }),
  errors: ['not_found', 'forbidden'],
})

export const adoptProfile = endpoint({
  name: 'adoptProfile',
  method: 'POST',
  path: '/profiles/{profileId}/adopt',
  summary: 'Adopt an existing profile',
  description:
    'Requires that the workspace was created by the app or registered the app, or a person’s consent with the grant `adoption`. In the first case the app also gets keys. The app can neither archive an adopted profile nor switch its attribution off, and gets no healthcare contacts. Revoking the app’s authorization ends the adoption immediately.',
  tag: 'profiles',
  noPage: 'partner_apps',
  access: { kind: 'app' },
  params: ProfileParams,
  body: z.strictObject({
    scopes: z.array(z.string().max(64)).min(1).max(50).optional().describe('Scopes of the credential'),
  }),
  reply: z.object({
    profile_id: ProfileId,
    workspace_id: WorkspaceId,
    adopted: z.boolean().describe('Whether the app has adopted the profile'),
    api_key: z.string().optional().describe('The API key, shown once'),
    connections_key: z.string().optional().describe('API key that can only connect accounts, shown once'),
  }),
  secretReply: true,
  errors: ['not_found', 'forbidden', 'invalid_state', 'insufficient_scope', 'healthcare_scope_forbidden'],
})

export const setEntitlement = endpoint({
  name: 'setEntitlement',
  method: 'PUT',
  path: '/profiles/{profileId}/entitlements/{feature}',
  summary: 'Switch a feature of a profile on or off',
  description:
    'For the app that governs the profile. On an adopted profile the feature can only be switched on.',
  tag: 'profiles',
  noPage: 'partner_apps',
  access: { kind: 'app' },
  params: ProfileParams.extend({ feature: z.enum(['attribution']).describe('Name of the feature') }),
  body: z.strictObject({ enabled: z.boolean().describe('Whether it is enabled') }),
  reply: z.object({
    profile_id: ProfileId,
    feature: z.enum(['attribution']).describe('Name of the feature'),
    enabled: z.boolean().describe('Whether it is enabled'),
    updated_at: UpdatedAt,
  }),
  errors: ['not_found', 'forbidden'],
  example: { body: { enabled: true } },
})
