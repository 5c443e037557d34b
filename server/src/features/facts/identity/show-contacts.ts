import type { ProfileContext } from '../../../context.ts'
import { loadContacts, type PersonContact } from './contact.ts'

/** Loads the contacts that a response shows and records each for the access log, so that no route can forget it. */
export async function showContacts(
  context: Pick<ProfileContext, 'db' | 'profile' | 'shown'>,
  customerIds: readonly string[],
): Promise<Map<string, PersonContact>> {
  const contacts = await loadContacts(context.db, context.profile.id, customerIds)
  for (const id of contacts.keys()) context.shown.add(id)
  return contacts
}
