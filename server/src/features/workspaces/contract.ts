import { z } from 'zod'
import { workspaceRoles } from '../../contract/access.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { Instant, Name, TimeZone, WorkspaceParams } from '../../contract/fields.ts'

export const Plan = z.enum(['starter', 'growth', 'agency'])

export const Workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  timezone: z.string(),
  plan: Plan,
  role: z.enum(workspaceRoles).nullable().describe('Null for a person who reaches single profiles only'),
  healthcare: z.boolean(),
  created_at: Instant,
  archived_at: Instant.nullable(),
})

export const listWorkspaces = endpoint({
  name: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  summary: 'Workspaces of the signed-in person',
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
  }),
  reply: z.object({
    workspace_id: z.uuid(),
    name: z.string(),
    created: z.boolean(),
    checkout: z.object({ id: z.uuid(), url: z.string(), expires_at: Instant }).nullable(),
    warnings: z.array(Warning).optional(),
  }),
  statuses: [201, 200],
  errors: ['insufficient_scope'],
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
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    plan: Plan,
    status: z.enum(['trialing', 'active', 'past_due', 'canceled']),
    trial_ends_at: Instant.nullable(),
    current_period_start: Instant,
    current_period_end: Instant.nullable(),
    active_profiles: z.object({ used: z.int(), limit: z.int() }),
  }),
})
