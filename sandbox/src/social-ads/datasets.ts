/** Imitates datasets of an ad account and the optimisation goals of ad sets; a delivered ad set keeps its dataset. */

import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import type { GraphNode } from './graph.ts'
import { graphError, pickFields, readForm } from './replies.ts'

export function createDatasets(options: SandboxOptions, firstDatasetOf: (accountId: string) => string) {
  const datasetsByAccount = new Map<string, GraphNode[]>()
  const copies = new Map<string, { node: GraphNode; accountId: string }>()
  const promotedOf = (accountId: string, node: GraphNode) =>
    node.promoted_object ?? { pixel_id: firstDatasetOf(accountId), custom_event_type: 'PURCHASE' }

  return {
    of: (accountId: string): GraphNode[] => datasetsByAccount.get(accountId) ?? [],
    create(request: SandboxRequest, accountId: string): SandboxReply {
      const { name } = readForm(request)
      if (!name) return graphError(400, 100, 'The parameter name is required')
      const before = datasetsByAccount.get(accountId) ?? []
      const id = seededDigits(15, options.seed, accountId, 'made pixel', before.length)
      const creation = `${options.now().toISOString().slice(0, 19)}+0000`
      datasetsByAccount.set(accountId, [
        ...before,
        { id, name, creation_time: creation, is_unavailable: false },
      ])
      return { status: 200, body: { id } }
    },
    /** The account's ad sets with their optimisation goals, and copies of ad sets. */
    adSets: (accountId: string, nodes: GraphNode[]): GraphNode[] => [
      ...nodes.map((node) => ({ ...node, promoted_object: promotedOf(accountId, node) })),
      ...[...copies.values()].filter((copy) => copy.accountId === accountId).map(({ node }) => node),
    ],
    promoted: (accountId: string, node: GraphNode): GraphNode =>
      node.campaign_id === undefined ? node : { ...node, promoted_object: promotedOf(accountId, node) },
    copy(request: SandboxRequest, accountId: string, node: GraphNode): SandboxReply {
      const { status_option: status = 'INHERITED_FROM_SOURCE' } = readForm(request)
      if (status !== 'PAUSED') return graphError(400, 100, 'Copies start paused here')
      const id = seededDigits(17, options.seed, 'copy', copies.size)
      const copied = {
        ...node,
        id,
        status: 'PAUSED',
        effective_status: 'PAUSED',
        promoted_object: promotedOf(accountId, node),
      }
      copies.set(id, { node: copied, accountId })
      return { status: 200, body: { copied_adset_id: id, ad_object_ids: [] } }
    },
    findCopy: (id: string) => copies.get(id) ?? null,
    /** The dataset of a copy may change only until it has been live. */
    changeCopy(request: SandboxRequest, id: string): SandboxReply {
      const copy = copies.get(id)!
      if (request.method !== 'POST') return { status: 200, body: pickFields(request, copy.node) }
      const { promoted_object: promoted, status } = readForm(request)
      if (promoted !== undefined) {
        if (copy.node.was_live)
          return graphError(400, 100, 'The promoted object of a live ad set cannot change', 1487929)
        copy.node.promoted_object = JSON.parse(promoted)
      }
      if (status !== undefined) {
        Object.assign(copy.node, { status, effective_status: status })
        if (status === 'ACTIVE') copy.node.was_live = true
      }
      return { status: 200, body: { success: true } }
    },
  }
}
