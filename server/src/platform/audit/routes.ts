import { type Route, route } from '../http/route.ts'
import { listChanges, listPersonAccess } from './contract.ts'
import * as operations from './operations.ts'

function toEntry<Kind, Row extends { actor_kind: Kind; actor_id: string | null }>({
  actor_kind,
  actor_id,
  ...row
}: Row & { actor_kind: Kind }) {
  return { ...row, actor: { kind: actor_kind, id: actor_id } }
}

export const auditRoutes: readonly Route[] = [
  route(
    listChanges,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listChanges(context, query)
      return {
        data: rows.map(toEntry),
        extra: { pagination },
      }
    },
    ({ query }) => operations.readCursor(query.cursor),
  ),
  route(
    listPersonAccess,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listPersonAccess(context, query)
      return {
        data: rows.map(toEntry),
        extra: { pagination },
      }
    },
    ({ query }) => operations.readCursor(query.cursor),
  ),
]
