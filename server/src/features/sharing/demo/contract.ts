import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ProfileId, WorkspaceId } from '../../../platform/contract/fields.ts'

export const createDemoProfile = endpoint({
  name: 'createDemoProfile',
  method: 'POST',
  path: '/profiles/demo',
  summary: 'Create the workspace’s demo profile',
  description:
    'The sandbox’s business with 120 days of data from two ad platforms, a CRM, a store and payments, read through the real connectors and pipeline. Seeding continues after the response; the sync state of the connections shows the progress. At most one per workspace.',
  tag: 'profiles',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  body: z.strictObject({ workspace_id: WorkspaceId }),
  reply: z.object({
    profile_id: ProfileId,
    workspace_id: WorkspaceId,
    created: z.boolean().describe('Whether it is new'),
  }),
  statuses: [201, 200],
  errors: ['not_found', 'forbidden', 'insufficient_scope', 'profile_limit_reached', 'not_implemented'],
})

export const deleteDemoProfile = endpoint({
  name: 'deleteDemoProfile',
  method: 'DELETE',
  path: '/profiles/demo',
  summary: 'Delete the workspace’s demo profile',
  description:
    'Archives the profile and deletes its data. If exports or signal-audit rows have to be kept as evidence, the response is `demo_purge_blocked`; the profile is archived all the same.',
  tag: 'profiles',
  access: { kind: 'user', scopes: ['workspaces:write'] },
  query: z.object({ workspace_id: WorkspaceId }),
  slow: true,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'forbidden', 'insufficient_scope', 'demo_purge_blocked'],
})
