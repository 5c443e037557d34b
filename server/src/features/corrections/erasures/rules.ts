/** Finds the person that a request is about. Pure. */
import type { KeyObject } from 'node:crypto'
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts'
import { type IdentityScope, toIdentifiers } from '../../facts/identity/identifiers.ts'

export type Selector = {
  customer_id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  external_id?: string | undefined
  anonymous_id?: string | undefined
  /** `provider:id`, as a provider's own request names somebody; no route takes it. */
  provider_customer_id?: string | undefined
  /** The same of a CRM. */
  crm_contact_id?: string | undefined
}

/** Undefined for what can name no one, such as a phone number that is none. */
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

/** Finds the receipt of an equal request, and leads to no one: it is joined with nothing. */
export function selectorHash(identifierId: string, profileId: string, pepper: KeyObject): Buffer {
  return Buffer.from(keyedHash(pepper, `erasure\n${profileId}\n${identifierId}`), 'hex')
}
