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
  const { rows } = await sql<TraitRow>`
    with people as (
      select i.id, i.customer_id from identifiers i
      join customers c on c.profile_id = ${profileId} and c.id = i.customer_id and c.erased_at is null
      where i.profile_id = ${profileId} and i.id = any(${[...new Set(personIds)]}::uuid[]))
    select distinct on (p.id, t.trait) p.id as person_id, t.trait, t.value
    from people p
    join identifiers o on o.profile_id = ${profileId} and o.customer_id = p.customer_id
    join identity_traits t on t.profile_id = ${profileId} and t.identifier_id = o.id
    where t.trait in ('first_name', 'last_name', 'email', 'phone')
    order by p.id, t.trait, t.observed_at desc, t.event_id desc`.execute(db)
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

export async function loadContact(
  db: Db | Tx,
  profileId: string,
  customerId: string,
): Promise<PersonContact | undefined> {
  return (await loadContacts(db, profileId, [customerId])).get(customerId)
}
