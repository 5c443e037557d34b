/** Who a person is, read when it is asked for and kept nowhere else. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type PersonContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

type TraitRow = { person_id: string; trait: keyof PersonContact; value: string }

/**
 * The latest value of each trait over all identifiers of the person. `personIds` are identifiers or
 * customers; a person who was erased, or of whom nothing is known, is absent.
 */
export async function loadContacts(
  db: Db | Tx,
  profileId: string,
  personIds: readonly string[],
): Promise<Map<string, PersonContact>> {
  const contacts = new Map<string, PersonContact>()
  if (personIds.length === 0) return contacts
  // Each step looks up the rows of the step before by their keys, whatever the statistics say of a new profile.
  const { rows } = await sql<TraitRow>`
    select distinct on (asked.id, said.trait) asked.id as person_id, said.trait, said.value
    from unnest(${[...new Set(personIds)]}::uuid[]) as asked(id)
    cross join lateral (
      select i.customer_id from identifiers i
      where i.profile_id = ${profileId} and i.id = asked.id limit 1) as person
    cross join lateral (
      select c.id from customers c
      where c.profile_id = ${profileId} and c.id = person.customer_id and c.erased_at is null limit 1) as alive
    cross join lateral (
      select o.id from identifiers o
      where o.profile_id = ${profileId} and o.customer_id = alive.id offset 0) as own
    cross join lateral (
      select t.trait, t.value, t.observed_at, t.event_id from identity_traits t
      where t.profile_id = ${profileId} and t.identifier_id = own.id
        and t.trait in ('first_name', 'last_name', 'email', 'phone') offset 0) as said
    order by asked.id, said.trait, said.observed_at desc, said.event_id desc`.execute(db)
  for (const row of rows) {
    const contact = contacts.get(row.person_id) ?? {
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
    }
    contact[row.trait] = row.value
    contacts.set(row.person_id, contact)
  }
  return contacts
}
