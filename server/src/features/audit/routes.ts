import { type Route, route } from '../../http/route.ts'
import { listChanges, listPersonAccess } from './contract.ts'
import * as operations from './operations.ts'

export const auditRoutes: readonly Route[] = [
  route(
    listChanges,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listChanges(context, query)
      return {
        data: rows.map(({ actor_kind, actor_id, occurred_at, ...row }) => ({
          ...row,
          actor: { kind: actor_kind, id: actor_id },
          occurred_at: occurred_at.toISOString(),
        })),
        beside: { pagination },
      }
    },
    ({ query }) => operations.readCursor(query.cursor),
  ),
  route(
    listPersonAccess,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listPersonAccess(context, query)
      return {
        data: rows.map(({ actor_kind, actor_id, occurred_at, ...row }) => ({
          ...row,
          actor: { kind: actor_kind, id: actor_id },
          occurred_at: occurred_at.toISOString(),
        })),
        beside: { pagination },
      }
    },
    ({ query }) => operations.readCursor(query.cursor),
  ),
]
