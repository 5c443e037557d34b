/** Maintains the customer of every identifier by the engine's pure rule, recomputing only what changed links or merges affect. */
import {
  affectedNodes,
  type IdentityState,
  type Link,
  type Merge,
  type Node,
  resolveNode,
  toGraph,
} from '@whence/engine'
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type IdentifierRow = { id: string; kind: number }
/** `fresh`: inserted. `known`: stored before. */
export type SavedIdentifiers = { fresh: readonly string[]; known: readonly StoredIdentifier[] }
export type LinkRow = {
  weakId: string
  weakKind: number
  strongId: string
  strongKind: number
  eventId: string
  observedAt: Date
  byToken: boolean
}
type LoadedLink = {
  weak_id: string
  weak_kind: number
  strong_id: string
  strong_kind: number
  observed_at: Date
  by_token: boolean
}

export const toNode = (kind: number, id: string): Node => `${kind}:${id}`
export const idOf = (node: Node): string => node.slice(2)

/**
 * Inserts missing identifiers; a new one is its own customer until a link joins it. The caller holds the profile's lock,
 * so a query first is safe; it costs half as much as `on conflict` on the insert.
 */
export async function saveIdentifiers(
  tx: Tx,
  profileId: string,
  identifiers: readonly IdentifierRow[],
): Promise<SavedIdentifiers> {
  const ids = identifiers.map((row) => row.id)
  const existing = await loadIdentifiers(tx, profileId, ids)
  const existingIds = new Set(existing.map((row) => row.id))
  const fresh = identifiers.filter((row) => !existingIds.has(row.id))
  await bulkInsert(
    tx,
    { into: 'identifiers', profileId, rows: fresh },
    { id: 'id', kind: 'kind', customer_id: 'id' },
  )
  return { fresh: fresh.map((row) => row.id), known: existing }
}

export async function saveLinks(tx: Tx, profileId: string, links: readonly LinkRow[]): Promise<void> {
  await bulkInsert(
    tx,
    { into: 'identity_links', profileId, rows: links },
    ['weak_id', 'strong_id', 'event_id', 'observed_at', 'by_token'],
    { conflict: 'ignore' },
  )
}

/** The identity links of these events. */
export async function loadLinksOf(tx: Tx, profileId: string, eventIds: readonly string[]) {
  const { rows } = await sql<LinkRow>`
    select l.event_id as "eventId", l.weak_id as "weakId", w.kind as "weakKind", l.strong_id as "strongId", s.kind as "strongKind",
      l.observed_at as "observedAt", l.by_token as "byToken"
    from identity_links l
    join identifiers w on w.profile_id = ${profileId} and w.id = l.weak_id
    join identifiers s on s.profile_id = ${profileId} and s.id = l.strong_id
    where l.profile_id = ${profileId} and l.event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
  return rows
}

export async function removeLinks(tx: Tx, profileId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await sql`
    delete from identity_links
    where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
}

export function linkOf(row: LinkRow): Link {
  return {
    weaker: toNode(row.weakKind, row.weakId),
    stronger: toNode(row.strongKind, row.strongId),
    observedAt: row.observedAt.getTime(),
    byToken: row.byToken,
  }
}

function toLink(row: LoadedLink): Link {
  return {
    weaker: toNode(row.weak_kind, row.weak_id),
    stronger: toNode(row.strong_kind, row.strong_id),
    observedAt: row.observed_at.getTime(),
    byToken: row.by_token,
  }
}

/**
 * Recomputes the customers of all identifiers that the changed links may affect. Returns the customers whose set of
 * identifiers changed, both the previous and the new ones.
 */
export async function resolveChanged(
  tx: Tx,
  profileId: string,
  change: { changed: readonly Node[]; removed: readonly Link[]; removedMerges?: readonly Merge[] },
): Promise<Set<string>> {
  const touched = new Set<string>()
  if (change.changed.length === 0) return touched
  const merges = await loadMerges(tx, profileId)
  const mergesBefore = [...merges, ...(change.removedMerges ?? [])]
  const links = await loadNeighbourhood(tx, profileId, change.changed, [
    ...mergesBefore.flatMap(({ from, into }) => [from, into]),
    ...(mergesBefore.length === 0 ? [] : change.removed.map((link) => link.stronger)),
  ])
  const after = toState(links, merges)
  const before = toState([...links, ...change.removed], mergesBefore)
  const affected = affectedNodes(change.changed, { before, after })
  const graph = toGraph(links, merges)
  const roots = new Map([...affected].map((node) => [idOf(node), idOf(resolveNode(node, graph))]))
  const stored = await loadIdentifiers(tx, profileId, [...roots.keys()])
  const moved = stored.flatMap((row) => {
    const root = roots.get(row.id)!
    return row.customer_id === root ? [] : [{ ...row, root }]
  })
  await moveIdentifiers(tx, profileId, moved)
  for (const row of moved) touched.add(row.customer_id).add(row.root)
  return touched
}

type StoredIdentifier = { id: string; kind: number; customer_id: string }

export async function findCustomer(
  tx: Tx,
  profileId: string,
  identifierId: string,
): Promise<string | undefined> {
  return (await loadIdentifiers(tx, profileId, [identifierId]))[0]?.customer_id
}

/** Looks up each row by key, independent of planner statistics. */
async function loadIdentifiers(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
): Promise<StoredIdentifier[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StoredIdentifier>`
    select stored.* from unnest(${uuidList(ids)}::uuid[]) as input(id)
    cross join lateral (
      select id, kind, customer_id from identifiers where profile_id = ${profileId} and id = input.id offset 0) as stored`.execute(
    tx,
  )
  return rows
}

/** All rows exist. The upsert looks each up by key; an update with a join might scan all identifiers of the profile. */
async function moveIdentifiers(
  tx: Tx,
  profileId: string,
  moved: readonly (StoredIdentifier & { root: string })[],
): Promise<void> {
  await bulkInsert(
    tx,
    { into: 'identifiers', profileId, rows: moved },
    { id: 'id', kind: 'kind', customer_id: 'root' },
    { conflict: { on: ['profile_id', 'id'], keep: ['kind'] } },
  )
}

function toState(links: readonly Link[], merges: readonly Merge[]): IdentityState {
  const from = Map.groupBy(links, (link) => link.weaker)
  const into = Map.groupBy(links, (link) => link.stronger)
  return {
    linksFrom: (node) => from.get(node) ?? [],
    linksInto: (node) => into.get(node) ?? [],
    merges,
  }
}

/** All links below the starting nodes, and all above any of those. */
async function loadNeighbourhood(
  tx: Tx,
  profileId: string,
  changed: readonly Node[],
  merged: readonly Node[],
): Promise<Link[]> {
  const linkByKey = new Map<string, Link>()
  const nodes = new Set(merged)
  const walk = async (side: 'weak_id' | 'strong_id', next: (link: Link) => Node) => {
    for (let frontier = [...nodes]; frontier.length > 0; ) {
      const links = await loadLinks(tx, profileId, side, frontier.map(idOf))
      frontier = []
      for (const link of links) {
        linkByKey.set(`${link.weaker} ${link.stronger}`, link)
        const node = next(link)
        if (nodes.has(node)) continue
        nodes.add(node)
        frontier.push(node)
      }
    }
  }
  // A merge moves everything below the root of its identifier, so walk up to the root first.
  await walk('weak_id', (link) => link.stronger)
  for (const node of changed) nodes.add(node)
  await walk('strong_id', (link) => link.weaker)
  await walk('weak_id', (link) => link.stronger)
  return [...linkByKey.values()]
}

/** SQL condition: a member rejected the link. */
export const isRejected = (profileId: string) => sql<boolean>`exists (
  select 1 from link_decisions d
  where d.profile_id = ${profileId} and d.weak_id = l.weak_id and d.strong_id = l.strong_id and d.decision = 'rejected')`

/**
 * One link per pair that was not rejected, with the time it was first observed; observations by an event's own
 * identifiers take precedence over link tokens. Lateral joins look rows up by key, independent of planner statistics.
 */
export async function loadLinks(
  db: Db | Tx,
  profileId: string,
  side: 'weak_id' | 'strong_id',
  ids: readonly string[],
): Promise<Link[]> {
  const { rows } = await sql<LoadedLink>`
    select pairs.weak_id, w.kind as weak_kind, pairs.strong_id, s.kind as strong_kind, pairs.observed_at, pairs.by_token
    from unnest(${uuidList(ids)}::uuid[]) as input(id)
    cross join lateral (
      select l.weak_id, l.strong_id, bool_and(l.by_token) as by_token,
        coalesce(min(l.observed_at) filter (where not l.by_token), min(l.observed_at)) as observed_at
      from identity_links l
      where l.profile_id = ${profileId} and l.${sql.ref(side)} = input.id and not ${isRejected(profileId)}
      group by l.weak_id, l.strong_id offset 0) as pairs
    cross join lateral (
      select kind from identifiers where profile_id = ${profileId} and id = pairs.weak_id limit 1) as w
    cross join lateral (
      select kind from identifiers where profile_id = ${profileId} and id = pairs.strong_id limit 1) as s`.execute(
    db,
  )
  return rows.map(toLink)
}

type MergeRow = { from_id: string; from_kind: number; into_id: string; into_kind: number; merged_at: Date }

const mergesOf = (profileId: string) => sql`
  select m.from_customer_id as from_id, f.kind as from_kind, m.into_customer_id as into_id, t.kind as into_kind, m.merged_at
  from customer_merges m
  join identifiers f on f.profile_id = ${profileId} and f.id = m.from_customer_id
  join identifiers t on t.profile_id = ${profileId} and t.id = m.into_customer_id
  where m.profile_id = ${profileId}`

function toMerge(row: MergeRow): Merge {
  return {
    from: toNode(row.from_kind, row.from_id),
    into: toNode(row.into_kind, row.into_id),
    decidedAt: row.merged_at.getTime(),
  }
}

async function loadMerges(tx: Tx, profileId: string): Promise<Merge[]> {
  const { rows } = await sql<MergeRow>`${mergesOf(profileId)} and m.undone_at is null`.execute(tx)
  return rows.map(toMerge)
}

/** Includes undone merges. */
export async function findMerge(tx: Tx, profileId: string, id: string): Promise<Merge | undefined> {
  const { rows } = await sql<MergeRow>`${mergesOf(profileId)} and m.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : toMerge(rows[0])
}

/** Deletes those of the identifiers that nothing refers to any more. */
export async function deleteUnusedIdentifiers(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    delete from identifiers i where i.profile_id = ${profileId} and i.id = any(${uuidList(ids)}::uuid[])
      and not exists (select 1 from touches t where t.profile_id = ${profileId} and t.identifier_id = i.id)
      and not exists (select 1 from conversions c where c.profile_id = ${profileId} and c.identifier_id = i.id)
      and not exists (
        select 1 from payments p
        where p.profile_id = ${profileId} and coalesce(p.payer_identifier_id, p.identifier_id) = i.id
          and p.payer_identifier_id is null)
      and not exists (
        select 1 from payments p
        where p.profile_id = ${profileId} and p.identifier_id = i.id and p.payer_identifier_id is not null)
      and not exists (select 1 from payment_marks m where m.profile_id = ${profileId} and m.payer_identifier_id = i.id)
      and not exists (select 1 from identity_links l where l.profile_id = ${profileId} and l.weak_id = i.id)
      and not exists (select 1 from identity_links l where l.profile_id = ${profileId} and l.strong_id = i.id)
      and not exists (select 1 from identity_traits t where t.profile_id = ${profileId} and t.identifier_id = i.id)
      and not exists (
        select 1 from customer_merges m
        where m.profile_id = ${profileId} and (m.from_customer_id = i.id or m.into_customer_id = i.id))
    returning i.id`.execute(tx)
  await deleteReviews(
    tx,
    profileId,
    rows.map((row) => row.id),
  )
}

/** Deletes merge proposals and link decisions of deleted identifiers. */
export async function deleteReviews(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const list = uuidList(ids)
  await sql`
    delete from merge_proposals
    where profile_id = ${profileId}
      and (first_id = any(${list}::uuid[]) or second_id = any(${list}::uuid[]))`.execute(tx)
  await sql`
    delete from link_decisions
    where profile_id = ${profileId}
      and (weak_id = any(${list}::uuid[]) or strong_id = any(${list}::uuid[]))`.execute(tx)
}
