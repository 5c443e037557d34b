import { type RawBuilder, sql } from 'kysely'

import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive, membersOf } from '../../facts/identity/members.ts'
import { isRejected } from '../../facts/identity/resolve.ts'
import type { Contradiction, ProposalStatus } from './rules.ts'

/** A customer of a merged pair with the identifiers it had before the merge. */
export type MergedSide = { customer_id: string; identifier_ids: string[] }

export type ProposalRow = {
  id: string
  /** Current customer ids, even if the proposal references another identifier. */
  first_id: string
  second_id: string
  status: ProposalStatus
  shared_kinds: number[]
  contradictions: Contradiction[]
  score: number
  sides_at_merge: MergedSide[] | null
  snoozed_until: Date | null
  merge_id: string | null
  decided_at: Date | null
  created_at: Date
}

/** Customer id of a side; for a merged pair, as before the merge. Without `sides_at_merge`, the first side is the surviving customer, unless the other one was chosen. */
function sideColumn(side: 'first' | 'second'): RawBuilder<string> {
  const index = sql.lit(side === 'first' ? 0 : 1)
  const current = side === 'first' ? sql`f.customer_id` : sql`s.customer_id`
  const [usual, other] =
    side === 'first'
      ? [sql`m.into_customer_id`, sql`m.from_customer_id`]
      : [sql`m.from_customer_id`, sql`m.into_customer_id`]
  return sql`case when m.id is null then ${current}
    when p.sides_at_merge is not null then (p.sides_at_merge -> ${index} ->> 'customer_id')::uuid
    when m.from_customer_id = p.first_id or m.into_customer_id = p.second_id then ${other} else ${usual} end`
}

/** Pairs of existing, unerased customers. Pairs that became one customer without a decision are left out. */
const proposals = (profileId: string, now: Date) => sql`
  select p.id, ${sideColumn('first')} as first_id, ${sideColumn('second')} as second_id, p.shared_kinds, p.contradictions, least(99, greatest(1, p.score)) as score, p.snoozed_until, p.merge_id,
    case when m.id is null then null else p.sides_at_merge end as sides_at_merge, p.decided_at, p.created_at,
    case when p.status = 'snoozed' and p.snoozed_until <= ${now}::timestamptz then 'open' else p.status end as status
  from merge_proposals p
  join identifiers f on f.profile_id = ${profileId} and f.id = p.first_id
  join identifiers s on s.profile_id = ${profileId} and s.id = p.second_id
  left join customer_merges m on m.profile_id = ${profileId} and m.id = p.merge_id and p.status = 'merged'
  where p.profile_id = ${profileId} and (f.customer_id <> s.customer_id or p.status = 'merged')
    and ${isAlive(profileId, sql.ref('f.customer_id'))} and ${isAlive(profileId, sql.ref('s.customer_id'))}`

export async function listProposals(
  db: Db | Tx,
  params: {
    profileId: string
    now: Date
    status: ProposalStatus | null
    before: string | null
    limit: number
  },
): Promise<ProposalRow[]> {
  const { rows } = await sql<ProposalRow>`
    select * from (${proposals(params.profileId, params.now)}) as proposals
    where (${params.status}::text is null or status = ${params.status})
      and (${params.before}::uuid is null or id < ${params.before}::uuid)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function countProposals(
  db: Db | Tx,
  params: { profileId: string; now: Date },
): Promise<Record<ProposalStatus, number>> {
  const { rows } = await sql<{ status: ProposalStatus; count: number }>`
    select status, count(*)::int as count from (${proposals(params.profileId, params.now)}) as proposals
    group by status`.execute(db)
  const counts = { open: 0, snoozed: 0, merged: 0, dismissed: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}

export async function findProposal(db: Db | Tx, params: { profileId: string; now: Date; id: string }) {
  const { rows } = await sql<ProposalRow>`
    ${proposals(params.profileId, params.now)} and p.id = ${params.id}`.execute(db)
  return rows[0]
}

export type CandidatePair = { first_id: string; second_id: string; kinds: number[] }

/** Identifiers that more customers share, such as an office phone, are ignored. */
const MAX_SHARING = 3

const sharedPairs = (profileId: string) => sql`
    shared as (
      select w.kind, array_agg(distinct s.customer_id) as customers
      from identity_links l
      join identifiers w on w.profile_id = ${profileId} and w.id = l.weak_id
      join identifiers s on s.profile_id = ${profileId} and s.id = l.strong_id
      where l.profile_id = ${profileId} and not ${isRejected(profileId)}
      group by l.weak_id, w.kind
      having count(distinct s.customer_id) between 2 and ${MAX_SHARING}),
    pairs as (
      select a.id as first_id, b.id as second_id, array_agg(distinct shared.kind order by shared.kind) as kinds
      from shared cross join lateral unnest(shared.customers) as a(id)
      cross join lateral unnest(shared.customers) as b(id)
      where a.id < b.id group by a.id, b.id)`

/** Customers who share a weaker identifier and have no proposal yet. */
export async function findPairs(
  tx: Tx,
  params: { profileId: string; limit: number },
): Promise<CandidatePair[]> {
  const { profileId } = params
  const { rows } = await sql<CandidatePair>`
    with ${sharedPairs(profileId)},
    proposed as (
      select f.customer_id as one_id, s.customer_id as other_id from merge_proposals p
      join identifiers f on f.profile_id = ${profileId} and f.id = p.first_id
      join identifiers s on s.profile_id = ${profileId} and s.id = p.second_id
      where p.profile_id = ${profileId})
    select pairs.first_id, pairs.second_id, pairs.kinds from pairs
    where not exists (
        select 1 from proposed where (proposed.one_id, proposed.other_id) in
          ((pairs.first_id, pairs.second_id), (pairs.second_id, pairs.first_id)))
      and ${isAlive(profileId, sql.ref('pairs.first_id'))} and ${isAlive(profileId, sql.ref('pairs.second_id'))}
    order by pairs.first_id, pairs.second_id limit ${params.limit}`.execute(tx)
  return rows
}

export type OpenPair = { id: string; first_id: string; second_id: string; kinds: number[] | null }

/** Open proposals with the kinds of identifiers that their sides share now; null if none. */
export async function listOpenPairs(tx: Tx, params: { profileId: string; limit: number }) {
  const { profileId } = params
  const { rows } = await sql<OpenPair>`
    with ${sharedPairs(profileId)}
    select p.id, f.customer_id as first_id, s.customer_id as second_id, pairs.kinds
    from merge_proposals p
    join identifiers f on f.profile_id = ${profileId} and f.id = p.first_id
    join identifiers s on s.profile_id = ${profileId} and s.id = p.second_id
    left join pairs on pairs.first_id = least(f.customer_id, s.customer_id)
      and pairs.second_id = greatest(f.customer_id, s.customer_id)
    where p.profile_id = ${profileId} and p.status = 'open' order by p.id limit ${params.limit}`.execute(tx)
  return rows
}

export type Rescored = { id: string; kinds: number[]; contradictions: Contradiction[]; score: number }

/** Deletes `withdrawn` proposals and saves the new scores of `rescored` ones, if they are still open. */
export async function rescoreProposals(
  tx: Tx,
  params: { profileId: string; withdrawn: readonly string[]; rescored: readonly Rescored[] },
): Promise<void> {
  const { profileId } = params
  await sql`
    delete from merge_proposals
    where profile_id = ${profileId}
      and status = 'open' and id = any(${uuidList(params.withdrawn)}::uuid[])`.execute(tx)
  await sql`
    update merge_proposals p set shared_kinds = r.kinds, contradictions = r.contradictions, score = r.score
    from jsonb_to_recordset(${JSON.stringify(params.rescored)}::jsonb)
      as r(id uuid, kinds smallint[], contradictions text[], score integer)
    where p.profile_id = ${profileId} and p.id = r.id and p.status = 'open'`.execute(tx)
}

export type NewProposal = Rescored & { firstId: string; secondId: string }

export async function insertProposals(
  tx: Tx,
  params: { profileId: string; proposals: readonly NewProposal[]; now: Date },
): Promise<number> {
  const rows = params.proposals.map((row) => ({
    id: row.id,
    first_id: row.firstId,
    second_id: row.secondId,
    shared_kinds: row.kinds,
    contradictions: row.contradictions,
    score: row.score,
  }))
  if (rows.length === 0) return 0
  const inserted = await sql`
    insert into merge_proposals (profile_id, id, first_id, second_id, status, shared_kinds, contradictions, score, created_at)
    select ${params.profileId}::uuid, r.id, r.first_id, r.second_id, 'open', r.shared_kinds, r.contradictions, r.score,
      ${params.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, first_id uuid, second_id uuid,
      shared_kinds smallint[], contradictions text[], score integer)
    on conflict (profile_id, first_id, second_id) do nothing returning id`.execute(tx)
  return inserted.rows.length
}

export async function decide(
  tx: Tx,
  params: {
    profileId: string
    id: string
    status: ProposalStatus
    snoozedUntil: Date | null
    mergeId: string | null
    sides: readonly MergedSide[] | null
    by: string | null
    now: Date
  },
): Promise<void> {
  await sql`
    update merge_proposals set status = ${params.status}, snoozed_until = ${params.snoozedUntil}, merge_id = ${params.mergeId},
      sides_at_merge = ${params.sides === null ? null : JSON.stringify(params.sides)}::jsonb, decided_at = ${params.now}, decided_by = ${params.by}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

/** Reopens the proposal whose merge was undone. */
export async function reopenProposal(tx: Tx, params: { profileId: string; mergeId: string }): Promise<void> {
  await sql`
    update merge_proposals set status = 'open', merge_id = null, sides_at_merge = null, decided_at = null, decided_by = null
    where profile_id = ${params.profileId} and merge_id = ${params.mergeId}`.execute(tx)
}

export type MergeRow = {
  id: string
  from_customer_id: string
  into_customer_id: string
  merged_at: Date
  merged_by: string | null
  undone_at: Date | null
  undone_by: string | null
}

const mergeColumns = sql`m.id, m.from_customer_id, m.into_customer_id, m.merged_at, m.merged_by, m.undone_at, m.undone_by`

/** Merges into the customer, including merges that reference another of its identifiers. */
export async function listMerges(
  db: Db | Tx,
  params: { profileId: string; customerId: string; before: string | null; limit: number },
): Promise<MergeRow[]> {
  const { rows } = await sql<MergeRow>`
    select ${mergeColumns} from customer_merges m
    join identifiers i on i.profile_id = ${params.profileId} and i.id = m.into_customer_id
    where m.profile_id = ${params.profileId} and i.customer_id = ${params.customerId}
      and (${params.before}::uuid is null or m.id < ${params.before}::uuid)
    order by m.id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function findMergeRow(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<MergeRow>`
    select ${mergeColumns} from customer_merges m
    where m.profile_id = ${params.profileId} and m.id = ${params.id}`.execute(db)
  return rows[0]
}

/** Kinds of each customer's identifiers, strongest first. For a merged-away customer: the kind of its own id. */
export async function listKinds(
  db: Db | Tx,
  params: { profileId: string; customerIds: readonly string[] },
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ customer_id: string; kinds: number[] }>`
    select customer_id, array_agg(kind order by kind) as kinds
    from ${membersOf(params.profileId, params.customerIds)} as members group by customer_id
    union all
    select id, array[kind] from identifiers
    where profile_id = ${params.profileId}
      and id = any(${uuidList(params.customerIds)}::uuid[]) and customer_id <> id`.execute(db)
  return new Map(rows.map((row) => [row.customer_id, row.kinds]))
}

export async function listKindsOf(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; kind: number }>`
    select id, kind from identifiers
    where profile_id = ${params.profileId}
      and id = any(${uuidList(params.identifierIds)}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.kind]))
}

export type Moved = { identifiers: number; touches: number; conversions: number; payments: number }

export async function countMoved(db: Db | Tx, params: { profileId: string; customerId: string }) {
  const { profileId } = params
  const count = (table: RawBuilder<unknown>) => sql`
    (select count(*)::int from members join ${table} t on t.profile_id = ${profileId} and t.identifier_id = members.id)`
  const { rows } = await sql<Moved>`
    with members as materialized (select id from ${membersOf(profileId, [params.customerId])} as m)
    select (select count(*)::int from members) as identifiers, ${count(sql`touches`)} as touches,
      ${count(sql`conversions`)} as conversions,
      (select count(*)::int from members join payments t on t.profile_id = ${profileId}
        and coalesce(t.payer_identifier_id, t.identifier_id) = members.id) as payments`.execute(db)
  return rows[0]!
}
