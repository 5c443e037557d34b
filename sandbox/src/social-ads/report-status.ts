import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { GraphNode, InsightsQuery } from './graph.ts'
import { graphError } from './replies.ts'

/** Reports omit deleted entities unless their status is requested. */
export function withStatus(
  request: SandboxRequest,
  level: InsightsQuery['level'],
  rows: GraphNode[],
  isDeleted: (row: GraphNode) => boolean,
): GraphNode[] | SandboxReply {
  const filters = JSON.parse(request.query.get('filtering') ?? '[]') as {
    field?: string
    operator?: string
    value?: string[]
  }[]
  const unknown = filters.find(
    ({ field, operator }) => field !== `${level}.effective_status` || operator !== 'IN',
  )
  if (unknown !== undefined)
    return graphError(400, 100, `(#100) Filtering field ${unknown.field} with operation ${unknown.operator}`)
  const requestedStatuses = filters[0]?.value
  return rows.filter((row) =>
    requestedStatuses === undefined
      ? !isDeleted(row)
      : requestedStatuses.includes(isDeleted(row) ? 'DELETED' : 'ACTIVE'),
  )
}
