import { type RawBuilder, sql } from 'kysely'
import { byteas, uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { isCustomerRefused } from '../../../facts/consents/statements.ts'
import { isAlive } from '../../../facts/identity/members.ts'

export type ListRow = { id: string; connection_id: string; external_id: string; name: string | null }
export type SavedList = ListRow & { authorization_id: string | null; ended_at: Date | null }

export async function findList(
  db: Db | Tx,
  params: { profileId: string; connectionId: string } & ({ name: string } | { externalId: string }),
): Promise<SavedList | undefined> {
  const condition = 'name' in params ? sql`name = ${params.name}` : sql`external_id = ${params.externalId}`
  const { rows } = await sql<SavedList>`
    select id, connection_id, external_id, name, authorization_id, ended_at from audience_lists
    where profile_id = ${params.profileId} and connection_id = ${params.connectionId} and ${condition}
    order by created_at limit 1`.execute(db)
  return rows[0]
}

/** A list whose authorization ended is taken over by the authorization that uses it next. */
export async function insertList(
  tx: Tx,
  params: ListRow & { profileId: string; authorizationId: string | null; isFromFilter: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into audience_lists (profile_id, id, connection_id, external_id, name, authorization_id, from_filter, created_at)
    values (${params.profileId}, ${params.id}, ${params.connection_id}, ${params.external_id}, ${params.name},
      ${params.authorizationId}, ${params.isFromFilter}, ${params.now})
    on conflict (profile_id, connection_id, external_id) do update set from_filter = excluded.from_filter,
      authorization_id = case when audience_lists.ended_at is null then audience_lists.authorization_id
        else excluded.authorization_id end, ended_at = null
      where audience_lists.ended_at is not null or audience_lists.from_filter <> excluded.from_filter`.execute(
    tx,
  )
}

export async function listMembers(
  db: Db | Tx,
  params: { profileId: string; listId: string },
): Promise<string[]> {
  const { rows } = await sql<{ identifier_id: string }>`
    select identifier_id from audience_members
    where profile_id = ${params.profileId} and list_id = ${params.listId}`.execute(db)
  return rows.map((row) => row.identifier_id)
}

export async function addMembers(
  tx: Tx,
  params: { profileId: string; listId: string; identifierIds: readonly string[]; now: Date },
): Promise<string[]> {
  if (params.identifierIds.length === 0) return []
  const { rows } = await sql<{ identifier_id: string }>`
    insert into audience_members (profile_id, list_id, identifier_id, added_at)
    select ${params.profileId}::uuid, ${params.listId}::uuid, id, ${params.now}::timestamptz
    from unnest(${uuidList(params.identifierIds)}::uuid[]) as id
    on conflict (profile_id, list_id, identifier_id) do nothing
    returning identifier_id`.execute(tx)
  return rows.map((row) => row.identifier_id)
}

export async function removeMembers(
  tx: Tx,
  params: { profileId: string; listId: string; identifierIds: readonly string[] },
): Promise<void> {
  await sql`
    delete from audience_members where profile_id = ${params.profileId} and list_id = ${params.listId}
      and identifier_id = any(${uuidList(params.identifierIds)}::uuid[])`.execute(tx)
}

export async function insertAudienceRun(
  tx: Tx,
  run: {
    profileId: string
    id: string
    listId: string
    operation: string
    received: number
    sent: number
    removed: number
    requestId: string | null
    now: Date
  },
): Promise<void> {
  await sql`
    insert into audience_runs (profile_id, id, list_id, operation, received, sent, removed, provider_request_id, created_at)
    values (${run.profileId}, ${run.id}, ${run.listId}, ${run.operation}, ${run.received}, ${run.sent}, ${run.removed},
      ${run.requestId}, ${run.now})`.execute(tx)
}

/** The ids that are current customers of the profile: not merged into another and not erased. */
export async function listLiveCustomers(
  db: Db | Tx,
  params: { profileId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id from identifiers i
    where i.profile_id = ${params.profileId} and i.id = any(${uuidList(params.ids)}::uuid[]) and i.customer_id = i.id
      and ${isAlive(params.profileId, sql.ref('i.id'))}`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Customer id of each stored identifier. */
export async function loadCustomerIds(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers
    where profile_id = ${params.profileId} and id = any(${uuidList(params.identifierIds)}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}

/** Ids of excluded customers after merges, and identifier hashes of excluded customers who were erased. */
export async function loadExclusions(
  db: Db | Tx,
  params: { profileId: string },
): Promise<{ customerIds: Set<string>; hashes: Set<string> }> {
  const { rows } = await sql<{ customer_id: string | null; person_hash: Buffer | null }>`
    select coalesce(i.customer_id, x.customer_id) as customer_id, x.person_hash
    from audience_exclusions x
    left join identifiers i on i.profile_id = ${params.profileId} and i.id = x.customer_id
    where x.profile_id = ${params.profileId}`.execute(db)
  return {
    customerIds: new Set(rows.flatMap((row) => row.customer_id ?? [])),
    hashes: new Set(rows.flatMap((row) => row.person_hash?.toString('hex') ?? [])),
  }
}

/** True if one of the identifiers is excluded, or its hash is that of an excluded person who was erased. */
export async function hasExclusion(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[]; hashes: readonly Buffer[] },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from audience_exclusions
      where profile_id = ${params.profileId} and (customer_id = any(${uuidList(params.identifierIds)}::uuid[])
        or person_hash = any(${byteas(params.hashes, (hash) => hash)}::bytea[]))) as found`.execute(db)
  return rows[0]!.found
}

export async function listExclusions(
  db: Db | Tx,
  params: { profileId: string },
): Promise<{ id: string; customerId: string }[]> {
  const { rows } = await sql<{ id: string; customerId: string }>`
    select id, customer_id as "customerId" from audience_exclusions
    where profile_id = ${params.profileId} and customer_id is not null`.execute(db)
  return rows
}

export async function insertExclusions(
  tx: Tx,
  params: {
    profileId: string
    rows: readonly { id: string; customerId: string }[]
    reason: string | null
    now: Date
  },
): Promise<void> {
  if (params.rows.length === 0) return
  await sql`
    insert into audience_exclusions (profile_id, reason, added_at, id, customer_id)
    select ${params.profileId}::uuid, ${params.reason}::text, ${params.now}::timestamptz,
      unnest(${uuids(params.rows, (row) => row.id)}::uuid[]), unnest(${uuids(params.rows, (row) => row.customerId)}::uuid[])`.execute(
    tx,
  )
}

export async function deleteExclusions(
  tx: Tx,
  params: { profileId: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    delete from audience_exclusions
    where profile_id = ${params.profileId} and id = any(${uuidList(params.ids)}::uuid[])`.execute(tx)
}

/** Memberships of these customers in lists. */
export async function listMemberships(
  db: Db | Tx,
  params: { profileId: string; customerIds: readonly string[] },
): Promise<{ list_id: string; identifier_id: string; customer_id: string }[]> {
  const { rows } = await sql<{ list_id: string; identifier_id: string; customer_id: string }>`
    select m.list_id, m.identifier_id, i.customer_id from identifiers i
    join audience_members m on m.profile_id = ${params.profileId} and m.identifier_id = i.id
    where i.profile_id = ${params.profileId} and i.customer_id = any(${uuidList(params.customerIds)}::uuid[])`.execute(
    db,
  )
  return rows
}

export async function findListById(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<ListRow | undefined> {
  const { rows } = await sql<ListRow>`
    select id, connection_id, external_id, name from audience_lists
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
  return rows[0]
}

/** Members of the list who are excluded, or who refuse and the list is kept here. Erased people are left to the erasure. */
export async function listExcludedMembers(
  db: Db | Tx,
  params: { profileId: string; listId: string; limit: number },
): Promise<string[]> {
  const { profileId } = params
  const { rows } = await sql<{ id: string }>`
    (${refusedMembers(sql`${profileId}`, sql`${params.listId}`)} limit ${params.limit})
    union
    select distinct m.identifier_id as id
    from audience_exclusions x
    join identifiers excluded on excluded.profile_id = ${profileId} and excluded.id = x.customer_id
    join identifiers i on i.profile_id = ${profileId} and i.customer_id = excluded.customer_id
    join audience_members m on m.profile_id = ${profileId} and m.list_id = ${params.listId} and m.identifier_id = i.id
    where x.profile_id = ${profileId} and not exists (
      select 1 from erased_customers e where e.profile_id = ${profileId} and e.id = excluded.customer_id)
    limit ${params.limit}`.execute(db)
  return rows.map((row) => row.id)
}

const refusedMembers = (profileId: RawBuilder<unknown>, listId: RawBuilder<unknown>) => sql`
  select m.identifier_id as id from audience_lists l
  join audience_members m on m.profile_id = ${profileId} and m.list_id = l.id
  join identifiers member on member.profile_id = ${profileId} and member.id = m.identifier_id
  where l.profile_id = ${profileId} and l.id = ${listId} and l.from_filter
    and ${isCustomerRefused(profileId, sql.ref('member.customer_id'))} and not exists (
      select 1 from erased_customers e where e.profile_id = ${profileId} and e.id = member.customer_id)`

/** Lists of all profiles with an excluded member, because of a later merge or a lost job. */
export async function listListsToClear(
  db: Db,
  params: { limit: number },
): Promise<{ profile_id: string; list_id: string }[]> {
  const { rows } = await sql<{ profile_id: string; list_id: string }>`
    select distinct x.profile_id, m.list_id
    from audience_exclusions x
    join identifiers excluded on excluded.profile_id = x.profile_id and excluded.id = x.customer_id
    join identifiers i on i.profile_id = x.profile_id and i.customer_id = excluded.customer_id
    join audience_members m on m.profile_id = x.profile_id and m.identifier_id = i.id
    limit ${params.limit}`.execute(db)
  return rows
}

export async function listListsWithMembers(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ list_id: string }>`
    select distinct list_id from audience_members
    where profile_id = ${params.profileId} and identifier_id = any(${uuidList(params.identifierIds)}::uuid[])`.execute(
    db,
  )
  return rows.map((row) => row.list_id)
}

export type RemovalRow = { id: string; list_id: string; members: Buffer; attempts: number; created_at: Date }

export async function insertRemoval(
  tx: Tx,
  row: { profileId: string; id: string; listId: string; members: Buffer; now: Date },
): Promise<void> {
  await sql`
    insert into audience_removals (profile_id, id, list_id, members, attempts, created_at)
    values (${row.profileId}, ${row.id}, ${row.listId}, ${row.members}, 0, ${row.now})`.execute(tx)
}

export async function findRemoval(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<RemovalRow | undefined> {
  const { rows } = await sql<RemovalRow>`
    select id, list_id, members, attempts, created_at from audience_removals
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
  return rows[0]
}

export async function countRemovalAttempt(tx: Tx, params: { profileId: string; id: string }): Promise<void> {
  await sql`
    update audience_removals set attempts = attempts + 1
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

export async function deleteRemoval(tx: Tx, params: { profileId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`
    delete from audience_removals where profile_id = ${params.profileId} and id = ${params.id} returning id`.execute(
    tx,
  )
  return rows.length > 0
}

/** Removals of all profiles whose job may be lost. */
export async function listRemovals(
  db: Db,
  params: { before: Date; limit: number },
): Promise<{ profile_id: string; id: string }[]> {
  const { rows } = await sql<{ profile_id: string; id: string }>`
    select profile_id, id from audience_removals where created_at < ${params.before}
    order by created_at limit ${params.limit}`.execute(db)
  return rows
}

/** Replaces the exclusion of an erased person with hashes of their identifiers, so that they stay excluded. */
export async function hashExclusions(
  tx: Tx,
  params: {
    profileId: string
    identifierIds: readonly string[]
    rows: readonly { id: string; hash: Buffer }[]
    now: Date
  },
): Promise<void> {
  const { profileId, identifierIds, rows } = params
  const deleted = await sql`
    delete from audience_exclusions
    where profile_id = ${profileId} and customer_id = any(${uuidList(identifierIds)}::uuid[]) returning id`.execute(
    tx,
  )
  if (deleted.rows.length === 0 || rows.length === 0) return
  await sql`
    insert into audience_exclusions (profile_id, added_at, id, person_hash)
    select ${profileId}::uuid, ${params.now}::timestamptz, unnest(${uuids(rows, (row) => row.id)}::uuid[]),
      unnest(${byteas(rows, (row) => row.hash)}::bytea[])`.execute(tx)
}
