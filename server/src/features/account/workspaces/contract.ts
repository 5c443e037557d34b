import { z } from 'zod'
import { workspaceRoles } from '../../../platform/contract/access.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Currency, Instant, Name, TimeZone, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const Plan = z.enum(['starter', 'growth', 'agency'])

export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  timezone: z.string(),
  plan: Plan,
  role: z
    .enum(workspaceRoles)
    .nullable()
    .describe('Null for a person with access to individual profiles only'),
  healthcare: z.boolean(),
  created_at: Instant,
  archived_at: Instant.nullable(),
})

export const listWorkspaces = endpoint({
  name: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  summary: 'List the workspaces of the signed-in person',
  description: 'Includes the person’s role in each.',
  tag: 'workspaces',
  access: { kind: 'user' },
  reply: z.array(Workspace),
})

const Warning = z.object({ code: z.string(), message: z.string() })

export const createWorkspace = endpoint({
  name: 'createWorkspace',
  method: 'POST',
  path: '/workspaces',
  summary: 'Create a workspace',
  description:
    'A person becomes owner of the new workspace; a repeated call with the same name within ten minutes returns the same workspace with `created: false`. An app (HTTP Basic) sends the owner’s `email`, and every call creates a workspace.',
  tag: 'workspaces',
  access: { kind: 'user_or_app' },
  body: z.strictObject({
    name: Name.optional().describe('Required for a person; for an app the default is the address'),
    timezone: TimeZone.default('UTC'),
    plan: Plan.default('starter'),
    email: z.email().max(254).optional().describe('App only: the person who owns the workspace'),
    store_install: z
      .string()
      .max(2048)
      .optional()
      .describe(
        'Person only: the signed query string with which the store platform opened the app; the store then bills the workspace',
      ),
  }),
  reply: z.object({
    workspace_id: z.uuid(),
    name: z.string(),
    created: z.boolean(),
    checkout: z.object({ id: z.uuid(), url: z.string(), expires_at: Instant }).nullable(),
    warnings: z.array(Warning).optional(),
  }),
  statuses: [201, 200],
  errors: ['insufficient_scope', 'invalid_state'],
  example: { body: { name: 'Acme', timezone: 'Europe/Madrid', plan: 'growth' } },
})

export const ArchiveCounts = z.object({
  profiles_archived: z.int(),
  memberships_removed: z.int(),
  invitations_revoked: z.int(),
  api_keys_revoked: z.int(),
  webhook_subscriptions_paused: z.int(),
  retained_conversion_exports: z.int(),
  retained_signal_audit_rows: z.int(),
})

export const archiveWorkspace = endpoint({
  name: 'archiveWorkspace',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}',
  summary: 'Archive a workspace for good',
  description: 'Requires an owner. A repeated call returns 200 with `archived: false` and changes nothing.',
  tag: 'workspaces',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  params: WorkspaceParams,
  slow: true,
  reply: z.object({
    workspace_id: z.uuid(),
    archived: z.boolean(),
    archived_at: Instant,
    counts: ArchiveCounts,
    profiles_purged: z.int(),
  }),
  meta: { workspace_id: z.uuid() },
  errors: ['insufficient_scope', 'forbidden', 'not_found'],
})

export const getSubscription = endpoint({
  name: 'getSubscription',
  method: 'GET',
  path: '/workspaces/{workspaceId}/subscription',
  summary: 'Get plan, status and billing period of a workspace',
  description: 'If billing is not configured, every workspace keeps the plan that it was created with.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  reply: z.object({
    plan: Plan,
    status: z.enum(['trialing', 'active', 'past_due', 'canceled']),
    trial_ends_at: Instant.nullable(),
    current_period_start: Instant,
    current_period_end: Instant.nullable(),
    cancels_at: Instant.nullable().describe('When the plan ends; null unless the payer cancelled it'),
    billed_by: z.enum(['payment_provider', 'store', 'none']),
    active_profiles: z.object({ used: z.int(), limit: z.int() }),
  }),
})

export const ComplianceOverview = z.object({
  healthcare: z
    .boolean()
    .describe('True if the workspace is a healthcare agency; all its profiles are then healthcare profiles'),
  profiles: z.array(
    z.object({
      profile_id: z.uuid(),
      name: z.string(),
      privacy_mode: z.enum(['standard', 'platform_safe', 'hipaa']),
      is_healthcare: z.boolean(),
      hipaa_agreement_signed_at: Instant.nullable(),
      export_destinations: z.int().describe('Number of enabled export destinations'),
      provisioned_by_app_id: z.uuid().nullable(),
      partner_apps: z.int().describe('Number of apps with a valid authorization'),
      partner_apps_reading_people: z.int(),
    }),
  ),
})

export const getComplianceOverview = endpoint({
  name: 'getComplianceOverview',
  method: 'GET',
  path: '/workspaces/{workspaceId}/compliance-overview',
  summary: 'Get the privacy settings of each profile',
  description:
    'Per profile: whether it is a healthcare profile, its privacy settings, and how many apps can read personal data.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: ComplianceOverview,
})

export const updateComplianceOverview = endpoint({
  name: 'updateComplianceOverview',
  method: 'PATCH',
  path: '/workspaces/{workspaceId}/compliance-overview',
  summary: 'Set whether the workspace is a healthcare agency',
  description: 'Turning it on removes person-level scopes from all partner grants of its profiles.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ healthcare: z.boolean() }),
  reply: ComplianceOverview,
  example: { body: { healthcare: true } },
})

export const ReportingCurrency = z.object({
  reporting_currency: z.string().nullable().describe('Null: each profile reports in its own currency'),
  profile_currencies: z.array(z.string()),
})

export const getReportingCurrency = endpoint({
  name: 'getReportingCurrency',
  method: 'GET',
  path: '/workspaces/{workspaceId}/reporting-currency',
  summary: 'Get the currency of reports across profiles',
  description: 'Used for sums over several profiles; each profile keeps its own currency.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  reply: ReportingCurrency,
})

export const updateReportingCurrency = endpoint({
  name: 'updateReportingCurrency',
  method: 'PATCH',
  path: '/workspaces/{workspaceId}/reporting-currency',
  summary: 'Set the currency of reports across profiles',
  description: 'Amounts in reports across profiles are converted at the rate of the day of each fact.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ reporting_currency: Currency.nullable() }),
  reply: ReportingCurrency,
  example: { body: { reporting_currency: 'EUR' } },
})

const mcpInstead = { replacement: 'an MCP client', since: '2026-01-01', sunset: '2027-06-30' }

export const chatInDashboard = endpoint({
  name: 'chatInDashboard',
  method: 'POST',
  path: '/dashboard/chat',
  summary: 'Retired',
  description: 'Returns 410 `feature_retired` with `Deprecation`, `Sunset` and `Link` headers.',
  tag: 'retired',
  access: { kind: 'public', writes: 'retired' },
  reply: z.null(),
  retired: mcpInstead,
})

export const chatAboutTopPerformers = endpoint({
  name: 'chatAboutTopPerformers',
  method: 'POST',
  path: '/workspaces/{workspaceId}/top-performers/chat',
  summary: 'Retired',
  description: 'Returns 410 `feature_retired` with `Deprecation`, `Sunset` and `Link` headers.',
  tag: 'retired',
  access: { kind: 'public', writes: 'retired' },
  params: WorkspaceParams,
  reply: z.null(),
  retired: mcpInstead,
})
