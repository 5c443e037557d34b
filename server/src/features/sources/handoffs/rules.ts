import type { Provider } from '../../../connectors/connector.ts'

export const HANDOFF_LIFE_MS = 45 * 60_000
export const CLAIM_LIFE_MS = 3 * 60_000
export const SELECTION_LIFE_MS = 60 * 60_000

export const reasons = [
  'user_cancelled',
  'provider_denied',
  'provider_error',
  'token_exchange_failed',
  'account_connected_elsewhere',
  'no_candidates',
  'connect_failed',
  'internal_error',
  'state_expired',
  'state_invalid',
  'handoff_expired',
  'handoff_used',
  'provider_not_configured',
  'origin_not_allowed',
] as const
export type Reason = (typeof reasons)[number]

/** Values of the bounce's `connect` parameter, which older consumers read instead of `provider`. */
export const connectSlugs: Record<Provider, string> = {
  social_ads: 'social',
  engine_ads: 'engine',
  engine_search_console: 'search-console',
  engine_calendar: 'engine-calendar',
  external_calendar: 'external-calendar',
  microsoft_ads: 'microsoft-ads',
  crmsuite: 'crmsuite',
  cardpay: 'cardpay',
  regionalpay: 'regionalpay',
  storefront: 'storefront',
  woocommerce: 'woocommerce',
  hubspot: 'hubspot',
  linkedin_ads: 'linkedin-ads',
  tiktok_ads: 'tiktok-ads',
  gmail: 'mailbox',
  microsoft_mail: 'mailbox',
}

export type ReturnRegistration = { redirectUris: readonly string[]; allowedReturnOrigins: readonly string[] }

/** The normalized address if its origin is registered; otherwise undefined. */
export function allowedReturnUrl(
  returnUrl: string,
  registration: ReturnRegistration | undefined,
): string | undefined {
  if (registration === undefined || returnUrl.length > 2000) return undefined
  // URL parsers disagree on these characters, so addresses that contain one are refused.
  if (/[\s\\]|[^\x21-\x7e]/.test(returnUrl)) return undefined
  const url = URL.parse(returnUrl)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '' || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(returnUrl))
    return undefined
  const origins = [...registration.redirectUris, ...registration.allowedReturnOrigins].map(webOrigin)
  return origins.includes(url.origin) ? url.href : undefined
}

function webOrigin(address: string): string | null {
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : null
}

export type BounceStatus = 'success' | 'pending_selection' | 'failed' | 'cancelled'
export type Bounce = {
  provider: Provider
  status: BounceStatus
  profileId: string
  handoffId: string
  reason: Reason | null
  candidateCount: number | null
}

/** Appends our parameters; the existing query string is not re-encoded. */
export function toBounceUrl(returnUrl: string, bounce: Bounce): string {
  const url = new URL(returnUrl)
  const params = new URLSearchParams({
    connect: connectSlugs[bounce.provider],
    provider: bounce.provider,
    status: bounce.status,
    profile_id: bounce.profileId,
    handoff_id: bounce.handoffId,
    ...(bounce.reason === null ? {} : { reason: bounce.reason }),
    ...(bounce.candidateCount === null ? {} : { candidate_count: String(bounce.candidateCount) }),
  })
  url.search = url.search.length > 1 ? `${url.search}&${params}` : `?${params}`
  return url.href
}

/** Apps that see the resulting connection: the governing app that the page names, and the app that created the hand-off. */
export function appsOf(handoff: {
  governing_app_id: string | null
  minted_app_id: string | null
  minted_authorization_id: string | null
}): { appId: string; authorizationId: string | null }[] {
  const { governing_app_id: governing, minted_app_id: minted } = handoff
  const creatingApps =
    minted === null ? [] : [{ appId: minted, authorizationId: handoff.minted_authorization_id }]
  return governing === null || governing === minted
    ? creatingApps
    : [...creatingApps, { appId: governing, authorizationId: null }]
}
