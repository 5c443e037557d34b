/** The platform's normalisation rules for email addresses, phone numbers and postal addresses before hashing. */
import type { ExportAddress } from '../connector.ts'
import { hashAll } from '../export-results.ts'

/** The platform's mail service ignores dots and everything after a plus sign. */
const ownMailDomains = new Set(['gmail.com', 'googlemail.com'])

/** Empty if nothing is left before the @. */
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

type Address = { givenName: string; familyName: string; regionCode: string; postalCode: string }
export type UserIdentifier = { emailAddress: string } | { phoneNumber: string } | { address: Address }

const normaliseName = (name: string): string => name.trim().toLowerCase()

/** The platform matches an address only by all four fields; only the names are hashed. */
function addressOf(address: ExportAddress | null | undefined): { address: Address }[] {
  if (address == null) return []
  const { firstName, lastName, country, postalCode } = address
  if (firstName === null || lastName === null || country === null || postalCode === null) return []
  const [givenName] = hashAll([firstName], normaliseName)
  const [familyName] = hashAll([lastName], normaliseName)
  if (givenName === undefined || familyName === undefined || postalCode.trim() === '') return []
  return [{ address: { givenName, familyName, regionCode: country, postalCode: postalCode.trim() } }]
}

export const toUserIdentifiers = (person: {
  emails: string[]
  phones: string[]
  address?: ExportAddress | null
}): UserIdentifier[] =>
  [
    ...hashAll(person.emails, normaliseEmail).map((emailAddress) => ({ emailAddress })),
    ...hashAll(person.phones, normalisePhone).map((phoneNumber) => ({ phoneNumber })),
    ...addressOf(person.address),
  ].slice(0, maxIdentifiers)
