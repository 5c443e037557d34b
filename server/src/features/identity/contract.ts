import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { Instant } from '../../contract/fields.ts'
import { Pagination, pageQuery } from '../../contract/page.ts'

const tag = 'identity'
const reads = { kind: 'profile', scopes: ['identity:read'] } as const
const writes = { kind: 'profile', scopes: ['identity:write'] } as const
const byId = z.object({ id: z.uuid() })
const text = z.string().nullable()
const Kind = z.enum(identifierKinds)

export const proposalStatuses = ['open', 'snoozed', 'merged', 'dismissed'] as const
const Status = z.enum(proposalStatuses)

/** Who a customer is, to whom may know it. */
const Side = z.object({
  customer_id: z.uuid(),
  identifier_kinds: z.array(Kind).describe('Strongest first; one entry per identifier'),
  contact: z.object({ first_name: text, last_name: text, email: text, phone: text }).nullable(),
  contact_withheld: z.boolean(),
})

export const MergeProposal = z.object({
  id: z.uuid(),
  status: Status,
  score: z.int().describe('0 to 100: how much speaks for one person'),
  evidence: z.array(z.object({ kind: Kind })).describe('Identifiers that both sides were seen with'),
  first: Side,
  second: Side,
  snoozed_until: Instant.nullable(),
  decided_at: Instant.nullable(),
  audit_log_id: z.uuid().nullable().describe('Of the merge, to undo it by'),
  created_at: Instant,
})

const Moved = z.object({
  identifiers: z.int(),
  touches: z.int(),
  conversions: z.int(),
  payments: z.int(),
})
export const MergePreview = z.object({
  from: Side,
  into: Side,
  moves: Moved.describe('What goes over from one customer to the other'),
})

export const scanMergeProposals = endpoint({
  name: 'scanMergeProposals',
  method: 'POST',
  path: '/identity/merge-proposals/scan',
  summary: 'Look again for pairs of customers that may be one person',
  description:
    'Proposes customers who were seen with the same weaker identifier. A pair that was decided on is not proposed again.',
  tag,
  access: writes,
  slow: true,
  body: z.strictObject({}),
  reply: z.object({
    proposed: z.int(),
    truncated: z.boolean().describe('True where more pairs were found than one scan proposes'),
  }),
})

export const listMergeProposals = endpoint({
  name: 'listMergeProposals',
  method: 'GET',
  path: '/identity/merge-proposals',
  summary: 'Pairs of customers that may be one person, the newest first',
  description:
    'An unreadable cursor starts from the beginning. status_counts describes the whole queue, whatever the filter.',
  tag,
  access: reads,
  query: z.object({ status: Status.optional(), ...pageQuery }),
  reply: z.array(MergeProposal),
  beside: {
    pagination: Pagination,
    status_counts: z.object({ open: z.int(), snoozed: z.int(), merged: z.int(), dismissed: z.int() }),
  },
})

export const previewMergeProposal = endpoint({
  name: 'previewMergeProposal',
  method: 'GET',
  path: '/identity/merge-proposals/{id}/preview',
  summary: 'What the merge of a proposal would move',
  tag,
  access: reads,
  params: byId,
  reply: MergePreview,
  errors: ['not_found', 'invalid_state'],
})

export const decideMergeProposal = endpoint({
  name: 'decideMergeProposal',
  method: 'POST',
  path: '/identity/merge-proposals/{id}/decide',
  summary: 'Merge, dismiss or snooze a proposal',
  description:
    'The same decision again changes nothing. A dismissed proposal stays dismissed; a merge is undone by its audit_log_id.',
  tag,
  access: writes,
  params: byId,
  body: z.strictObject({
    decision: z.enum(['merge', 'dismiss', 'snooze']),
    into_customer_id: z.uuid().optional().describe('Who stays; the first side unless told'),
    snooze_days: z.int().min(1).max(365).default(30),
  }),
  reply: MergeProposal,
  errors: ['not_found', 'invalid_state', 'customer_not_in_profile'],
  example: { body: { decision: 'dismiss' } },
})

export const previewMerge = endpoint({
  name: 'previewMerge',
  method: 'GET',
  path: '/identity/merge-preview',
  summary: 'What merging one customer into another would move',
  tag,
  access: reads,
  query: z.object({ from_customer_id: z.uuid(), into_customer_id: z.uuid() }),
  reply: MergePreview,
  errors: ['customer_not_in_profile'],
  example: {
    query: {
      from_customer_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
      into_customer_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c112',
    },
  },
})

export const listMerges = endpoint({
  name: 'listMerges',
  method: 'GET',
  path: '/identity/merge-history',
  summary: 'Past merges into a customer, the newest first',
  tag,
  access: reads,
  query: z.object({ customer_id: z.uuid(), ...pageQuery }),
  reply: z.array(
    z.object({
      audit_log_id: z.uuid(),
      from_customer_id: z.uuid(),
      into_customer_id: z.uuid(),
      merged_at: Instant,
      merged_by: z.uuid().nullable(),
      undone_at: Instant.nullable(),
      undone_by: z.uuid().nullable(),
    }),
  ),
  beside: { pagination: Pagination },
  errors: ['customer_not_in_profile'],
})

export const undoMerge = endpoint({
  name: 'undoMerge',
  method: 'POST',
  path: '/identity/merges/{auditLogId}/undo',
  summary: 'Undo a merge: both customers are again who they would be without it',
  tag,
  access: writes,
  params: z.object({ auditLogId: z.uuid() }),
  body: z.strictObject({}),
  reply: z.object({
    audit_log_id: z.uuid(),
    from_customer_id: z.uuid(),
    into_customer_id: z.uuid(),
    undone_at: Instant,
  }),
  errors: ['not_found', 'invalid_state'],
})
