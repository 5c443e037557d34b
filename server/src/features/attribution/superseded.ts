/**
 * Identifiers that somebody merged into a customer and that belong to another all the same: a link found later made
 * them one person with somebody who had been merged elsewhere before, and the earlier decision stands.
 */
import { type Link, linkRoot, type Node } from '@whence/engine'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

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
    select id, kind from identifiers
    where profile_id = ${profileId} and customer_id = any(${owners}::uuid[])`.execute(db)
  const links = await linksFrom(
    db,
    profileId,
    candidates.map((row) => row.id),
  )
  const rootOf = (row: { id: string; kind: number }) =>
    linkRoot(toNode(row.kind, row.id), (node) => links.get(node) ?? [])
  const wanted = new Set(merged.map(rootOf))
  return candidates.filter((row) => wanted.has(rootOf(row))).map((row) => row.id)
}

const toNode = (kind: number, id: string): Node => `${kind}:${id}`

/** All links up from these identifiers; what they lead to belongs to the same customer. */
async function linksFrom(db: Db | Tx, profileId: string, ids: readonly string[]): Promise<Map<Node, Link[]>> {
  const { rows } = await sql<{
    weak_id: string
    weak_kind: number
    strong_id: string
    strong_kind: number
    observed_at: Date
  }>`
    select l.weak_id, w.kind as weak_kind, l.strong_id, s.kind as strong_kind, min(l.observed_at) as observed_at
    from identity_links l
    join identifiers w on w.profile_id = ${profileId} and w.id = l.weak_id
    join identifiers s on s.profile_id = ${profileId} and s.id = l.strong_id
    where l.profile_id = ${profileId} and l.weak_id = any(${ids}::uuid[])
    group by l.weak_id, w.kind, l.strong_id, s.kind`.execute(db)
  const links = rows.map((row) => ({
    weaker: toNode(row.weak_kind, row.weak_id),
    stronger: toNode(row.strong_kind, row.strong_id),
    observedAt: row.observed_at.getTime(),
  }))
  return Map.groupBy(links, (link) => link.weaker)
}
