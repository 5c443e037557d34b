/**
 * Identifiers that a member merged into a customer but that belong to another customer: a later link joined them with a
 * person who had been merged elsewhere before, and the earlier merge takes precedence.
 */
import { linkRoot } from '@whence/engine'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { membersOf } from '../../facts/identity/members.ts'
import { loadLinks, toNode } from '../../facts/identity/resolve.ts'

export async function supersededIdentifiers(
  db: Db | Tx,
  profileId: string,
  customerId: string,
): Promise<string[]> {
  const { rows: merged } = await sql<{ id: string; kind: number; owner_id: string }>`
    select f.id, f.kind, f.customer_id as owner_id
    from customer_merges m
    join identifiers f on f.profile_id = ${profileId} and f.id = m.from_customer_id
    join identifiers t on t.profile_id = ${profileId} and t.id = m.into_customer_id
    where m.profile_id = ${profileId} and m.undone_at is null
      and t.customer_id = ${customerId} and f.customer_id <> ${customerId}`.execute(db)
  if (merged.length === 0) return []
  const owners = merged.map((row) => row.owner_id)
  const { rows: candidates } = await sql<{ id: string; kind: number }>`
    select id, kind from ${membersOf(profileId, owners)} members`.execute(db)
  const ids = candidates.map((row) => row.id)
  // Links lead only to identifiers of the same customer, so these are all links up to the root.
  const links = Map.groupBy(await loadLinks(db, profileId, 'weak_id', ids), (link) => link.weaker)
  const rootOf = (row: { id: string; kind: number }) =>
    linkRoot(toNode(row.kind, row.id), (node) => links.get(node) ?? [])
  const roots = new Set(merged.map(rootOf))
  return candidates.filter((row) => roots.has(rootOf(row))).map((row) => row.id)
}
