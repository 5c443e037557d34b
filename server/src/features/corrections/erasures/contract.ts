import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'

const tag = 'erasures'

const named = {
  customer_id: z.uuid().optional(),
  email: z.string().min(3).max(320).optional(),
  phone: z.string().min(3).max(64).optional(),
  external_id: z.string().min(1).max(320).optional(),
  anonymous_id: z.string().min(1).max(320).optional(),
}
const isOne = (body: Record<string, unknown>) =>
  Object.keys(named).filter((name) => body[name] !== undefined).length === 1
const ONE = 'give one of customer_id, email, phone, external_id and anonymous_id'

const Count = z.int().describe('Anonymised records; money and counts of reports stay')

export const ErasureReceipt = z.object({
  erasure_id: z.uuid(),
  profile_id: z.uuid(),
  status: z.enum(['pending', 'completed']),
  requested_at: Instant,
  completed_at: Instant.nullable(),
  counts: z.object({
    identifiers: Count,
    events: Count,
    touches: Count,
    conversions: Count,
    payments: Count,
  }),
})

const description =
  'From this answer on no route returns who the person was; the rest continues in the background until the receipt is completed. What was sent of the person up to now stays as anonymous facts, so that money and counts add up as before; what is sent later is of somebody new. The same request again answers its receipt.'

export const eraseCustomer = endpoint({
  name: 'eraseCustomer',
  method: 'POST',
  path: '/customers/erasures',
  summary: "Erase a customer's personal data, by a partner app's key",
  description,
  tag,
  access: { kind: 'profile', scopes: ['identity:write'] },
  entitlement: 'none',
  body: z.strictObject(named).refine(isOne, ONE),
  reply: ErasureReceipt,
  statuses: [202, 200],
  errors: ['api_key_required', 'customer_not_found'],
  example: { body: { email: 'ana@example.com' } },
})

export const getErasure = endpoint({
  name: 'getErasure',
  mcp: { description: 'Status and counts of a privacy erasure by its receipt id.' },
  method: 'GET',
  path: '/customers/erasures/{erasure_id}',
  summary: 'The receipt of an erasure',
  description: 'Counts of anonymised records.',
  tag,
  access: { kind: 'profile', scopes: ['identity:read'] },
  params: z.object({ erasure_id: z.uuid() }),
  reply: ErasureReceipt,
  errors: ['api_key_required', 'erasure_not_found'],
})

export const eraseWorkspaceCustomer = endpoint({
  name: 'eraseWorkspaceCustomer',
  method: 'POST',
  path: '/workspaces/{workspaceId}/customer-erasures',
  summary: "Erase a customer's personal data, as owner or admin",
  description,
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({ profile_id: z.uuid(), ...named }).refine(isOne, ONE),
  reply: ErasureReceipt,
  statuses: [202, 200],
  errors: ['not_found', 'customer_not_found'],
  example: { body: { profile_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111', email: 'ana@example.com' } },
})

export const getWorkspaceErasure = endpoint({
  name: 'getWorkspaceErasure',
  method: 'GET',
  path: '/workspaces/{workspaceId}/customer-erasures/{erasure_id}',
  summary: 'The receipt of an erasure in one of the profiles of the workspace',
  description: 'Counts of anonymised records.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams.extend({ erasure_id: z.uuid() }),
  reply: ErasureReceipt,
  errors: ['erasure_not_found'],
})
