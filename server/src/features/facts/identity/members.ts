/**
 * The identifiers of a customer. A customer's root identifier has the customer's id, so the index by customer contains
 * only the other ones: most customers have a single identifier.
 */
import { identifierKinds } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** An event without identifiers is an unknown person of its own. */
export const UNKNOWN_KIND = identifierKinds.length
/** The anonymous customer that replaces an erased person. */
export const ERASED_KIND = UNKNOWN_KIND + 1

/** Identifier → customer. */
export type Members = ReadonlyMap<string, string>

type MemberRow = { id: string; customer_id: string; kind: number }

/** Subquery for the `identifiers` rows of these customers; root identifiers only of those in `ownOf`. */
export function membersOf(
  profileId: string,
  customerIds: readonly string[],
  ownOf = customerIds,
): RawBuilder<MemberRow> {
  return sql`(
    select id, customer_id, kind from identifiers
    where profile_id = ${profileId} and id = any(${uuidList(ownOf)}::uuid[]) and customer_id = id
    union all
    select joined.id, joined.customer_id, joined.kind from unnest(${uuidList(customerIds)}::uuid[]) as input(id)
    cross join lateral (
      select id, customer_id, kind from identifiers
      where profile_id = ${profileId} and customer_id = input.id and customer_id <> id offset 0) as joined)`
}

/** `ownIds`: customers whose root identifier is known to exist and need not be read. */
export async function loadMembers(
  db: Db | Tx,
  profileId: string,
  customerIds: readonly string[],
  ownIds: ReadonlySet<string> = new Set(),
): Promise<Members> {
  if (customerIds.length === 0) return new Map()
  const unknownIds = customerIds.filter((id) => !ownIds.has(id))
  const { rows } = await sql<Omit<MemberRow, 'kind'>>`
    select id, customer_id from ${membersOf(profileId, customerIds, unknownIds)} members`.execute(db)
  const members = new Map(rows.map((row) => [row.id, row.customer_id]))
  for (const id of customerIds) if (ownIds.has(id)) members.set(id, id)
  return members
}

/** The identifiers of some of the customers. */
export function identifiersOf(members: Members, customerIds: ReadonlySet<string>): string[] {
  const ids: string[] = []
  for (const [id, customerId] of members) if (customerIds.has(customerId)) ids.push(id)
  return ids
}

/** SQL condition: the customer was not erased. */
export function isAlive(
  profileId: string | RawBuilder<string>,
  customerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`not exists (
    select 1 from erased_customers erased where erased.profile_id = ${profileId} and erased.id = ${customerId})`
}

/** The customer that an identifier belongs to, unless the person was erased. */
export async function findLiveCustomer(
  db: Db | Tx,
  params: { profileId: string; identifierId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from identifiers i
    where i.profile_id = ${params.profileId} and i.id = ${params.identifierId}
      and ${isAlive(params.profileId, sql.ref('i.customer_id'))}`.execute(db)
  return rows[0]?.id
}
