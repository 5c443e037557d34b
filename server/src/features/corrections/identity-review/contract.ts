import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, CreatedAt, CustomerId, Instant } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'identity'
const reads = { kind: 'profile', scopes: ['identity:read'] } as const
const writes = { kind: 'profile', scopes: ['identity:write'] } as const
const byId = z.object({ id: z.uuid().describe('Id of the merge proposal') })
const text = z.string().nullable()
const Kind = z.enum(identifierKinds)

export const proposalStatuses = ['open', 'snoozed', 'merged', 'dismissed'] as const
const Status = z.enum(proposalStatuses)
export const contradictionKinds = ['name', 'email'] as const

/** One customer of a pair. `contact` is null for callers who may not read people. */
export const MergeSide = z.object({
  customer_id: CustomerId,
  identifier_kinds: z.array(Kind).describe('Strongest first; one entry per identifier'),
  contact: Contact.nullable().describe('Name, email and phone; null if the caller may not see people'),
  contact_withheld: z.boolean().describe('True if the caller may not see people'),
})

export const MergeProposal = z.object({
  id: z.uuid().describe('Id of the merge proposal'),
  status: Status.describe('What was decided about the proposal'),
  score: z.int().describe('Likelihood that both are the same person, 1 to 99'),
  evidence: z
    .array(z.object({ kind: Kind.describe('Identifier type, for example email') }))
    .describe('Kinds of identifiers that both sides share'),
  contradictions: z
    .array(z.enum(contradictionKinds))
    .describe('Fields in which both sides have different values; each lowers the score'),
  first: MergeSide.describe('In a merged proposal, both sides are shown as they were before the merge'),
  second: MergeSide.describe('The other customer'),
  snoozed_until: Instant.nullable().describe('The proposal is hidden until then; null if it is not snoozed'),
  decided_at: Instant.nullable().describe('When a person decided; null until then'),
  audit_log_id: z
    .uuid()
    .nullable()
    .describe(
      'Id of the merge; pass it to `POST /identity/merges/{auditLogId}/undo`. Null unless it is merged',
    ),
  created_at: CreatedAt,
})

const Moved = z.object({
  identifiers: z.int().describe('Number of identifiers concerned'),
  touches: z.int().describe('Number of visits and clicks concerned'),
  conversions: z.int().describe('Number of conversions concerned'),
  payments: z.int().describe('Number of payments concerned'),
})
export const MergePreview = z.object({
  from: MergeSide.describe('The customer that is merged, before the merge'),
  into: MergeSide.describe('The customer that remains, before the merge'),
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
    proposed: z.int().describe('Number of new proposals'),
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
  query: z.object({ status: Status.optional().describe('Only proposals with this status'), ...pageQuery }),
  reply: z.array(MergeProposal),
  extra: {
    pagination: Pagination,
    status_counts: z
      .object({
        open: z.int().describe('Number of open proposals'),
        snoozed: z.int().describe('Number of snoozed proposals'),
        merged: z.int().describe('Number of merged proposals'),
        dismissed: z.int().describe('Number of dismissed proposals'),
      })
      .describe('Proposals by status'),
  },
})

export const previewMergeProposal = endpoint({
  name: 'previewMergeProposal',
  method: 'GET',
  path: '/identity/merge-proposals/{id}/preview',
  summary: 'Preview the merge of a proposal: the records that would move',
  description: 'Counts only; nothing is changed.',
  tag,
  noPage: 'shown_elsewhere',
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
    decision: z.enum(['merge', 'dismiss', 'snooze']).describe('Decision of the person'),
    into_customer_id: z.uuid().optional().describe('The customer to keep; default: the first side'),
    snooze_days: z.int().min(1).max(365).default(30).describe('Days until the proposal is shown again'),
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
  query: z.object({
    from_customer_id: z.uuid().describe('The customer that is merged'),
    into_customer_id: z.uuid().describe('The customer that remains after the merge'),
  }),
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
  query: z.object({ customer_id: CustomerId, ...pageQuery }),
  reply: z.array(
    z.object({
      audit_log_id: z.uuid().describe('Id of the merge'),
      from_customer_id: z.uuid().describe('The customer that is merged'),
      into_customer_id: z.uuid().describe('The customer that remains after the merge'),
      merged_at: Instant.describe('When the customers were merged'),
      merged_by: z.uuid().nullable().describe('Id of the user who merged them; null for an API key'),
      undone_at: Instant.nullable().describe('When it was undone; null if it was not'),
      undone_by: z.uuid().nullable().describe('Id of the user who undid it; null for an API key'),
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
  params: z.object({ auditLogId: z.uuid().describe('Id of the entry in the audit log') }),
  body: z.strictObject({}),
  reply: z.object({
    audit_log_id: z.uuid().describe('Id of the merge'),
    from_customer_id: z.uuid().describe('The customer that is merged'),
    into_customer_id: z.uuid().describe('The customer that remains after the merge'),
    undone_at: Instant.describe('When it was undone'),
  }),
  errors: ['not_found', 'invalid_state'],
})

const LINK_EXAMPLE = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111.0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c112'
const LinkId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
export const LinkStatus = z.enum(['pending', 'accepted', 'rejected'])

const End = z.object({
  identifier_id: z.uuid().describe('Id of the identifier'),
  kind: Kind.describe('Identifier type, for example email'),
  customer_id: CustomerId,
})

export const IdentityLink = z.object({
  id: z.string().describe('Ids of the two identifiers, the weaker one first'),
  status: LinkStatus.describe('Whether the link joins the customers'),
  weaker: End.describe('The identifier that was linked'),
  stronger: End.describe('The identifier with higher precedence'),
  first_observed_at: Instant.describe('When it was first seen'),
  last_observed_at: Instant.describe('When it was last seen'),
  events: z.int().describe('Number of events that contain both'),
  decided_at: Instant.nullable().describe('When a person decided; null until then'),
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
  query: z.object({
    customer_id: CustomerId.optional(),
    status: LinkStatus.optional().describe('Only links with this status'),
    ...pageQuery,
  }),
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
  params: z.object({ id: LinkId.describe('Id of the identifier link') }),
  body: z.strictObject({ decision: z.enum(['accept', 'reject']).describe('Decision of the person') }),
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
  customer_id: CustomerId,
  backfills: z
    .array(
      z.object({
        kind: z.enum(['email', 'phone']).describe('Identifier type that was filled in'),
        value: text
          .describe('Repaired value; null for callers who may not read people')
          .meta({ 'x-personal': true }),
        status: z
          .enum(['repairable', 'taken'])
          .describe('`taken`: another customer has this value; only a merge can resolve it'),
      }),
    )
    .describe('Index backfills in progress'),
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
    limit: pageQuery.limit.describe('Rows per page'),
    offset: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .optional()
      .transform((value) => value ?? 0)
      .describe('Rows to skip'),
  }),
  reply: z.object({
    customers: z.int().describe('Customers with more than an anonymous id'),
    missing_email_count: z.int().describe('Customers without an email address'),
    missing_phone_count: z.int().describe('Customers without a phone number'),
    duplicate_email_groups: z.int().describe('Groups of customers that share an email address'),
    duplicate_phone_groups: z.int().describe('Groups of customers that share a phone number'),
    auto_repairable_count: z.int().describe('Values that `POST /identity/repair` can write'),
    auto_merge_count: z.int().describe('Informational; duplicates are merged through merge proposals'),
    profiles: z.array(Repaired).describe('Number of customers with a repairable identifier'),
  }),
  extra: {
    pagination: z
      .object({
        has_next: z.boolean().describe('Whether there is another page'),
        offset: z.int().describe('Rows to skip'),
        limit: z.int().describe('Rows per page'),
      })
      .describe('Whether there is another page, and its cursor'),
  },
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
    apply: z.boolean().default(false).describe('True applies the repair; false only counts'),
    country: Country,
    customer_ids: z.array(z.uuid()).min(1).max(500).optional().describe('Customers to repair; default: all'),
  }),
  reply: z.object({
    applied: z.boolean().describe('Whether the repair was applied'),
    written: z.int().describe('Number of rows written'),
    profiles: z.array(Repaired).describe('Number of customers with a repairable identifier'),
  }),
})
