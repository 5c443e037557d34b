/** Logs stay whole: who looked at or changed whom is kept, under the anonymous id that is left of the person. */
import { sql } from 'kysely'
import { uuidList } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'

export async function forgetInLogs(
  tx: Tx,
  params: { profileId: string; workspaceId: string; identifierIds: readonly string[]; erasedAs: string },
): Promise<void> {
  const { profileId, erasedAs } = params
  const ids = uuidList(params.identifierIds)
  await sql`
    update pii_access_log set customer_ids = array(
      select case when shown.id = any(${ids}::uuid[]) then ${erasedAs}::uuid else shown.id end
      from unnest(customer_ids) with ordinality as shown(id, place) order by shown.place)
    where profile_id = ${profileId} and customer_ids && ${ids}::uuid[]`.execute(tx)
  await sql`
    update audit_log set detail = jsonb_set(detail, '{customer_id}', to_jsonb(${erasedAs}::text))
    where workspace_id = ${params.workspaceId} and profile_id = ${profileId}
      and detail->>'customer_id' = any(${[...params.identifierIds]}::text[])`.execute(tx)
}
