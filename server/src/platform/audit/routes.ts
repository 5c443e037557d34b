import { pageRoute, type Route } from '../http/route.ts'
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
  pageRoute(listChanges, operations.listChanges, toEntry, ({ cursor }) => operations.readCursor(cursor)),
  pageRoute(listPersonAccess, operations.listPersonAccess, toEntry, ({ cursor }) =>
    operations.readCursor(cursor),
  ),
]
