/** Translates a search text into the keys that the database can look up. */
import type { ProfileContext } from '../../../context.ts'
import { type AmountBounds, amountBounds, readAmountText } from '../../../platform/contract/amounts.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { orderOf, toIdentifiers } from './identifiers.ts'
import { searchTokens } from './name-tokens.ts'
import { identityScope } from './scope.ts'

export type PersonSearch = {
  profileId: string
  identifierIds: readonly string[]
  orderRef: string | null
  /** The id of a conversion or of a payment. */
  recordId: string | null
  /** One per word; each must be the prefix of a word of the name. */
  nameTokens: readonly string[]
  /** Matches people who paid this amount; null if the text is no amount. */
  amount: readonly AmountBounds[] | null
}

/** The text may be any kind of identifier, so it is hashed as each of them. */
export function searchFor(
  { service, profile }: Pick<ProfileContext, 'service' | 'profile'>,
  search: string,
): PersonSearch {
  const anyIdentifier = {
    email: search,
    phone: search,
    externalId: search,
    crmContactId: search,
    nationalId: search,
    providerCustomerId: search,
    anonymousId: search,
  }
  const scope = identityScope(service, profile)
  const identifierIds = toIdentifiers(anyIdentifier, scope).map(({ id }) => id)
  const recordId = isUuid(search) ? search.toLowerCase() : null
  const amount = readAmountText(search)
  return {
    profileId: profile.id,
    identifierIds: recordId === null ? identifierIds : [...identifierIds, recordId],
    orderRef: orderOf(search, profile.id, service.identityPepper).order_ref ?? null,
    recordId,
    nameTokens: search.includes('@') || !/\p{L}/u.test(search) ? [] : searchTokens(search, scope),
    amount: amount === undefined ? null : amountBounds({ min: amount, max: amount }),
  }
}

/** Removes the search keys that require the permission to read customers. */
export function withoutPeople(search: PersonSearch): PersonSearch {
  return { ...search, identifierIds: [], nameTokens: [] }
}
