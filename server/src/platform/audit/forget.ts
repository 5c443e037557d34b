/** Erasure in logs: entries about a person are kept, with the anonymous id that replaces the person. */
import { sql } from 'kysely'
import { uuidList } from '../db/bulk/columns.ts'
import type { Tx } from '../db/database.ts'

export async function forgetInLogs(
  tx: Tx,
  params: { profileId: string; workspaceId: string; identifierIds: readonly string[]; erasedAs: string },
): Promise<void> {
  const { profileId, erasedAs } = params
  if (params.identifierIds.length === 0) return
  const ids = uuidList(params.identifierIds)
  await sql`
    update pii_access_log set customer_ids = array(
      select case when shown.id = any(${ids}::uuid[]) then ${erasedAs}::uuid else shown.id end
      from unnest(customer_ids) with ordinality as shown(id, position) order by shown.position)
    where profile_id = ${profileId} and customer_ids && ${ids}::uuid[]`.execute(tx)
  const { rows } = await sql<{ id: string; subject: string | null; detail: string }>`
    select id, subject, detail::text as detail from audit_log
    where workspace_id = ${params.workspaceId} and profile_id = ${profileId}
      and (subject = any(${[...params.identifierIds]}::text[])
        or detail::text ~ ${params.identifierIds.join('|')})`.execute(tx)
  const anonymise = (text: string) =>
    params.identifierIds.reduce((result, id) => result.replaceAll(id, erasedAs), text)
  for (const row of rows)
    await sql`
      update audit_log set subject = ${row.subject && anonymise(row.subject)}, detail = ${anonymise(row.detail)}::jsonb
      where id = ${row.id}`.execute(tx)
}
