/**
 * Which version of each platform's API is spoken, and until when it is. One place, so that a version
 * that ends is one line to change; a start with a real registration refuses to speak a dead one.
 */
import type { Provider } from './connector.ts'

export type ApiVersion = {
  version: string
  /** The last day it answers, YYYY-MM-DD; null where the platform ends no versions. */
  aliveUntil: string | null
  /** Where this was read. */
  source: string
  /** The day it was read. */
  lookedUp: string
  note?: string
}

export const apiVersions: Record<Provider | 'banklink' | 'shortvideo', ApiVersion> = {
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
    note: 'Projected: October 2026 to November 2027. v22 ended on 2026-10-07.',
  },
  engine_search_console: {
    version: 'v3',
    aliveUntil: null,
    source: 'https://developers.google.com/webmaster-tools/v1/searchanalytics/query',
    lookedUp: '2026-11-16',
    note: 'The paths of the Search Console API still begin with webmasters/v3.',
  },
  crmsuite: {
    version: '2021-07-28',
    aliveUntil: null,
    source: 'https://marketplace.gohighlevel.com/docs/',
    lookedUp: '2026-11-16',
    note: 'The value of the Version header.',
  },
  cardpay: {
    version: '2025-08-27.basil',
    aliveUntil: null,
    source: 'https://docs.stripe.com/api/versioning',
    lookedUp: '2026-11-16',
    note: 'Named versions stay available; the newest is of the dahlia line.',
  },
  regionalpay: {
    version: 'v1',
    aliveUntil: null,
    source: 'https://www.mercadopago.com/developers/en/reference',
    lookedUp: '2026-11-16',
  },
  storefront: {
    version: '2026-07',
    aliveUntil: '2027-06-30',
    source: 'https://shopify.dev/docs/api/usage/versioning',
    lookedUp: '2026-11-16',
    note: 'Stable versions are supported for 12 months.',
  },
  banklink: {
    version: '2020-09-14',
    aliveUntil: null,
    source: 'https://plaid.com/docs/api/versioning/',
    lookedUp: '2026-11-16',
  },
  shortvideo: {
    version: 'v1.3',
    aliveUntil: null,
    source: 'https://business-api.tiktok.com/portal/docs',
    lookedUp: '2026-11-16',
  },
}

/** Why a version may not be spoken on a day; null where it may. */
export function endOf(provider: keyof typeof apiVersions, today: string): string | null {
  const { version, aliveUntil, source } = apiVersions[provider]
  if (aliveUntil === null || today <= aliveUntil) return null
  return `${provider}: API version ${version} was expected to end after ${aliveUntil}; look it up at ${source} and change connectors/versions.ts`
}

/** Our version behind a platform's base URL; one that a setting still carries is replaced. */
export function versionedBase(baseUrl: string, provider: keyof typeof apiVersions): string {
  return `${baseUrl.replace(/\/v\d+(?:\.\d+)?\/?$/, '')}/${apiVersions[provider].version}`
}
