/**
 * Which version of each platform's API is spoken, and until when it is. One place, so that a version
 * that ends is one line to change. Ninety days before the expected end the log warns; after it, calls to that platform
 * are refused with the reason, and everything else works on.
 */
import { DAY_MS } from '../platform/contract/dates.ts'
import type { Provider } from './connector.ts'

export type ApiVersion = {
  version: string
  /** The last day on which it is expected to answer, YYYY-MM-DD; null where no end is announced. */
  aliveUntil: string | null
  /** Where the version and its end were read: the platform's own page, repository or package. */
  source: string
  /** The day it was read. docs/connectors.md says what else was checked. */
  lookedUp: string
  note?: string
}

export const apiVersions: Record<Provider | 'engine_data_manager' | 'banklink' | 'shortvideo', ApiVersion> = {
  social_ads: {
    version: 'v26.0',
    aliveUntil: '2027-07-28',
    source: 'https://developers.facebook.com/docs/graph-api/changelog/versions/',
    lookedUp: '2026-11-16',
    note: 'Released 2026-07-29, end not announced. Ads versions live about a year (v24.0: 2025-10-08 to 2026-10-06), so look again before this day.',
  },
  engine_ads: {
    version: 'v26',
    aliveUntil: '2027-10-31',
    source: 'https://developers.google.com/ads/blog/posts/2025/09/more-frequent-releases-coming-for',
    lookedUp: '2026-11-16',
    note: 'Released 2026-10-14 (v26.1: 2026-10-28), end projected for November 2027. v22 ended on 2026-10-07.',
  },
  engine_data_manager: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://developers.google.com/data-manager/api/reference/rest',
    lookedUp: '2026-11-16',
    note: 'The only version in the official client @google-ads/datamanager 0.3.0 (its releases number 1.x, the paths stay /v1); no end was found. Conversions, customer lists and diagnostics; no developer token.',
  },
  engine_search_console: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://developers.google.com/webmaster-tools/v1/api_reference_index',
    lookedUp: '2026-11-16',
    note: 'The API calls itself v1, its paths begin with webmasters/v3: in the reference and in the official client @googleapis/searchconsole 11.0.0 (2026-09-23).',
  },
  engine_calendar: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://developers.google.com/workspace/calendar/api/v3/reference',
    lookedUp: '2026-11-17',
    note: 'The only version; the published client libraries (Google.Apis.Calendar.v3) call it. No end was found.',
  },
  external_calendar: {
    version: 'v1.0',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/graph/versioning-and-support',
    lookedUp: '2026-11-17',
    note: 'Event names and delta by the v1.0 reference in microsoftgraph/microsoft-graph-docs-contrib. No end was found.',
  },
  microsoft_ads: {
    version: 'v13',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/advertising/guides/migrate-to-rest',
    lookedUp: '2026-11-17',
    note: 'Over REST only: SOAP gets nothing new since 2026-10-01 and ends on 2027-01-31. No end of v13 over REST was found.',
  },
  crmsuite: {
    version: '2021-07-28',
    aliveUntil: null,
    source: 'https://marketplace.gohighlevel.com/docs/Versioning',
    lookedUp: '2026-11-16',
    note: 'The value of the Version header; "supported until" is to be determined, v3 is out since 2026-06-11. Calendars are asked for with 2021-04-15, the only version in their published schema.',
  },
  cardpay: {
    version: '2026-10-28.endive',
    aliveUntil: null,
    source: 'https://docs.stripe.com/api-versions',
    lookedUp: '2026-11-16',
    note: 'The newest, and the version of the official client stripe 23.1.0 (2026-10-29), whose types the connector’s fields are held against. No end of a version was found.',
  },
  regionalpay: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://www.npmjs.com/package/mercadopago/v/3.6.1',
    lookedUp: '2026-11-16',
    note: 'The official client of 2026-09-10 calls /v1/payments and /v1/payments/search; no page on versions or their end was found.',
  },
  storefront: {
    version: '2026-07',
    aliveUntil: '2027-06-30',
    source: 'https://shopify.dev/docs/api/usage/versioning',
    lookedUp: '2026-11-16',
    note: 'Stable versions are supported for at least 12 months, then requests fall forward to the oldest supported one. The newest is 2026-10.',
  },
  woocommerce: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://woocommerce.github.io/woocommerce-rest-api-docs/',
    lookedUp: '2026-11-17',
    note: 'wc/v3 since WooCommerce 3.5; v4 ships switched off in 11.0, no end was found. The official client @woocommerce/woocommerce-rest-api 1.0.2 calls wc/v3.',
  },
  hubspot: {
    version: '2026-09',
    aliveUntil: '2028-03-08',
    source: 'https://developers.hubspot.com/changelog',
    lookedUp: '2026-11-17',
    note: 'The date version in every path, since 2026-09-09 and supported for 18 months. Submissions of forms are only found under /form-integrations/v1; v1 to v3 are unsupported from September 2027, OAuth v1 ends on 2027-02-16.',
  },
  linkedin_ads: {
    version: '202608',
    aliveUntil: '2027-08-15',
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/versioning',
    lookedUp: '2026-11-17',
    note: 'The newest that was found, end not announced. Monthly versions live a year (202508 ended on 2026-08-17, 202511 on 2026-11-16, 202601 ends on 2027-01-15); a dead one answers 426.',
  },
  gmail: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://developers.google.com/workspace/gmail/api/reference/rest',
    lookedUp: '2026-11-17',
    note: 'The only version; no end was found.',
  },
  microsoft_mail: {
    version: 'v1.0',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/graph/api/user-sendmail',
    lookedUp: '2026-11-17',
    note: 'Of Microsoft Graph; beta is the only other one, and no end was found.',
  },
  banklink: {
    version: '2020-09-14',
    aliveUntil: null,
    source: 'https://plaid.com/docs/api/versioning/',
    lookedUp: '2026-11-16',
    note: 'Still the latest, says the official client plaid 47.0.0 (2026-09-02). Sent as the Plaid-Version header.',
  },
  tiktok_ads: {
    version: 'v1.3',
    aliveUntil: null,
    source: 'https://github.com/tiktok/tiktok-business-api-sdk',
    lookedUp: '2026-11-17',
    note: 'The only version in the official SDK (2026-02-28). No end was found.',
  },
  shortvideo: {
    version: 'v1.3',
    aliveUntil: null,
    source: 'https://github.com/tiktok/tiktok-business-api-sdk',
    lookedUp: '2026-11-16',
    note: 'The only version in the official SDK (2026-02-27), which lacks event/track; the official template tiktok/gtm-template-eapi (2024-05-30) calls it under v1.3. The pages of the portal could not be read; no end was found.',
  },
}

/** Why a version may not be spoken on a day; null where it may. */
export function endOf(provider: keyof typeof apiVersions, today: string): string | null {
  const { version, aliveUntil, source } = apiVersions[provider]
  if (aliveUntil === null || today <= aliveUntil) return null
  return `${provider}: API version ${version} was expected to end after ${aliveUntil}; update Whence, or look it up at ${source} and change connectors/versions.ts`
}

const WARN_DAYS = 90

/** What to log about a version that ends soon; null where there is nothing to do yet. */
export function endingSoon(provider: keyof typeof apiVersions, today: string): string | null {
  const { version, aliveUntil, source } = apiVersions[provider]
  if (aliveUntil === null || endOf(provider, today) !== null) return null
  const daysLeft = (Date.parse(aliveUntil) - Date.parse(today)) / DAY_MS
  if (daysLeft > WARN_DAYS) return null
  return `${provider}: API version ${version} is expected to end after ${aliveUntil}; update Whence before, or look it up at ${source}`
}

/** Our version behind a platform's base URL; one that a setting still carries is replaced. */
export function versionedBase(baseUrl: string, provider: keyof typeof apiVersions): string {
  return `${baseUrl.replace(/\/v\d+(?:\.\d+)?\/?$/, '')}/${apiVersions[provider].version}`
}
