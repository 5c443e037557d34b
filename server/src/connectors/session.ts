/** App registration, tokens and session of provider calls. */
import type { Outbound } from '../platform/outbound/outbound.ts'

/** The registration of this deployment at the provider, from configuration. */
export type ProviderApp = {
  clientId: string
  clientSecret: string
  /** Base URL of the consent page, opened in a browser. */
  authorizeBaseUrl: string
  /** Base URL of the API, called by the service. */
  apiBaseUrl: string
  /** Connector-specific settings such as a developer token or a webhook signing secret. */
  extra: Record<string, string>
}

export type TokenSet = {
  accessToken: string
  refreshToken: string | null
  /** ISO 8601 UTC; null if the provider reports no expiry. */
  expiresAt: string | null
  scopes: string[]
  /** Further values of the token response that the connector needs later (shop, location id…). */
  extra: Record<string, string>
}

/** Everything a call to a provider needs. */
export type Session = {
  http: Outbound
  app: ProviderApp
  token: TokenSet
  /** External id of the connected account. */
  accountId: string
  /** The account's currency, if the caller has it; saves a call when budgets are read. */
  currency?: string | null
  /** The profile's reporting currency, for providers whose amounts have no currency. */
  profileCurrency?: string | null
}

export type Money = {
  amountMinor: number
  currency: string
  /** The provider's amount, if it had more digits than the currency and was rounded. */
  reported?: string
}
