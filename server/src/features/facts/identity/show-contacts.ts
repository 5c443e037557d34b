import type { ProfileContext } from '../../../context.ts'
import { loadContacts, type PersonContact } from './contact.ts'

/** The people a response shows. Each one is noted here, so that no route can forget the access log. */
export async function showContacts(
  context: Pick<ProfileContext, 'db' | 'profile' | 'shown'>,
  customerIds: readonly string[],
): Promise<Map<string, PersonContact>> {
  const contacts = await loadContacts(context.db, context.profile.id, customerIds)
  for (const id of contacts.keys()) context.shown.add(id)
  return contacts
}
