/** Normalises what names a person and hashes it for lookup: two spellings of one address are one identifier. */
import type { KeyObject } from 'node:crypto'
import type { IdentifierKind } from '@whence/engine'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { keyedHash } from '../../secrets/keyed-hash.ts'
import { toUuid } from '../../secrets/uuid5.ts'

const MAX_ORDER_ID = 200

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
  return text.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined
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

/** Strongest first. */
const kinds: readonly {
  kind: IdentifierKind
  from: keyof RawIdentifiers
  normalise(value: string): string | undefined
}[] = [
  { kind: 'external_id', from: 'externalId', normalise: normaliseOpaque },
  { kind: 'crm_contact_id', from: 'crmContactId', normalise: normaliseOpaque },
  {
    kind: 'national_id',
    from: 'nationalId',
    normalise: (value) => normaliseOpaque(value.replace(/[\s.-]/g, '').toUpperCase()),
  },
  { kind: 'email', from: 'email', normalise: normaliseEmail },
  { kind: 'phone', from: 'phone', normalise: normalisePhone },
  { kind: 'provider_customer_id', from: 'providerCustomerId', normalise: normaliseOpaque },
  { kind: 'anonymous_id', from: 'anonymousId', normalise: normaliseOpaque },
]

/** At most one per kind. `pepper` is the deployment's own; the profile keeps tenants apart. */
export function toIdentifiers(raw: RawIdentifiers, profileId: string, pepper: KeyObject): IdentifierRef[] {
  const found: IdentifierRef[] = []
  for (const { kind, from, normalise } of kinds) {
    const value = raw[from]
    const text = value === null || value === undefined ? undefined : normalise(value)
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
  return toUuid(keyedHash(pepper, `${profileId}\n${kind}\n${value}`), 8)
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
