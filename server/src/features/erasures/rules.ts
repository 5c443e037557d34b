/** Whom a request means. Pure. */
import type { KeyObject } from 'node:crypto'
import { keyedHash } from '../../secrets/keyed-hash.ts'
import { toIdentifiers } from '../identity/identifiers.ts'

export type Selector = {
  customer_id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  external_id?: string | undefined
  anonymous_id?: string | undefined
  /** `provider:id`, as a provider's own request names somebody; no route takes it. */
  provider_customer_id?: string | undefined
}

/** Undefined for what can name nobody, such as a phone number that is none. */
export function identifierOf(selector: Selector, profileId: string, pepper: KeyObject): string | undefined {
  if (selector.customer_id !== undefined) return selector.customer_id
  const raw = {
    email: selector.email ?? null,
    phone: selector.phone ?? null,
    externalId: selector.external_id ?? null,
    anonymousId: selector.anonymous_id ?? null,
    providerCustomerId: selector.provider_customer_id ?? null,
  }
  return toIdentifiers(raw, profileId, pepper)[0]?.id
}

/** Finds the receipt of an equal request, and leads to nobody: it is joined with nothing. */
export function selectorHash(identifierId: string, profileId: string, pepper: KeyObject): Buffer {
  return Buffer.from(keyedHash(pepper, `erasure\n${profileId}\n${identifierId}`), 'hex')
}
