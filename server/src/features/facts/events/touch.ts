/** Channel and ad of a visit. A click id takes precedence over UTM parameters; the ad must be named explicitly. */
import { type ClickIdMeaning, clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { findPaidPlatform, paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { findHostList, isPassThrough } from './channel-hosts.ts'
import type { StoredTouch } from './stored.ts'

const paidMediums = /^(cpc|ppc|paid|paidsearch|paid_search|paidsocial|paid_social|cpm|cpv|display|banner)$/

/** Platform of a click with a paid medium whose source names no known platform. */
const OTHER_PLATFORM = 'other'

const isPaidMedium = (utm: Record<string, string>) => paidMediums.test((utm.medium ?? '').toLowerCase())

/** A click that is paid only by its UTM medium gets a platform, so that it counts as a paid click. Its ad is not guessed. */
function paidPlatformOf(utm: Record<string, string>): string | null {
  if (!isPaidMedium(utm)) return null
  return findPaidPlatform(utm.source ?? '') ?? OTHER_PLATFORM
}

export type Arrival = {
  utm: Record<string, string>
  clickIds: Record<string, string>
  ad: { ad_id?: string | null; ad_set_id?: string | null; campaign_id?: string | null }
  referrer: string | null
  url: string | null
  /** A new session is a touch, direct if it has no other source. */
  sessionStart: boolean
  origin?: StoredTouch['origin']
}

/** Null if the event is no arrival, but a page in the middle of a visit. */
export function toTouch(arrival: Arrival): StoredTouch | null {
  const ad = withoutMacros(arrival.ad)
  const utm = nonEmpty(arrival.utm)
  const clickIds = nonEmpty(arrival.clickIds)
  const page = parseUrl(arrival.url)
  const host = hostOf(parseUrl(arrival.referrer))
  const otherHost = host !== null && host !== hostOf(page) ? host : null
  const isReturn = otherHost !== null && isPassThrough(otherHost)
  const external = isReturn ? null : otherHost
  const namesAd = Object.values(arrival.ad).some((value) => typeof value === 'string' && value !== '')
  const isTagged = Object.keys(utm).length > 0 || Object.keys(clickIds).length > 0 || namesAd
  if (!isTagged && external === null && (isReturn || !arrival.sessionStart)) return null
  const clickKind = Object.keys(clickIdPlatforms).find((kind) => clickIds[kind] !== undefined) ?? null
  const byClick = clickKind === null ? null : meaningOf(clickKind, namesAd || isPaidMedium(utm))
  const isDirect = !isTagged && external === null
  return {
    channel: byClick?.channel ?? (isDirect ? 'direct' : channelOf(utm, external, namesAd)),
    origin: arrival.origin ?? (arrival.url === null ? 'other' : 'web'),
    is_direct: isDirect,
    platform: byClick === null ? paidPlatformOf(utm) : byClick.platform,
    campaign_id: text(ad.campaign_id),
    ad_set_id: text(ad.ad_set_id),
    ad_id: text(ad.ad_id),
    click_id_kind: clickKind,
    click_id: clickKind === null ? null : clickIds[clickKind]!,
    utm_source: text(utm.source),
    utm_medium: text(utm.medium),
    utm_campaign: text(utm.campaign),
    referrer_host: external,
    landing_path: page === null ? null : page.pathname.slice(0, 512),
  }
}

/**
 * Macros in place of an ad id that the platform did not replace: `{{ad.id}}`, `{creative}`, `__CID__`, or TikTok's with
 * one underscore, which it never replaces.
 */
const macro = /^(\{.*\}|__[A-Z][A-Z_]*__|_(CAMPAIGN_ID|AID|CID)_)$/
const withoutMacros = (ad: Arrival['ad']): Arrival['ad'] =>
  Object.fromEntries(Object.entries(ad).filter(([, value]) => !macro.test(value ?? '')))

type Meaning = { platform: string | null; channel: string }

/** Some platforms also add their click id to organic posts: such a click is paid only with an ad or a paid medium. */
export function meaningOf(clickKind: string, isPaid: boolean): Meaning {
  const meaning: ClickIdMeaning = clickIdPlatforms[clickKind]!
  return meaning.unpaidChannel === undefined || isPaid
    ? meaning
    : { platform: null, channel: meaning.unpaidChannel }
}

function channelOf(utm: Record<string, string>, referrerHost: string | null, namesAd: boolean): string {
  const medium = (utm.medium ?? '').toLowerCase()
  const source = (utm.source ?? '').toLowerCase()
  if (namesAd && medium === '') return paidChannelOf(source)
  if (paidMediums.test(medium)) return paidChannelByUtm(medium, source)
  if (/e-?mail|newsletter/.test(`${medium} ${source}`)) return 'email'
  if (/sms|whatsapp|messaging/.test(medium)) return 'messaging'
  if (/affiliate|partner/.test(medium)) return 'affiliate'
  if (medium === 'organic') return 'organic_search'
  if (/social/.test(medium)) return 'organic_social'
  if (medium !== '' || source !== '') return medium === 'referral' ? 'referral' : 'campaign'
  if (namesAd) return 'paid_other'
  // Tagged without a source: only a UTM content or term, or a click id of an unknown kind.
  if (referrerHost === null) return 'campaign'
  return findHostList(referrerHost)?.channel ?? 'referral'
}

/** The medium decides first (`paid_social`), then the platform of the source. */
function paidChannelByUtm(medium: string, source: string): string {
  const byPlatform = paidChannelOf(source)
  if (/social/.test(`${medium} ${source}`) || byPlatform === 'paid_social') return 'paid_social'
  if (/display|banner|cpm|cpv/.test(medium)) return 'display'
  return /search|duckduckgo|yahoo/.test(`${medium} ${source}`) ? 'paid_search' : byPlatform
}

function nonEmpty(values: Record<string, string>): Record<string, string> {
  const nonEmptyValues: Record<string, string> = {}
  for (const name in values) if (values[name] !== '') nonEmptyValues[name] = values[name]!
  return nonEmptyValues
}

function text(value: string | null | undefined): string | null {
  return value === undefined || value === null || value === '' ? null : value
}

function parseUrl(url: string | null): URL | null {
  return url === null || url === '' ? null : URL.parse(url)
}

function hostOf(url: URL | null): string | null {
  return url === null ? null : url.hostname.replace(/^www\./, '')
}
