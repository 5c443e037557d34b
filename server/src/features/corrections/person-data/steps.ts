/** Steps of an erasure that one statement cannot describe, and values that the export computes. */
import { identifierKinds } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { forgetInLogs } from '../../../platform/audit/forget.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { deleteUnusedIdentifiers } from '../../facts/identity/resolve.ts'
import type { ErasedPerson } from './entry.ts'

export async function deleteIdentifiers(tx: Tx, { profileId, erasedAs, identifierIds }: ErasedPerson) {
  await deleteUnusedIdentifiers(tx, profileId, [erasedAs, ...identifierIds])
}

/** Marks the anonymous person as erased instead of the customer, whose id is removed. */
export async function moveErasedMark(tx: Tx, person: ErasedPerson): Promise<void> {
  const { profileId, requestedCustomerId, identifierIds, erasedAs, requestedAt } = person
  await sql`
    delete from erased_customers
    where profile_id = ${profileId}
      and id = any(${uuidList([requestedCustomerId, ...identifierIds])}::uuid[])`.execute(tx)
  await sql`
    insert into erased_customers (profile_id, id, erased_at)
    values (${profileId}, ${erasedAs}, ${requestedAt})`.execute(tx)
}

export async function forgetLogs(tx: Tx, person: ErasedPerson): Promise<void> {
  const { profileId, workspaceId, identifierIds, erasedAs } = person
  if (workspaceId !== undefined) await forgetInLogs(tx, { profileId, workspaceId, identifierIds, erasedAs })
}

/** Deletes stored idempotent responses about payments and merge proposals: they may contain the person, also as a former payer. */
export async function deleteStoredResponses(tx: Tx, { profileId }: { profileId: string }): Promise<void> {
  const stored = await sql<{ path: string; id: string }>`
    select distinct path, lower(split_part(regexp_replace(path, '^/api/v1/(payments|identity/merge-proposals)/', ''), '/', 1)) as id
    from idempotency_keys
    where path ~* '^/api/v1/(payments|identity/merge-proposals)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'`.execute(
    tx,
  )
  const ids = uuidList(stored.rows.map((row) => row.id))
  const { rows } = await sql<{ id: string }>`
    select id from payments where profile_id = ${profileId} and id = any(${ids}::uuid[])
    union all select id from merge_proposals
    where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(tx)
  const profileRowIds = new Set(rows.map((row) => row.id))
  const paths = stored.rows.flatMap(({ path, id }) => (profileRowIds.has(id) ? [path] : []))
  // A repair's response contains values of many people; repeating the repair changes nothing.
  paths.push('/api/v1/identity/repair')
  await sql`delete from idempotency_keys where path = any(${paths}::text[])`.execute(tx)
}

/** Ends the exports of customers and deletes their files. The first statement waits for a file that is being saved. */
export async function cancelExports(
  tx: Tx,
  { profileId, identifierIds }: { profileId: string; identifierIds: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update customer_data_exports set status = 'cancelled', customer_id = null, code_hash = null, identity_note = null
    where profile_id = ${profileId} and customer_id = any(${uuidList(identifierIds)}::uuid[])
    returning id`.execute(tx)
  await deleteParts(tx, { profileId, ids: rows.map((row) => row.id) })
}

export async function deleteParts(
  tx: Tx,
  { profileId, ids }: { profileId: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from customer_data_export_parts
    where profile_id = ${profileId} and export_id = any(${uuidList(ids)}::uuid[])`.execute(tx)
}

const identifierKindNames: readonly string[] = [...identifierKinds, 'unknown']
export const identifierKind: RawBuilder<string> = sql`(array[${sql.join(
  identifierKindNames.map((name) => sql.lit(name)),
)}])[t.kind + 1]`

export const listName = (profileId: string): RawBuilder<string> => sql`(
  select l.name from audience_lists l where l.profile_id = ${profileId} and l.id = t.list_id)`
export const listPlatform = (profileId: string): RawBuilder<string> => sql`(
  select c.provider from audience_lists l join connections c on c.profile_id = ${profileId} and c.id = l.connection_id
  where l.profile_id = ${profileId} and l.id = t.list_id)`
export const destinationKind = (profileId: string): RawBuilder<string> => sql`(
  select d.kind from export_destinations d where d.profile_id = ${profileId} and d.id = t.destination_id)`
