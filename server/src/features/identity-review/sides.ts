/** Who the customers of a pair are, as far as whoever asks may know it. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import { canReadPeople, type ProfileContext } from '../../context.ts'
import { logPersonAccess } from '../audit/operations.ts'
import { loadContacts, type PersonContact } from '../identity/contact.ts'
import { listKinds } from './queries.ts'

export type Side = {
  customer_id: string
  identifier_kinds: IdentifierKind[]
  contact: PersonContact | null
  contact_withheld: boolean
}

/** Whom it shows is logged under the route's name. */
export async function describeCustomers(
  context: ProfileContext,
  route: string,
  customerIds: readonly string[],
): Promise<(customerId: string) => Side> {
  const { db, profile } = context
  const open = canReadPeople(context)
  const ids = [...new Set(customerIds)]
  const kinds = await listKinds(db, { profileId: profile.id, customerIds: ids })
  const contacts = open ? await loadContacts(db, profile.id, ids) : new Map<string, PersonContact>()
  if (contacts.size > 0) await logPersonAccess(context, route, [...contacts.keys()])
  return (customerId) => ({
    customer_id: customerId,
    identifier_kinds: (kinds.get(customerId) ?? []).flatMap((kind) => identifierKinds[kind] ?? []),
    contact: contacts.get(customerId) ?? null,
    contact_withheld: !open,
  })
}
