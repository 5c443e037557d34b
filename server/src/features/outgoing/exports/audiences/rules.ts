/** Members of customer lists and the values they are matched by. Pure. */
import { createHash } from 'node:crypto'
import type { CustomerListMember as Matched } from '../../../../connectors/connector.ts'
import type { PrivacyMode } from '../../../facts/export-queue/rules.ts'
import { type IdentityScope, normaliseEmail, toIdentifiers } from '../../../facts/identity/identifiers.ts'
import { readPhone } from '../../../facts/identity/phone.ts'
import type { PersonFacts } from '../run/facts.ts'
import type { CustomerListMember } from './contract.ts'

/** A hash of the identifier id, which is a keyed hash itself; it cannot be traced back to the identifier. */
export function personHash(identifierId: string): Buffer {
  return createHash('sha256').update(`audience exclusion ${identifierId}`).digest()
}

/** Outside the mode standard the platform receives a neutral name. */
export function publicName(name: string, profileId: string, mode: PrivacyMode): string {
  if (mode === 'standard') return name
  return `Audience ${createHash('sha256').update(`${profileId} ${name}`).digest('hex').slice(0, 8)}`
}

export type Member = {
  index: number
  /** The customer's id, or the identifiers of the values that were sent. */
  identifierIds: string[]
  matched: Matched
}

/** Reads a member that was sent as email, phone or external id; null if none of them is valid. */
export function readMember(
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
