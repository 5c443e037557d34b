import { identifierKinds } from '@whence/engine'
import type { ProfileContext } from '../../../context.ts'
import { bind, pageRoute, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import type { LinkRow } from './link-queries.ts'
import * as links from './links.ts'
import * as operations from './operations.ts'
import type { MergeRow, ProposalRow } from './queries.ts'
import * as repair from './repair.ts'
import { describeCustomers, describeMergedSides } from './sides.ts'

const toMerge = ({ id, ...row }: MergeRow) => ({ audit_log_id: id, ...row })

export const identityRoutes: readonly Route[] = [
  ...bind(contract, { scanMergeProposals: operations.scanMergeProposals }),
  route(contract.listMergeProposals, async (context, { query }) => {
    const { rows, pagination, counts } = await operations.listMergeProposals(context, query)
    return {
      data: await toProposals(context, rows),
      extra: { pagination, status_counts: counts },
    }
  }),
  ...bind(contract, { previewMergeProposal: operations.previewMergeProposal }),
  route(contract.decideMergeProposal, async (context, { params, body }) => {
    const row = await operations.decideMergeProposal(context, params.id, body)
    const [data] = await toProposals(context, [row])
    return { data: data! }
  }),
  route(
    contract.previewMerge,
    async (context, { query }) => ({ data: await operations.previewMerge(context, query) }),
    ({ query }) => operations.checkPair(query),
  ),
  pageRoute(contract.listMerges, operations.listMerges, toMerge),
  ...bind(contract, { undoMerge: operations.undoMerge }),
  pageRoute(contract.listIdentityLinks, links.listIdentityLinks, toLink, ({ cursor }) =>
    links.readLinkCursor(cursor),
  ),
  route(contract.decideIdentityLink, async (context, { params, body }) => ({
    data: toLink(await links.decideIdentityLink(context, params.id, body.decision)),
  })),
  route(contract.scanIdentityRepairs, async (context, { query }) => {
    const { data, pagination } = await repair.scanIdentityRepairs(context, query)
    return { data, extra: { pagination } }
  }),
  ...bind(contract, { repairIdentity: repair.repairIdentity }),
]

function toLink(row: LinkRow) {
  return {
    id: links.toLinkId(row),
    status: row.status,
    weaker: {
      identifier_id: row.weak_id,
      kind: identifierKinds[row.weak_kind]!,
      customer_id: row.weak_customer_id,
    },
    stronger: {
      identifier_id: row.strong_id,
      kind: identifierKinds[row.strong_kind]!,
      customer_id: row.strong_customer_id,
    },
    first_observed_at: row.first_observed_at,
    last_observed_at: row.last_observed_at,
    events: row.events,
    decided_at: row.decided_at,
  }
}

async function toProposals(context: ProfileContext, rows: readonly ProposalRow[]) {
  const describe = await describeCustomers(
    context,
    rows.flatMap((row) => (row.sides_at_merge === null ? [row.first_id, row.second_id] : [])),
  )
  const describeMerged = await describeMergedSides(
    context,
    rows.flatMap((row) => row.sides_at_merge ?? []),
  )
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    score: row.score,
    evidence: row.shared_kinds.map((kind) => ({ kind: identifierKinds[kind]! })),
    contradictions: row.contradictions,
    first: row.sides_at_merge?.[0] ? describeMerged(row.sides_at_merge[0]) : describe(row.first_id),
    second: row.sides_at_merge?.[1] ? describeMerged(row.sides_at_merge[1]) : describe(row.second_id),
    snoozed_until: row.status === 'snoozed' ? row.snoozed_until : null,
    decided_at: row.status === 'open' ? null : row.decided_at,
    audit_log_id: row.merge_id,
    created_at: row.created_at,
  }))
}
