import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'

export const createDemoProfile = endpoint({
  name: 'createDemoProfile',
  method: 'POST',
  path: '/profiles/demo',
  summary: 'Create and seed the workspace’s demo profile',
  description:
    'The sandbox’s business with 120 days of two ad platforms, a CRM, a store and payments, read through the real connectors and pipeline. Seeding goes on after the answer; the connections’ sync tells how far it is. A workspace has at most one.',
  tag: 'profiles',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  body: z.strictObject({ workspace_id: z.uuid() }),
  reply: z.object({ profile_id: z.uuid(), workspace_id: z.uuid(), created: z.boolean() }),
  statuses: [201, 200],
  errors: ['not_found', 'forbidden', 'insufficient_scope', 'profile_limit_reached', 'not_implemented'],
})

export const deleteDemoProfile = endpoint({
  name: 'deleteDemoProfile',
  method: 'DELETE',
  path: '/profiles/demo',
  summary: 'Delete the workspace’s demo profile',
  description: 'With all its data. Refused while something real depends on it.',
  tag: 'profiles',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  query: z.object({ workspace_id: z.uuid() }),
  slow: true,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'forbidden', 'insufficient_scope', 'demo_purge_blocked'],
})
