/** Turns the selector of an erasure request into an identifier. Pure. */
import type { KeyObject } from 'node:crypto'
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts'
import { type IdentityScope, toIdentifiers } from '../../facts/identity/identifiers.ts'

export type Selector = {
  customer_id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  external_id?: string | undefined
  anonymous_id?: string | undefined
  /** `provider:id`, from a provider's privacy request; not accepted by any route. */
  provider_customer_id?: string | undefined
  /** `provider:id` of a CRM contact; not accepted by any route. */
  crm_contact_id?: string | undefined
}

/** Undefined if the value is not a valid identifier, such as a malformed phone number. */
export function identifierOf(selector: Selector, scope: IdentityScope): string | undefined {
  if (selector.customer_id !== undefined) return selector.customer_id
  const raw = {
    email: selector.email ?? null,
    phone: selector.phone ?? null,
    externalId: selector.external_id ?? null,
    anonymousId: selector.anonymous_id ?? null,
    providerCustomerId: selector.provider_customer_id ?? null,
    crmContactId: selector.crm_contact_id ?? null,
  }
  return toIdentifiers(raw, scope)[0]?.id
}

/** Keyed hash that finds the receipt of a repeated request without storing the identifier. */
export function selectorHash(identifierId: string, profileId: string, pepper: KeyObject): Buffer {
  return Buffer.from(keyedHash(pepper, `erasure\n${profileId}\n${identifierId}`), 'hex')
}
