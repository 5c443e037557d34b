/** How the platform wants a person's addresses and numbers before they are hashed. */
import { hashAll } from '../export-results.ts'

/** Its own mail service ignores dots and what follows a plus sign. */
const ownMailDomains = new Set(['gmail.com', 'googlemail.com'])

/** Empty where nothing is left before the @: such an address is no one's. */
export function normaliseEmail(email: string): string {
  const bare = email.replace(/\s/g, '').toLowerCase()
  const at = bare.lastIndexOf('@')
  const domain = bare.slice(at + 1)
  if (at < 0 || !ownMailDomains.has(domain)) return bare
  const mailbox = bare.slice(0, at).split('+', 1)[0]!.replaceAll('.', '')
  return mailbox === '' ? '' : `${mailbox}@${domain}`
}

/** E.164 with its plus sign. */
export const normalisePhone = (phone: string): string => {
  const digits = phone.replace(/\D/g, '')
  return digits === '' ? '' : `+${digits}`
}

const maxIdentifiers = 10

export type UserIdentifier = { emailAddress: string } | { phoneNumber: string }

export const toUserIdentifiers = (person: { emails: string[]; phones: string[] }): UserIdentifier[] =>
  [
    ...hashAll(person.emails, normaliseEmail).map((emailAddress) => ({ emailAddress })),
    ...hashAll(person.phones, normalisePhone).map((phoneNumber) => ({ phoneNumber })),
  ].slice(0, maxIdentifiers)
