import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, Instant } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'identity'
const reads = { kind: 'profile', scopes: ['identity:read'] } as const
const writes = { kind: 'profile', scopes: ['identity:write'] } as const
const byId = z.object({ id: z.uuid() })
const text = z.string().nullable()
const Kind = z.enum(identifierKinds)

export const proposalStatuses = ['open', 'snoozed', 'merged', 'dismissed'] as const
const Status = z.enum(proposalStatuses)
export const contradictionKinds = ['name', 'email'] as const

/** One customer of a pair. `contact` is null for callers who may not read people. */
export const MergeSide = z.object({
  customer_id: z.uuid(),
  identifier_kinds: z.array(Kind).describe('Strongest first; one entry per identifier'),
  contact: Contact.nullable(),
  contact_withheld: z.boolean(),
})

export const MergeProposal = z.object({
  id: z.uuid(),
  status: Status,
  score: z.int().describe('Likelihood that both are the same person, 1 to 99'),
  evidence: z.array(z.object({ kind: Kind })).describe('Kinds of identifiers that both sides share'),
  contradictions: z
    .array(z.enum(contradictionKinds))
    .describe('Fields in which both sides have different values; each lowers the score'),
  first: MergeSide.describe('In a merged proposal, both sides are shown as they were before the merge'),
  second: MergeSide,
  snoozed_until: Instant.nullable(),
  decided_at: Instant.nullable(),
  audit_log_id: z
    .uuid()
    .nullable()
    .describe('Id of the merge; pass it to `POST /identity/merges/{auditLogId}/undo`'),
  created_at: Instant,
})

const Moved = z.object({
  identifiers: z.int(),
  touches: z.int(),
  conversions: z.int(),
  payments: z.int(),
})
export const MergePreview = z.object({
  from: MergeSide,
  into: MergeSide,
  moves: Moved.describe('Records that move from `from` to `into`'),
})

export const scanMergeProposals = endpoint({
  name: 'scanMergeProposals',
  method: 'POST',
  path: '/identity/merge-proposals/scan',
  summary: 'Find pairs of customers that may be the same person',
  description:
    'Proposes customers who share a weaker identifier. An identifier that more than three customers share is ignored. Open proposals are scored again, and withdrawn if the customers no longer share an identifier. A pair with a decision is not proposed again.',
  tag,
  access: writes,
  slow: true,
  body: z.strictObject({}),
  reply: z.object({
    proposed: z.int(),
    truncated: z.boolean().describe('True if there are more pairs than one scan proposes'),
  }),
})

export const listMergeProposals = endpoint({
  name: 'listMergeProposals',
  method: 'GET',
  path: '/identity/merge-proposals',
  summary: 'List pairs of customers that may be the same person, newest first',
  description:
    'An invalid cursor returns the first page. `status_counts` covers the whole queue, regardless of the filter.',
  tag,
  personLevel: 'withheld',
  access: reads,
  query: z.object({ status: Status.optional(), ...pageQuery }),
  reply: z.array(MergeProposal),
  extra: {
    pagination: Pagination,
    status_counts: z.object({ open: z.int(), snoozed: z.int(), merged: z.int(), dismissed: z.int() }),
  },
})

export const previewMergeProposal = endpoint({
  name: 'previewMergeProposal',
  method: 'GET',
  path: '/identity/merge-proposals/{id}/preview',
  summary: 'Preview the merge of a proposal: the records that would move',
  description: 'Counts only; nothing is changed.',
  tag,
  personLevel: 'withheld',
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
    'Repeating a decision changes nothing. A dismissed proposal stays dismissed. A merge can be undone with its `audit_log_id`.',
  tag,
  personLevel: 'withheld',
  access: writes,
  params: byId,
  body: z.strictObject({
    decision: z.enum(['merge', 'dismiss', 'snooze']),
    into_customer_id: z.uuid().optional().describe('The customer to keep; default: the first side'),
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
  summary: 'Preview merging one customer into another: the records that would move',
  description: 'Counts only; nothing is changed.',
  tag,
  personLevel: 'withheld',
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
  summary: 'List past merges into a customer, newest first',
  description: 'Each can be undone with its `audit_log_id`.',
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
  extra: { pagination: Pagination },
  errors: ['customer_not_in_profile'],
})

export const undoMerge = endpoint({
  name: 'undoMerge',
  method: 'POST',
  path: '/identity/merges/{auditLogId}/undo',
  summary: 'Undo a merge and separate the customers again',
  description: 'Credit of both customers is recomputed before the response.',
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

const LINK_EXAMPLE = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111.0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c112'
const LinkId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
export const LinkStatus = z.enum(['pending', 'accepted', 'rejected'])

const End = z.object({ identifier_id: z.uuid(), kind: Kind, customer_id: z.uuid() })

export const IdentityLink = z.object({
  id: z.string().describe('Ids of the two identifiers, the weaker one first'),
  status: LinkStatus,
  weaker: End,
  stronger: End,
  first_observed_at: Instant,
  last_observed_at: Instant,
  events: z.int().describe('Number of events that contain both'),
  decided_at: Instant.nullable(),
})

export const listIdentityLinks = endpoint({
  name: 'listIdentityLinks',
  method: 'GET',
  path: '/identity/links',
  summary: 'List links between identifiers that appeared in the same event',
  description: 'Includes the number of events that contain both and the decision about the link, if any.',
  tag,
  access: reads,
  slow: true,
  query: z.object({ customer_id: z.uuid().optional(), status: LinkStatus.optional(), ...pageQuery }),
  reply: z.array(IdentityLink),
  extra: { pagination: Pagination },
  errors: ['customer_not_in_profile'],
})

export const decideIdentityLink = endpoint({
  name: 'decideIdentityLink',
  method: 'POST',
  path: '/identity/links/{id}/decide',
  summary: 'Accept or reject a link between identifiers',
  description:
    'A rejected link no longer connects customers. Customers and their credit are recomputed before the response.',
  tag,
  access: writes,
  params: z.object({ id: LinkId }),
  body: z.strictObject({ decision: z.enum(['accept', 'reject']) }),
  reply: IdentityLink,
  errors: ['not_found'],
  example: { params: { id: LINK_EXAMPLE }, body: { decision: 'reject' } },
})

const Country = z
  .string()
  .regex(/^[A-Za-z]{2}$/)
  .optional()
  .describe('ISO 3166 country of numbers without a country code; if omitted, no phone is repaired')

const Repaired = z.object({
  customer_id: z.uuid(),
  backfills: z.array(
    z.object({
      kind: z.enum(['email', 'phone']),
      value: text
        .describe('Repaired value; null for callers who may not read people')
        .meta({ 'x-personal': true }),
      status: z
        .enum(['repairable', 'taken'])
        .describe('`taken`: another customer has this value; only a merge can resolve it'),
    }),
  ),
})

export const scanIdentityRepairs = endpoint({
  name: 'scanIdentityRepairs',
  method: 'GET',
  path: '/identity/repair-scan',
  summary: 'List customers whose email or phone can be repaired, and count duplicates',
  description: 'Changes nothing; `POST /identity/repair` applies the repairs.',
  tag,
  personLevel: 'withheld',
  access: reads,
  slow: true,
  query: z.object({
    country: Country,
    limit: pageQuery.limit,
    offset: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .optional()
      .transform((value) => value ?? 0),
  }),
  reply: z.object({
    customers: z.int().describe('Customers with more than an anonymous id'),
    missing_email_count: z.int(),
    missing_phone_count: z.int(),
    duplicate_email_groups: z.int(),
    duplicate_phone_groups: z.int(),
    auto_repairable_count: z.int().describe('Values that `POST /identity/repair` can write'),
    auto_merge_count: z.int().describe('Informational; duplicates are merged through merge proposals'),
    profiles: z.array(Repaired),
  }),
  extra: { pagination: z.object({ has_next: z.boolean(), offset: z.int(), limit: z.int() }) },
})

export const repairIdentity = endpoint({
  name: 'repairIdentity',
  method: 'POST',
  path: '/identity/repair',
  summary: 'Preview or apply the repairs of the repair scan',
  description:
    'Returns the repairs that were applied or, without `apply`, that would be applied. Never merges customers.',
  tag,
  personLevel: 'withheld',
  access: writes,
  slow: true,
  body: z.strictObject({
    apply: z.boolean().default(false),
    country: Country,
    customer_ids: z.array(z.uuid()).min(1).max(500).optional().describe('Customers to repair; default: all'),
  }),
  reply: z.object({ applied: z.boolean(), written: z.int(), profiles: z.array(Repaired) }),
})
