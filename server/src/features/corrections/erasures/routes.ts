import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import type { ErasureRow } from './queries.ts'

export const erasureRoutes: readonly Route[] = [
  route(contract.eraseCustomer, async (context, { body }) =>
    toReply(await operations.eraseCustomer(context, body)),
  ),
  route(contract.getErasure, async (context, { params }) => ({
    data: toReceipt(await operations.getErasure(context, params.erasure_id)),
  })),
  route(contract.eraseWorkspaceCustomer, async (context, { body }) =>
    toReply(await operations.eraseWorkspaceCustomer(context, body)),
  ),
  route(contract.getWorkspaceErasure, async (context, { params }) => ({
    data: toReceipt(await operations.getWorkspaceErasure(context, params.erasure_id)),
  })),
]

function toReply({ erasure, isNew }: operations.RequestedErasure) {
  return { status: isNew ? (202 as const) : (200 as const), data: toReceipt(erasure) }
}

function toReceipt(row: ErasureRow) {
  const { identifiers, events, touches, conversions, payments } = row
  return {
    erasure_id: row.id,
    profile_id: row.profile_id,
    status: row.state === 'completed' ? ('completed' as const) : ('pending' as const),
    requested_at: row.requested_at,
    completed_at: row.completed_at,
    counts: { identifiers, events, touches, conversions, payments },
  }
}
