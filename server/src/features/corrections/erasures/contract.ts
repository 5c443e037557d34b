import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CustomerId, Instant, ProfileId, WorkspaceParams } from '../../../platform/contract/fields.ts'

const tag = 'erasures'

export const selectorFields = {
  customer_id: CustomerId.optional(),
  email: z.string().min(3).max(320).optional().describe('Email address of the customer'),
  phone: z.string().min(3).max(64).optional().describe('Phone number with country code'),
  external_id: z.string().min(1).max(320).optional().describe('The sender’s own id of the customer'),
  anonymous_id: z.string().min(1).max(320).optional().describe('The visitor’s id in the browser or app'),
}
export const hasOneSelector = (body: Record<string, unknown>) =>
  Object.keys(selectorFields).filter((name) => body[name] !== undefined).length === 1
export const ONE_SELECTOR = 'send exactly one of customer_id, email, phone, external_id and anonymous_id'

const Count = z.int().describe('Number of anonymised records; report totals do not change')

export const ErasureReceipt = z.object({
  erasure_id: z.uuid().describe('Id of the erasure'),
  profile_id: ProfileId,
  status: z.enum(['pending', 'completed']).describe('How far the erasure is'),
  requested_at: Instant.describe('When it was requested'),
  completed_at: Instant.nullable().describe('When it ended; null until then'),
  counts: z
    .object({
      identifiers: Count,
      events: Count,
      touches: Count,
      conversions: Count,
      payments: Count,
    })
    .describe('Count per kind'),
})

const description =
  "No route returns the person's identity after this response. The erasure continues in the background until the receipt is completed. Events received before the request stay as anonymous facts, so report totals do not change. Events received later belong to a new customer. Repeating the request returns the existing receipt."

export const eraseCustomer = endpoint({
  name: 'eraseCustomer',
  fresh: true,
  method: 'POST',
  path: '/customers/erasures',
  summary: "Erase a customer's personal data, with a partner app's API key",
  description,
  tag,
  noPage: 'partner_apps',
  access: { kind: 'profile', scopes: ['identity:write'] },
  entitlement: 'rights',
  body: z.strictObject(selectorFields).refine(hasOneSelector, ONE_SELECTOR),
  reply: ErasureReceipt,
  statuses: [202, 200],
  errors: ['api_key_required', 'customer_not_found'],
  example: { body: { email: 'ana@example.com' } },
})

export const getErasure = endpoint({
  name: 'getErasure',
  mcp: { description: 'Status and counts of a customer erasure, by receipt id.' },
  method: 'GET',
  path: '/customers/erasures/{erasure_id}',
  summary: 'Get the receipt of an erasure',
  description: 'Contains the status and the number of anonymised records.',
  tag,
  noPage: 'partner_apps',
  access: { kind: 'profile', scopes: ['identity:read'] },
  params: z.object({ erasure_id: z.uuid().describe('Id of the erasure') }),
  reply: ErasureReceipt,
  errors: ['api_key_required', 'erasure_not_found'],
})

export const eraseWorkspaceCustomer = endpoint({
  name: 'eraseWorkspaceCustomer',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/customer-erasures',
  summary: "Erase a customer's personal data, as owner or admin",
  description,
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ profile_id: ProfileId, ...selectorFields }).refine(hasOneSelector, ONE_SELECTOR),
  reply: ErasureReceipt,
  statuses: [202, 200],
  errors: ['not_found', 'customer_not_found'],
  example: { body: { profile_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111', email: 'ana@example.com' } },
})

export const getWorkspaceErasure = endpoint({
  name: 'getWorkspaceErasure',
  method: 'GET',
  path: '/workspaces/{workspaceId}/customer-erasures/{erasure_id}',
  summary: "Get the receipt of an erasure in one of the workspace's profiles",
  description: 'Contains the status and the number of anonymised records.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ erasure_id: z.uuid().describe('Id of the erasure') }),
  reply: ErasureReceipt,
  errors: ['erasure_not_found'],
})
