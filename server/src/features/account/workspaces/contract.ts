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
  role: z.enum(workspaceRoles).nullable().describe('Null for a person with access to single profiles only'),
  healthcare: z.boolean(),
  created_at: Instant,
  archived_at: Instant.nullable(),
})

export const listWorkspaces = endpoint({
  name: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  summary: 'Workspaces of the signed-in person',
  description: 'With the person’s role in each.',
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
    'A person becomes owner of the new workspace; the same name again within ten minutes answers the same workspace with `created: false`. An app (HTTP Basic) names the owner by `email` and creates on every call.',
  tag: 'workspaces',
  access: { kind: 'user_or_app' },
  body: z.strictObject({
    name: Name.optional().describe('Required for a person; an app may leave it to the address'),
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
  description: 'Owner only. Repeating it answers 200 with `archived: false` and changes nothing.',
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
  summary: 'Plan, status and period of a workspace',
  description: 'Where billing is not configured, every workspace is on the plan it was created with.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  reply: z.object({
    plan: Plan,
    status: z.enum(['trialing', 'active', 'past_due', 'canceled']),
    trial_ends_at: Instant.nullable(),
    current_period_start: Instant,
    current_period_end: Instant.nullable(),
    cancels_at: Instant.nullable().describe('When the plan ends because its payer cancelled it'),
    billed_by: z.enum(['payment_provider', 'store', 'none']),
    active_profiles: z.object({ used: z.int(), limit: z.int() }),
  }),
})

export const ComplianceOverview = z.object({
  healthcare: z.boolean().describe('The workspace is a healthcare agency: each of its profiles is one'),
  profiles: z.array(
    z.object({
      profile_id: z.uuid(),
      name: z.string(),
      privacy_mode: z.enum(['standard', 'platform_safe', 'hipaa']),
      is_healthcare: z.boolean(),
      hipaa_agreement_signed_at: Instant.nullable(),
      export_destinations: z.int().describe('Ad platforms that conversions are sent to'),
      provisioned_by_app_id: z.uuid().nullable(),
      partner_apps: z.int().describe('Apps with a live authorization'),
      partner_apps_reading_people: z.int(),
    }),
  ),
})

export const getComplianceOverview = endpoint({
  name: 'getComplianceOverview',
  method: 'GET',
  path: '/workspaces/{workspaceId}/compliance-overview',
  summary: 'Privacy posture of each profile',
  description:
    'Per profile: whether it is a healthcare profile, its privacy settings, and which apps can reach people.',
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
  description: 'Turning it on takes person-level scopes from every partner grant of its profiles.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ healthcare: z.boolean() }),
  reply: ComplianceOverview,
  example: { body: { healthcare: true } },
})

export const ReportingCurrency = z.object({
  reporting_currency: z.string().nullable().describe('Null: each profile reports in its own'),
  profile_currencies: z.array(z.string()),
})

export const getReportingCurrency = endpoint({
  name: 'getReportingCurrency',
  method: 'GET',
  path: '/workspaces/{workspaceId}/reporting-currency',
  summary: 'Currency of reports across profiles',
  description: 'Used where figures of several profiles are added; each profile keeps its own currency.',
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
  description: "Reports across profiles are converted by the rate of each fact's own day.",
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
  description: 'Answers 410 `feature_retired` with `Deprecation`, `Sunset` and `Link` headers.',
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
  description: 'Answers 410 `feature_retired` with `Deprecation`, `Sunset` and `Link` headers.',
  tag: 'retired',
  access: { kind: 'public', writes: 'retired' },
  params: WorkspaceParams,
  reply: z.null(),
  retired: mcpInstead,
})
