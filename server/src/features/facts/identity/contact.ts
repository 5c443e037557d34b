/** Contact data of people, derived from traits on read and stored nowhere else. */
import { type RawBuilder, sql } from 'kysely'
import { type Db, plainArray, type Tx } from '../../../platform/db/database.ts'
import { isAlive } from './members.ts'

export type PersonContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

/**
 * SQL expression for a customer's traits as a JSON object; null without traits. Values are aggregated in order of time,
 * and JSON keeps the last value per key. Most customers have one identifier, whose traits the index returns in order, so
 * only customers with several are sorted. Lateral joins look rows up by key, independent of planner statistics.
 */
export function contactOf(profileId: string | RawBuilder<string>, customerId: RawBuilder<unknown>) {
  const traitsOf = (identifierId: RawBuilder<unknown>) => sql`(
    select t.trait, t.value, t.observed_at, t.event_id from identity_traits t
    where t.profile_id = ${profileId} and t.identifier_id = ${identifierId} and t.trait <> 'external_id'
    order by t.observed_at, t.event_id offset 0) as traits`
  const joined = sql`
    select o.id from identifiers o
    where o.profile_id = ${profileId} and o.customer_id = ${customerId} and o.customer_id <> o.id`
  return sql<Partial<PersonContact> | null>`case
    when exists (${joined}) then (
      select json_object_agg(traits.trait, traits.value order by traits.observed_at, traits.event_id)
      from (select ${customerId} as id union all ${joined} offset 0) as identifier
      cross join lateral ${traitsOf(sql.ref('identifier.id'))})
    else (select json_object_agg(traits.trait, traits.value) from ${traitsOf(customerId)}) end`
}

/** Completes the result of `contactOf`: missing fields are null. */
export function toContact(traits: Partial<PersonContact> | null): PersonContact | null {
  if (traits === null) return null
  const { first_name = null, last_name = null, email = null, phone = null } = traits
  return { first_name, last_name, email, phone }
}

/** `personIds` are identifiers or customers. Erased and unknown people are absent. */
export async function loadContacts(
  db: Db | Tx,
  profileId: string,
  personIds: readonly string[],
): Promise<Map<string, PersonContact>> {
  if (personIds.length === 0) return new Map()
  const { rows } = await sql<{ person_id: string; contact: Partial<PersonContact> | null }>`
    select input.id as person_id, ${contactOf(profileId, sql.ref('alive.id'))} as contact
    from unnest(${plainArray([...new Set(personIds)])}::uuid[]) as input(id)
    cross join lateral (
      select i.customer_id as id from identifiers i
      where i.profile_id = ${profileId} and i.id = input.id
        and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive`.execute(db)
  return new Map(
    rows.flatMap(({ person_id, contact }) => (contact === null ? [] : [[person_id, toContact(contact)!]])),
  )
}

/** Contacts by customer, only from the traits of the given identifiers. */
export async function loadContactsBySide(
  db: Db | Tx,
  profileId: string,
  sides: readonly { customer_id: string; identifier_ids: readonly string[] }[],
): Promise<Map<string, PersonContact>> {
  if (sides.length === 0) return new Map()
  const { rows } = await sql<{ identifier_id: string; trait: string; value: string }>`
    select identifier_id, trait, value from identity_traits
    where profile_id = ${profileId} and identifier_id = any(${plainArray(sides.flatMap((side) => side.identifier_ids))}::uuid[])
      and trait <> 'external_id'
    order by observed_at, event_id`.execute(db)
  return new Map(
    sides.flatMap(({ customer_id, identifier_ids }) => {
      const traits = rows.filter((row) => identifier_ids.includes(row.identifier_id))
      if (traits.length === 0) return []
      const contact = toContact(Object.fromEntries(traits.map((row) => [row.trait, row.value])))!
      return [[customer_id, contact] as const]
    }),
  )
}
