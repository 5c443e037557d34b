import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../contract/fields.ts'
import { Pagination, pageQuery } from '../contract/page.ts'

const Actor = z.object({ kind: z.enum(['user', 'app', 'api_key', 'service']), id: z.uuid().nullable() })

export const listChanges = endpoint({
  name: 'listChanges',
  method: 'GET',
  path: '/workspaces/{workspaceId}/audit',
  summary: 'Recorded changes, newest first',
  description: 'Who changed what and when; changes of settings include the values before and after.',
  tag: 'audit',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  query: z.object({ ...pageQuery, profile_id: z.uuid().optional(), action: z.string().max(100).optional() }),
  reply: z.array(
    z.object({
      id: z.uuid(),
      action: z.string(),
      subject: z.string().nullable(),
      profile_id: z.uuid().nullable(),
      actor: Actor,
      detail: z.record(z.string(), z.unknown()),
      request_id: z.string().nullable(),
      occurred_at: Instant,
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
  query: z.object({ ...pageQuery, profile_id: z.uuid().optional() }),
  reply: z.array(
    z.object({
      id: z.uuid(),
      profile_id: z.uuid(),
      actor: Actor,
      route: z.string(),
      customer_ids: z.array(z.uuid()),
      row_count: z.int(),
      request_id: z.string().nullable(),
      occurred_at: Instant,
    }),
  ),
  extra: { pagination: Pagination },
})
