import { z } from 'zod'
import { workspaceRoles } from '../../../platform/contract/access.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  Currency,
  ExpiresAt,
  Instant,
  Name,
  ProfileId,
  TimeZone,
  WorkspaceId,
  WorkspaceParams,
  ZoneName,
} from '../../../platform/contract/fields.ts'

export const Plan = z.enum(['starter', 'growth', 'agency']).describe('Plan of the workspace')

export const Workspace = z.object({
  id: z.uuid().describe('Id of the workspace'),
  name: z.string().describe('Name of the workspace'),
  timezone: ZoneName,
  plan: Plan,
  role: z
    .enum(workspaceRoles)
    .nullable()
    .describe('Null for a person with access to individual profiles only'),
  healthcare: z.boolean().describe('Profile with health data: stricter rules for people and exports'),
  created_at: CreatedAt,
  archived_at: Instant.nullable().describe('When it was archived; null if it is not'),
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

const Warning = z.object({
  code: z.string().describe('Code of the warning, for programs'),
  message: z.string().describe('What is probably wrong'),
})

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
    workspace_id: WorkspaceId,
    name: z.string().describe('Name of the workspace'),
    created: z.boolean().describe('Whether it is new'),
    checkout: z
      .object({
        id: z.uuid().describe('Id of the checkout session'),
        url: z.string().describe('Page on which the person pays'),
        expires_at: ExpiresAt,
      })
      .nullable()
      .describe('Checkout page for the plan; null if no payment is needed'),
    warnings: z.array(Warning).optional().describe('Probable mistakes in the request'),
  }),
  statuses: [201, 200],
  errors: ['insufficient_scope', 'invalid_state'],
  example: { body: { name: 'Acme', timezone: 'Europe/Madrid', plan: 'growth' } },
})

export const ArchiveCounts = z.object({
  profiles_archived: z.int().describe('Number of archived profiles'),
  memberships_removed: z.int().describe('Number of removed memberships'),
  invitations_revoked: z.int().describe('Number of revoked invitations'),
  api_keys_revoked: z.int().describe('Number of revoked API keys'),
  webhook_subscriptions_paused: z.int().describe('Number of paused webhook subscriptions'),
  retained_conversion_exports: z.int().describe('Number of sent conversions retained as evidence'),
  retained_signal_audit_rows: z.int().describe('Number of audit log rows retained as evidence'),
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
    workspace_id: WorkspaceId,
    archived: z.boolean().describe('Whether it is archived'),
    archived_at: Instant.describe('When it was archived'),
    counts: ArchiveCounts.describe('Count per kind'),
    profiles_purged: z.int().describe('Number of deleted profiles'),
  }),
  meta: { workspace_id: WorkspaceId },
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
    status: z
      .enum(['trialing', 'active', 'past_due', 'canceled'])
      .describe('Status of the subscription at the payment provider'),
    trial_ends_at: Instant.nullable().describe('When the trial ends; null without a trial'),
    current_period_start: Instant.describe('Start of the paid period'),
    current_period_end: Instant.nullable().describe('End of the paid period; null without a subscription'),
    cancels_at: Instant.nullable().describe('When the plan ends; null unless the payer cancelled it'),
    billed_by: z.enum(['payment_provider', 'store', 'none']).describe('Who bills the plan'),
    active_profiles: z
      .object({
        used: z.int().describe('Used amount of the limit'),
        limit: z.int().describe('Rows per page'),
      })
      .describe('Number of active profiles, and the limit of the plan'),
  }),
})

export const ComplianceOverview = z.object({
  healthcare: z
    .boolean()
    .describe('True if the workspace is a healthcare agency; all its profiles are then healthcare profiles'),
  profiles: z
    .array(
      z.object({
        profile_id: ProfileId,
        name: z.string().describe('Name of the profile'),
        privacy_mode: z
          .enum(['standard', 'platform_safe', 'hipaa'])
          .describe('What data about people may be sent to ad platforms'),
        is_healthcare: z
          .boolean()
          .describe('Profile with health data: stricter rules for people and exports'),
        hipaa_agreement_signed_at: Instant.nullable().describe(
          'When the agreement for health data was signed; null if it is not signed',
        ),
        export_destinations: z.int().describe('Number of enabled export destinations'),
        provisioned_by_app_id: z
          .uuid()
          .nullable()
          .describe('Id of the partner app that created the profile; null if a person did'),
        partner_apps: z.int().describe('Number of apps with a valid authorization'),
        partner_apps_reading_people: z.int().describe('Partner apps with access to people'),
      }),
    )
    .describe('The profiles of the workspace'),
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
  body: z.strictObject({
    healthcare: z.boolean().describe('Profile with health data: stricter rules for people and exports'),
  }),
  reply: ComplianceOverview,
  example: { body: { healthcare: true } },
})

export const ReportingCurrency = z.object({
  reporting_currency: z.string().nullable().describe('Null: each profile reports in its own currency'),
  profile_currencies: z.array(z.string()).describe('Currencies of the profiles'),
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
  body: z.strictObject({
    reporting_currency: Currency.nullable().describe(
      'ISO 4217 currency code of reports of the workspace; null: each profile’s own',
    ),
  }),
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
