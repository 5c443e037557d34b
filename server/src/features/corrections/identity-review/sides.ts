/** Describes the customers of a pair, with contacts if the caller may read people. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import { canReadPeople, type ProfileContext } from '../../../context.ts'
import { loadContactsBySide, type PersonContact } from '../../facts/identity/contact.ts'
import { showContacts } from '../../facts/identity/show-contacts.ts'
import { listKinds, listKindsOf, type MergedSide } from './queries.ts'

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
  const canSeePeople = canReadPeople(context)
  const ids = [...new Set(customerIds)]
  const kinds = await listKinds(db, { profileId: profile.id, customerIds: ids })
  const contacts = canSeePeople ? await showContacts(context, ids) : new Map<string, PersonContact>()
  return (customerId) => ({
    customer_id: customerId,
    identifier_kinds: (kinds.get(customerId) ?? []).flatMap((kind) => identifierKinds[kind] ?? []),
    contact: contacts.get(customerId) ?? null,
    contact_withheld: !canSeePeople,
  })
}

/** Describes the customers of merged pairs by the identifiers that each had before the merge. */
export async function describeMergedSides(
  context: ProfileContext,
  sides: readonly MergedSide[],
): Promise<(side: MergedSide) => Side> {
  const { db, profile, shown } = context
  const canSeePeople = canReadPeople(context)
  const identifierIds = sides.flatMap((side) => side.identifier_ids)
  const kinds = await listKindsOf(db, { profileId: profile.id, identifierIds })
  const contacts = canSeePeople
    ? await loadContactsBySide(db, profile.id, sides)
    : new Map<string, PersonContact>()
  for (const id of contacts.keys()) shown.add(id)
  return (side) => ({
    customer_id: side.customer_id,
    identifier_kinds: side.identifier_ids
      .flatMap((id) => kinds.get(id) ?? [])
      .sort((a, b) => a - b)
      .flatMap((kind) => identifierKinds[kind] ?? []),
    contact: contacts.get(side.customer_id) ?? null,
    contact_withheld: !canSeePeople,
  })
}
