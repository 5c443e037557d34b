/** Who calls a provider, with which account, and what money looks like on the way. */
import type { Outbound } from '../platform/outbound/outbound.ts'

/** The registration of this deployment at the provider, from configuration. */
export type ProviderApp = {
  clientId: string
  clientSecret: string
  /** Where the person consents (a browser goes there). */
  authorizeBaseUrl: string
  /** Where the API answers (the service goes there). */
  apiBaseUrl: string
  /** Developer token, webhook signing secret and the like, by the connector's own names. */
  extra: Record<string, string>
}

export type TokenSet = {
  accessToken: string
  refreshToken: string | null
  /** ISO 8601 UTC, null when the provider gives no expiry. */
  expiresAt: string | null
  scopes: string[]
  /** What the provider says next to the token and the connector needs later (shop, location id…). */
  extra: Record<string, string>
}

/** Everything a call to a provider needs. */
export type Session = {
  http: Outbound
  app: ProviderApp
  token: TokenSet
  /** External id of the connected account. */
  accountId: string
  /** The account's currency where the caller knows it; saves a call where a budget needs it. */
  currency?: string | null
  /** The currency that the profile reports in, for amounts of a provider that names none. */
  profileCurrency?: string | null
}

/** Decimal strings stay strings up to the mapping to minor units; null means the provider did not say. */
export type Money = { amountMinor: number; currency: string }
