/**
 * The API version used for each platform and its expected end, in one place so that an upgrade changes one line.
 * Warnings begin ninety days before the expected end (`npm run check`, the log at start, the doctor, /metrics); after
 * it, calls to that platform fail with a clear message and everything else continues to work.
 */
import { DAY_MS } from '../platform/contract/dates.ts'
import type { Provider } from './connector.ts'

export type ApiVersion = {
  version: string
  /** The last day on which the version is expected to work, YYYY-MM-DD; null if no end is announced. */
  aliveUntil: string | null
  /** Source of the version and its end: the platform's page, repository or package. */
  source: string
  /** The day on which the source was read. docs/connectors.md lists what else was checked. */
  readOn: string
  note?: string
}

export const apiVersions: Record<Provider | 'engine_data_manager' | 'banklink' | 'shortvideo', ApiVersion> = {
  social_ads: {
    version: 'v26.0',
    aliveUntil: '2027-07-28',
    source: 'https://developers.facebook.com/docs/graph-api/changelog/versions/',
    readOn: '2026-11-16',
    note: 'Released 2026-07-29, end not announced. Ads versions live about a year (v24.0: 2025-10-08 to 2026-10-06), so check again before this day.',
  },
  engine_ads: {
    version: 'v26',
    aliveUntil: '2027-10-31',
    source: 'https://developers.google.com/ads/blog/posts/2025/09/more-frequent-releases-coming-for',
    readOn: '2026-11-16',
    note: 'Released 2026-10-14 (v26.1: 2026-10-28), end projected for November 2027. v22 ended on 2026-10-07.',
  },
  engine_data_manager: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://developers.google.com/data-manager/api/reference/rest',
    readOn: '2026-11-16',
    note: 'The only version in the official client @google-ads/datamanager 0.3.0 (its releases number 1.x, the paths stay /v1); no end was found. Conversions, customer lists and diagnostics; no developer token.',
  },
  engine_search_console: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://developers.google.com/webmaster-tools/v1/api_reference_index',
    readOn: '2026-11-16',
    note: 'The API calls itself v1, its paths begin with webmasters/v3: in the reference and in the official client @googleapis/searchconsole 11.0.0 (2026-09-23).',
  },
  engine_calendar: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://developers.google.com/workspace/calendar/api/v3/reference',
    readOn: '2026-11-17',
    note: 'The only version; the published client libraries (Google.Apis.Calendar.v3) call it. No end was found.',
  },
  external_calendar: {
    version: 'v1.0',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/graph/versioning-and-support',
    readOn: '2026-11-17',
    note: 'Event names and delta by the v1.0 reference in microsoftgraph/microsoft-graph-docs-contrib. No end was found.',
  },
  microsoft_ads: {
    version: 'v13',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/advertising/guides/migrate-to-rest',
    readOn: '2026-11-17',
    note: 'Over REST only: SOAP gets nothing new since 2026-10-01 and ends on 2027-01-31. No end of v13 over REST was found.',
  },
  crmsuite: {
    version: '2021-07-28',
    aliveUntil: null,
    source: 'https://marketplace.gohighlevel.com/docs/Versioning',
    readOn: '2026-11-16',
    note: 'The value of the Version header; "supported until" is to be determined, v3 is out since 2026-06-11. Calendars are requested with 2021-04-15, the only version in their published schema.',
  },
  cardpay: {
    version: '2026-10-28.endive',
    aliveUntil: null,
    source: 'https://docs.stripe.com/api-versions',
    readOn: '2026-11-16',
    note: 'The newest, and the version of the official client stripe 23.1.0 (2026-10-29), whose types the connector’s fields are checked against. No end of a version was found.',
  },
  regionalpay: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://www.npmjs.com/package/mercadopago/v/3.6.1',
    readOn: '2026-11-16',
    note: 'The official client of 2026-09-10 calls /v1/payments and /v1/payments/search; no page on versions or their end was found.',
  },
  storefront: {
    version: '2026-07',
    aliveUntil: '2027-06-30',
    source: 'https://shopify.dev/docs/api/usage/versioning',
    readOn: '2026-11-16',
    note: 'Stable versions are supported for at least 12 months, then requests fall forward to the oldest supported one. The newest is 2026-10.',
  },
  woocommerce: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://woocommerce.github.io/woocommerce-rest-api-docs/',
    readOn: '2026-11-17',
    note: 'wc/v3 since WooCommerce 3.5; v4 is included but disabled in 11.0; no end of v3 was found. The official client @woocommerce/woocommerce-rest-api 1.0.2 calls wc/v3.',
  },
  hubspot: {
    version: '2026-09',
    aliveUntil: '2028-03-08',
    source: 'https://developers.hubspot.com/changelog',
    readOn: '2026-11-17',
    note: 'The date version in every path except those of forms (v3 and, for submissions, v1), since 2026-09-09 and supported for 18 months. Submissions of forms are only found under /form-integrations/v1; v1 to v3 are unsupported from September 2027, OAuth v1 ends on 2027-02-16.',
  },
  linkedin_ads: {
    version: '202608',
    aliveUntil: '2027-08-15',
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/versioning',
    readOn: '2026-11-17',
    note: 'The newest that was found, end not announced. Monthly versions live a year (202508 ended on 2026-08-17, 202511 on 2026-11-16, 202601 ends on 2027-01-15); an expired one returns 426.',
  },
  gmail: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://developers.google.com/workspace/gmail/api/reference/rest',
    readOn: '2026-11-17',
    note: 'The only version; no end was found.',
  },
  microsoft_mail: {
    version: 'v1.0',
    aliveUntil: null,
    source: 'https://learn.microsoft.com/en-us/graph/api/user-sendmail',
    readOn: '2026-11-17',
    note: 'The version of Microsoft Graph; the only other one is beta, and no end was found.',
  },
  banklink: {
    version: '2020-09-14',
    aliveUntil: null,
    source: 'https://plaid.com/docs/api/versioning/',
    readOn: '2026-11-16',
    note: 'Still the latest according to the official client plaid 47.0.0 (2026-09-02). Sent as the Plaid-Version header.',
  },
  tiktok_ads: {
    version: 'v1.3',
    aliveUntil: null,
    source: 'https://github.com/tiktok/tiktok-business-api-sdk',
    readOn: '2026-11-17',
    note: 'The only version in the official SDK (2026-02-28). No end was found.',
  },
  shortvideo: {
    version: 'v1.3',
    aliveUntil: null,
    source: 'https://github.com/tiktok/tiktok-business-api-sdk',
    readOn: '2026-11-16',
    note: 'The only version in the official SDK (2026-02-27), which lacks event/track; the official template tiktok/gtm-template-eapi (2024-05-30) calls it under v1.3. The pages of the portal could not be read; no end was found.',
  },
}

export type ApiVersionName = keyof typeof apiVersions

/** Whole days until the last day of a version, negative after it; null if no end is announced. */
export function versionDaysLeft(name: ApiVersionName, today: string, versions = apiVersions): number | null {
  const { aliveUntil } = versions[name]
  return aliveUntil === null ? null : (Date.parse(aliveUntil) - Date.parse(today)) / DAY_MS
}

/** Error message once a version has passed its expected end; null before. */
export function versionEndError(
  provider: ApiVersionName,
  today: string,
  versions = apiVersions,
): string | null {
  const { version, aliveUntil, source } = versions[provider]
  if (aliveUntil === null || today <= aliveUntil) return null
  return `${provider}: API version ${version} was expected to end after ${aliveUntil}; update Whence, or check ${source} and change connectors/versions.ts`
}

const WARN_DAYS = 90

/** Warning to log about a version that ends soon; null if it does not. */
export function versionEndWarning(
  provider: ApiVersionName,
  today: string,
  versions = apiVersions,
): string | null {
  const { version, aliveUntil, source } = versions[provider]
  const daysLeft = versionDaysLeft(provider, today, versions)
  if (daysLeft === null || daysLeft < 0 || daysLeft > WARN_DAYS) return null
  return `${provider}: API version ${version} is expected to end after ${aliveUntil}; update Whence before that, or check ${source}`
}

/** What `npm run check` prints: a warning, because an old checkout must pass its own tests. */
export function versionEndMessages(today: string): string[] {
  return (Object.keys(apiVersions) as ApiVersionName[]).flatMap(
    (name) => versionEndError(name, today) ?? versionEndWarning(name, today) ?? [],
  )
}

/** Appends our API version to a base URL, replacing a version that the setting may still contain. */
export function versionedBase(baseUrl: string, provider: ApiVersionName): string {
  return `${baseUrl.replace(/\/v\d+(?:\.\d+)?\/?$/, '')}/${apiVersions[provider].version}`
}
