/** Who is on a customer list, and who may not be. Pure. */
import { createHash } from 'node:crypto'
import type { CustomerListMember as Matched } from '../../../../connectors/connector.ts'
import type { PrivacyMode } from '../../../facts/export-queue/rules.ts'
import { type IdentityScope, normaliseEmail, toIdentifiers } from '../../../facts/identity/identifiers.ts'
import { readPhone } from '../../../facts/identity/phone.ts'
import type { PersonFacts } from '../run/facts.ts'
import type { CustomerListMember } from './contract.ts'

/** Identifier ids are keyed hashes already; this one leads back to none of them. */
export function personHash(identifierId: string): Buffer {
  return createHash('sha256').update(`audience exclusion ${identifierId}`).digest()
}

/** The platform is notified a name that says nothing. */
export function publicName(name: string, profileId: string, mode: PrivacyMode): string {
  if (mode === 'standard') return name
  return `Audience ${createHash('sha256').update(`${profileId} ${name}`).digest('hex').slice(0, 8)}`
}

export type Member = {
  index: number
  /** By which the member is known here: of a customer the root, of others every identifier they were named by. */
  identifierIds: string[]
  matched: Matched
}

/** What a member who is named by values is matched by; null where nothing of it can be read. */
export function namedMember(
  member: Exclude<CustomerListMember, { customer_id: string }>,
  index: number,
  scope: IdentityScope,
): Member | null {
  const email = member.email === undefined ? undefined : normaliseEmail(member.email)
  const phone =
    member.phone === undefined ? undefined : readPhone(member.phone, member.country ?? scope.country)
  const externalId = member.external_id?.trim() || undefined
  if (email === undefined && phone === undefined && externalId === undefined) return null
  const raw = { email: email ?? null, phone: phone ?? null, externalId: externalId ?? null }
  return {
    index,
    identifierIds: toIdentifiers(raw, scope).map(({ id }) => id),
    matched: {
      emails: email === undefined ? [] : [email],
      phones: phone === undefined ? [] : [phone],
      externalIds: externalId === undefined ? [] : [externalId],
    },
  }
}

export function toMatched(person: PersonFacts | undefined): Matched | null {
  if (person === undefined || person.isErased) return null
  const matched = {
    emails: [...new Set(person.emails.flatMap((value) => normaliseEmail(value) ?? []))],
    phones: [...new Set(person.phones.flatMap((value) => readPhone(value, null) ?? []))],
    externalIds: [
      ...new Set(person.externalIds.map((value) => value.trim()).filter((value) => value !== '')),
    ],
  }
  return matched.emails.length + matched.phones.length + matched.externalIds.length === 0 ? null : matched
}
