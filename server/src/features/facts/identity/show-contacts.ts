import type { ProfileContext } from '../../../context.ts'
import { loadContacts, type PersonContact } from './contact.ts'

/** The people an answer shows. Anyone who is found is noted, so that the access log cannot be forgotten. */
export async function showContacts(
  context: Pick<ProfileContext, 'db' | 'profile' | 'shown'>,
  customerIds: readonly string[],
): Promise<Map<string, PersonContact>> {
  const contacts = await loadContacts(context.db, context.profile.id, customerIds)
  for (const id of contacts.keys()) context.shown.add(id)
  return contacts
}
