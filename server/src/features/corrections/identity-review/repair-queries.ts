/** Queries of the identity repair: customers without an email or phone identifier, duplicates, and reported values. */
import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../../facts/identity/members.ts'
import type { Repairable } from './repair-rules.ts'

const EMAIL = identifierKinds.indexOf('email')
const PHONE = identifierKinds.indexOf('phone')
const NAMELESS = identifierKinds.indexOf('anonymous_id')
/** A scan reads at most this many reported values; in practice there are far fewer. */
const MAX_SCANNED = 10_000

type Counts = {
  customers: number
  missing_email: number
  missing_phone: number
}

export async function countMissing(db: Db | Tx, profileId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with identified as (
      select bool_or(kind = ${EMAIL}) as has_email, bool_or(kind = ${PHONE}) as has_phone
      from identifiers where profile_id = ${profileId}
      group by customer_id having min(kind) < ${NAMELESS})
    select count(*)::int as customers, count(*) filter (where not has_email)::int as missing_email,
      count(*) filter (where not has_phone)::int as missing_phone from identified`.execute(db)
  return rows[0]!
}

type Group = { groups: number; customers: number }

/** Counts customers with the same value, ignoring differences of spelling. */
export async function countShared(db: Db | Tx, profileId: string, trait: Repairable): Promise<Group> {
  const value =
    trait === 'email' ? sql`lower(trim(t.value))` : sql`ltrim(regexp_replace(t.value, '\\D', '', 'g'), '0')`
  const { rows } = await sql<Group>`
    with shared as (
      select count(distinct i.customer_id) as customers
      from identity_traits t
      join identifiers i on i.profile_id = ${profileId} and i.id = t.identifier_id
      where t.profile_id = ${profileId} and t.trait = ${trait}
      group by ${value} having count(distinct i.customer_id) > 1)
    select count(*)::int as groups, coalesce(sum(customers), 0)::int as customers from shared`.execute(db)
  return rows[0]!
}

type ReportedValue = { customer_id: string; kind: number; trait: Repairable; value: string }

/** The latest reported value of each customer who has no identifier of that kind. */
export async function listUnidentifiedValues(db: Db | Tx, profileId: string): Promise<ReportedValue[]> {
  const { rows } = await sql<ReportedValue>`
    with existing as (
      select customer_id, bool_or(kind = ${EMAIL}) as has_email, bool_or(kind = ${PHONE}) as has_phone
      from identifiers where profile_id = ${profileId} group by customer_id)
    select distinct on (i.customer_id, t.trait) i.customer_id, c.kind, t.trait, t.value
    from identity_traits t
    join identifiers i on i.profile_id = ${profileId} and i.id = t.identifier_id
    join identifiers c on c.profile_id = ${profileId} and c.id = i.customer_id
    join existing on existing.customer_id = i.customer_id
    where t.profile_id = ${profileId} and c.kind < ${identifierKinds.length}
      and ((t.trait = 'email' and not existing.has_email) or (t.trait = 'phone' and not existing.has_phone))
      and ${isAlive(profileId, sql.ref('i.customer_id'))}
    order by i.customer_id, t.trait, t.observed_at desc, t.event_id desc limit ${MAX_SCANNED}`.execute(db)
  return rows
}

/** The identifiers that some customer of the profile already has. */
export async function listExistingIdentifiers(
  db: Db | Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from identifiers
    where profile_id = ${profileId} and id = any(${uuidList(identifierIds)}::uuid[])`.execute(db)
  return new Set(rows.map((row) => row.id))
}
