/** Normalises and hashes identifiers, so that different spellings of an address are the same identifier. */
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
  /** In any notation. Without a country code it is parsed for `country`, else for the profile's country. */
  phone?: string | null
  country?: string | null
  externalId?: string | null
  crmContactId?: string | null
  nationalId?: string | null
  /** A payment provider's or store's id of its customer, prefixed with the provider. */
  providerCustomerId?: string | null
}

export type IdentifierRef = { kind: IdentifierKind; id: string }

/** `pepper` is the hash key of the deployment; the profile id separates tenants. */
export type IdentityScope = {
  profileId: string
  pepper: KeyObject
  /** Country of phone numbers without a country code; null if such numbers are not used as identifiers. */
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

/** The lookup key of a phone number, the same for every notation. */
function phoneKey(typed: string, country: string | null): string | undefined {
  const number = readPhone(typed, country)
  return number === undefined ? undefined : lineOf(number)
}

/** The identifier of a phone number; undefined if it cannot be parsed. */
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
  const identifiers: IdentifierRef[] = []
  for (const { kind, from, normalise } of kinds) {
    const value = raw[from]
    const text = value === null || value === undefined ? undefined : normalise(value, country)
    if (text !== undefined) identifiers.push({ kind, id: identifierId(kind, text, profileId, pepper) })
  }
  return identifiers
}

export function identifierId(
  kind: IdentifierKind,
  value: string,
  profileId: string,
  pepper: KeyObject,
): string {
  // UUID version 8: custom contents.
  const id = toUuid(keyedHash(pepper, `${profileId}\n${kind}\n${value}`), 8)
  return kind === 'anonymous_id' ? withTimeOf(value, id) : id
}

/** Hash of an order id, the same for every source: a store's prefixes (`gid://…/`, `#`) are removed. */
function orderRef(orderId: string, profileId: string, pepper: KeyObject): string | undefined {
  const id = orderId
    .trim()
    .replace(/^gid:\/\/[^?]*\//, '')
    .replace(/^#/, '')
  return id === '' ? undefined : toUuid(keyedHash(pepper, `${profileId}\norder\n${id}`), 8)
}

/** The order id and its hash as stored in an event. */
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
