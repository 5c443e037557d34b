/** Normalises what names a person and hashes it for lookup: two spellings of one address are one identifier. */
import type { KeyObject } from 'node:crypto'
import type { IdentifierKind } from '@whence/engine'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { keyedHash } from '../../secrets/keyed-hash.ts'
import { toUuid } from '../../secrets/uuid5.ts'

export type RawIdentifiers = {
  anonymousId?: string | null
  email?: string | null
  /** Any notation; `country` helps a number without a country code. */
  phone?: string | null
  externalId?: string | null
  crmContactId?: string | null
  nationalId?: string | null
  /** A payment provider's or store's own id of its customer: it knows the same person under another id than the next provider. */
  providerCustomerId?: string | null
}

export type IdentifierRef = { kind: IdentifierKind; id: string }

export function normaliseEmail(email: string): string | undefined {
  const text = email.trim().toLowerCase()
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 320 ? text : undefined
}

/** E.164, or undefined when it is no possible number. */
export function normalisePhone(phone: string): string | undefined {
  const text = phone.trim().replace(/^p:/i, '').replace(/^00/, '+')
  const parsed = parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text.replace(/\D/g, '')}`)
  return parsed?.isPossible() === true ? parsed.number : undefined
}

function normaliseOpaque(value: string): string | undefined {
  const text = value.trim()
  return text === '' || text.length > 320 ? undefined : text
}

/** Strongest first, at most one per kind. `pepper` is the deployment's own; the profile keeps tenants apart. */
export function toIdentifiers(raw: RawIdentifiers, profileId: string, pepper: KeyObject): IdentifierRef[] {
  const values: [IdentifierKind, string | undefined][] = [
    ['external_id', normalised(raw.externalId, normaliseOpaque)],
    ['crm_contact_id', normalised(raw.crmContactId, normaliseOpaque)],
    [
      'national_id',
      normalised(raw.nationalId, (value) => normaliseOpaque(value.replace(/[\s.-]/g, '').toUpperCase())),
    ],
    ['email', normalised(raw.email, normaliseEmail)],
    ['phone', normalised(raw.phone, normalisePhone)],
    ['provider_customer_id', normalised(raw.providerCustomerId, normaliseOpaque)],
    ['anonymous_id', normalised(raw.anonymousId, normaliseOpaque)],
  ]
  return values.flatMap(([kind, value]) =>
    value === undefined ? [] : [{ kind, id: identifierId(kind, value, profileId, pepper) }],
  )
}

function normalised(value: string | null | undefined, normalise: (text: string) => string | undefined) {
  return value === null || value === undefined ? undefined : normalise(value)
}

export function identifierId(
  kind: IdentifierKind,
  value: string,
  profileId: string,
  pepper: KeyObject,
): string {
  // Version 8: the bits are ours.
  return toUuid(keyedHash(pepper, `${profileId}\n${kind}\n${value}`), 8)
}
