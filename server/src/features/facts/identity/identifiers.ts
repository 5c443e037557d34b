/** Normalises what names a person and hashes it for lookup: two spellings of one address are one identifier. */
import type { KeyObject } from 'node:crypto'
import type { IdentifierKind } from '@whence/engine'
import { findCountry } from '../../../platform/contract/countries.ts'
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts'
import { toUuid, withTimeOf } from '../../../platform/secrets/uuid5.ts'
import { lineOf, readPhone } from './phone.ts'

const MAX_ORDER_ID = 200

export type RawIdentifiers = {
  anonymousId?: string | null
  email?: string | null
  /** Any notation; one without a country code is read in `country`, or else in the profile's. */
  phone?: string | null
  country?: string | null
  externalId?: string | null
  crmContactId?: string | null
  nationalId?: string | null
  /** A payment provider's or store's own id of its customer: it knows the same person under another id than the next provider. */
  providerCustomerId?: string | null
}

export type IdentifierRef = { kind: IdentifierKind; id: string }

/** `pepper` is the deployment's own, the profile separates tenants. */
export type IdentityScope = {
  profileId: string
  pepper: KeyObject
  /** Where phone numbers without a country code are read; null where they identify no one. */
  country: string | null
}

export function normaliseEmail(email: string): string | undefined {
  const text = email.trim().toLowerCase()
  return text.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined
}

function normaliseOpaque(value: string): string | undefined {
  const text = value.trim()
  return text === '' || text.length > 320 ? undefined : text
}

/** Strongest first. */
const kinds: readonly {
  kind: IdentifierKind
  from: Exclude<keyof RawIdentifiers, 'country'>
  normalise(value: string, country: string | null): string | undefined
}[] = [
  { kind: 'external_id', from: 'externalId', normalise: normaliseOpaque },
  { kind: 'crm_contact_id', from: 'crmContactId', normalise: normaliseOpaque },
  {
    kind: 'national_id',
    from: 'nationalId',
    normalise: (value) => normaliseOpaque(value.replace(/[\s.-]/g, '').toUpperCase()),
  },
  { kind: 'email', from: 'email', normalise: normaliseEmail },
  { kind: 'phone', from: 'phone', normalise: phoneKey },
  { kind: 'provider_customer_id', from: 'providerCustomerId', normalise: normaliseOpaque },
  { kind: 'anonymous_id', from: 'anonymousId', normalise: normaliseOpaque },
]

/** What a phone number is found by: the same for every notation of one line. */
function phoneKey(typed: string, country: string | null): string | undefined {
  const number = readPhone(typed, country)
  return number === undefined ? undefined : lineOf(number)
}

/** The identifier of a phone number; undefined where the number identifies no one. */
export function phoneIdOf(
  typed: string,
  scope: IdentityScope,
  ownCountry?: string | null,
): string | undefined {
  const key = phoneKey(typed, findCountry(ownCountry) ?? scope.country)
  return key === undefined ? undefined : identifierId('phone', key, scope.profileId, scope.pepper)
}

/** At most one per kind. */
export function toIdentifiers(raw: RawIdentifiers, scope: IdentityScope): IdentifierRef[] {
  const { profileId, pepper } = scope
  const country = findCountry(raw.country) ?? scope.country
  const found: IdentifierRef[] = []
  for (const { kind, from, normalise } of kinds) {
    const value = raw[from]
    const text = value === null || value === undefined ? undefined : normalise(value, country)
    if (text !== undefined) found.push({ kind, id: identifierId(kind, text, profileId, pepper) })
  }
  return found
}

export function identifierId(
  kind: IdentifierKind,
  value: string,
  profileId: string,
  pepper: KeyObject,
): string {
  // Version 8: the bits are ours.
  const id = toUuid(keyedHash(pepper, `${profileId}\n${kind}\n${value}`), 8)
  return kind === 'anonymous_id' ? withTimeOf(value, id) : id
}

/** What names an order in every source: a store's own form of its ids is the plain id. */
function orderRef(orderId: string, profileId: string, pepper: KeyObject): string | undefined {
  const id = orderId
    .trim()
    .replace(/^gid:\/\/[^?]*\//, '')
    .replace(/^#/, '')
  return id === '' ? undefined : toUuid(keyedHash(pepper, `${profileId}\norder\n${id}`), 8)
}

/** The order's id as an event keeps it, with what it is found by. */
export function orderOf(
  orderId: string | number | null | undefined,
  profileId: string,
  pepper: KeyObject,
): { order_id?: string; order_ref?: string } {
  if (orderId === null || orderId === undefined) return {}
  const text = String(orderId).slice(0, MAX_ORDER_ID)
  const ref = orderRef(text, profileId, pepper)
  return ref === undefined ? {} : { order_id: text, order_ref: ref }
}
