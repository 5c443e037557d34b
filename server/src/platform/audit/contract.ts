import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { OccurredAt, ProfileId, WorkspaceParams } from '../contract/fields.ts'
import { Pagination, pageQuery } from '../contract/page.ts'

const Actor = z.object({
  kind: z
    .enum(['user', 'app', 'api_key', 'service'])
    .describe('Who acted: a person, an API key, an app or the service'),
  id: z.uuid().nullable().describe('Id of the person, API key or app; null for the service'),
})

export const listChanges = endpoint({
  name: 'listChanges',
  method: 'GET',
  path: '/workspaces/{workspaceId}/audit',
  summary: 'Recorded changes, newest first',
  description: 'Who changed what and when; changes of settings include the values before and after.',
  tag: 'audit',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  query: z.object({
    ...pageQuery,
    profile_id: ProfileId.optional(),
    action: z.string().max(100).optional().describe('Only entries of this action'),
  }),
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the entry'),
      action: z.string().describe('What was done, for example `goal.created`'),
      subject: z.string().nullable().describe('Name of what was changed; null if it has none'),
      profile_id: z.uuid().nullable().describe('Id of the profile; null if it belongs to none'),
      actor: Actor.describe('Who did it'),
      detail: z
        .record(z.string(), z.unknown())
        .describe('What was changed; for settings, the values before and after'),
      request_id: z
        .string()
        .nullable()
        .describe('Id of the request, also in the header X-Request-Id; null if no request caused it'),
      occurred_at: OccurredAt,
    }),
  ),
  extra: { pagination: Pagination },
})

export const listPersonAccess = endpoint({
  name: 'listPersonAccess',
  method: 'GET',
  path: '/workspaces/{workspaceId}/pii-access-log',
  summary: 'Views of personal data, newest first',
  description: 'Every request that returned personal data, with the credential that made it.',
  tag: 'audit',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  query: z.object({ ...pageQuery, profile_id: ProfileId.optional() }),
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the entry'),
      profile_id: ProfileId,
      actor: Actor.describe('Who did it'),
      route: z.string().describe('Operation whose response showed the people'),
      customer_ids: z.array(z.uuid()).describe('Ids of customers'),
      row_count: z.int().describe('Number of people shown'),
      request_id: z
        .string()
        .nullable()
        .describe('Id of the request, also in the header X-Request-Id; null if no request caused it'),
      occurred_at: OccurredAt,
    }),
  ),
  extra: { pagination: Pagination },
})
