import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../../facts/identity/members.ts'

export type LinkStatus = 'pending' | 'accepted' | 'rejected'
export type LinkRow = {
  weak_id: string
  weak_kind: number
  weak_customer_id: string
  strong_id: string
  strong_kind: number
  strong_customer_id: string
  first_observed_at: Date
  last_observed_at: Date
  events: number
  status: LinkStatus
  decided_at: Date | null
}
export type Pair = { weakId: string; strongId: string }

type LinkFilter = {
  profileId: string
  identifierIds: readonly string[] | null
  pair: Pair | null
  after: Pair | null
  status: LinkStatus | null
  limit: number
}

/** Sorted by key, so that the index reads only the rows of the page. */
export async function findLinks(db: Db | Tx, filter: LinkFilter): Promise<LinkRow[]> {
  const { profileId, identifierIds, pair, after } = filter
  const ids = uuidList(identifierIds ?? [])
  const identifierFilter =
    identifierIds === null
      ? sql``
      : sql`and (l.weak_id = any(${ids}::uuid[]) or l.strong_id = any(${ids}::uuid[]))`
  const pairFilter =
    pair === null ? sql`` : sql`and l.weak_id = ${pair.weakId} and l.strong_id = ${pair.strongId}`
  const cursorFilter =
    after === null
      ? sql``
      : sql`and (l.weak_id, l.strong_id) > (${after.weakId}::uuid, ${after.strongId}::uuid)`
  const { rows } = await sql<LinkRow>`
    select l.weak_id, w.kind as weak_kind, w.customer_id as weak_customer_id, l.strong_id, s.kind as strong_kind,
      s.customer_id as strong_customer_id, l.first_observed_at, l.last_observed_at, l.events,
      coalesce(d.decision, 'pending') as status, d.decided_at
    from (
      select l.weak_id, l.strong_id, min(l.observed_at) as first_observed_at, max(l.observed_at) as last_observed_at,
        count(*)::int as events
      from identity_links l where l.profile_id = ${profileId} ${identifierFilter} ${pairFilter} ${cursorFilter}
      group by l.weak_id, l.strong_id) as l
    join identifiers w on w.profile_id = ${profileId} and w.id = l.weak_id
    join identifiers s on s.profile_id = ${profileId} and s.id = l.strong_id
    left join link_decisions d on d.profile_id = ${profileId} and d.weak_id = l.weak_id and d.strong_id = l.strong_id
    where (${filter.status}::text is null or coalesce(d.decision, 'pending') = ${filter.status})
      and ${isAlive(profileId, sql.ref('w.customer_id'))} and ${isAlive(profileId, sql.ref('s.customer_id'))}
    order by l.weak_id, l.strong_id limit ${filter.limit}`.execute(db)
  return rows
}

export async function saveLinkDecision(
  tx: Tx,
  params: Pair & { profileId: string; decision: string; decidedBy: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into link_decisions (profile_id, weak_id, strong_id, decision, decided_at, decided_by)
    values (${params.profileId}, ${params.weakId}, ${params.strongId}, ${params.decision}, ${params.now}, ${params.decidedBy})
    on conflict (profile_id, weak_id, strong_id) do update set decision = excluded.decision,
      decided_at = excluded.decided_at, decided_by = excluded.decided_by`.execute(tx)
}
