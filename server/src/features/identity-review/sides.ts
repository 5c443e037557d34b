/** Who the customers of a pair are, as far as whoever asks may know it. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import { canReadPeople, type ProfileContext } from '../../context.ts'
import type { PersonContact } from '../identity/contact.ts'
import { showContacts } from '../identity/show-contacts.ts'
import { listKinds } from './queries.ts'

export type Side = {
  customer_id: string
  identifier_kinds: IdentifierKind[]
  contact: PersonContact | null
  contact_withheld: boolean
}

export async function describeCustomers(
  context: ProfileContext,
  customerIds: readonly string[],
): Promise<(customerId: string) => Side> {
  const { db, profile } = context
  const open = canReadPeople(context)
  const ids = [...new Set(customerIds)]
  const kinds = await listKinds(db, { profileId: profile.id, customerIds: ids })
  const contacts = open ? await showContacts(context, ids) : new Map<string, PersonContact>()
  return (customerId) => ({
    customer_id: customerId,
    identifier_kinds: (kinds.get(customerId) ?? []).flatMap((kind) => identifierKinds[kind] ?? []),
    contact: contacts.get(customerId) ?? null,
    contact_withheld: !open,
  })
}
