/** The touch of an event, if it has one. */

import type { Node } from './people.ts'
import type { StoredEvent } from './stored-events.ts'

export type Touch = {
  id: string
  at: number
  recordedAt: number
  isDirect: boolean
  platform: string | null
  channel: string
  /** Input of channel rules: the utm_source, or the site of an unpaid visit. Null if a click id determines the channel. */
  source: string | null
  /** An erasure keeps only the rule that the source matched. */
  isErased: boolean
  origin: 'partner_ad_referral' | 'web' | 'other'
  node: Node
  named: { campaign: string | null; adSet: string | null; ad: string | null }
}

const clicks: [kind: string, platform: string, channel: string][] = [
  ['gclid', 'engine', 'paid_search'],
  ['fbclid', 'social', 'paid_social'],
  ['ttclid', 'shortvideo', 'paid_social'],
  ['msclkid', 'microsoft', 'paid_search'],
]

export function touchOf(event: StoredEvent, node: Node): Touch | null {
  const { utm = {}, click_ids = {}, ad = {} } = event.body
  const tagged = [utm, click_ids, ad].some((fields) => Object.keys(fields).length > 0)
  const { page } = event
  const came = page !== null && page.referrer !== '' && !page.referrer.startsWith('https://shop.example')
  if (!tagged && !came && page?.session_start !== true) return null
  const click = clicks.find(([kind]) => click_ids[kind] !== undefined)
  const isPaid = utm.medium === 'cpc' || Object.keys(ad).length > 0
  // Links in posts have this click id too.
  const isPost = click?.[0] === 'fbclid' && !isPaid
  const platform = isPost ? null : (click?.[1] ?? (utm.medium === 'cpc' ? 'other' : null))
  return {
    id: event.id,
    at: event.at,
    recordedAt: event.recordedAt,
    isDirect: !tagged && !came,
    // The medium marks a paid click, but no source of a world determines the platform.
    platform,
    channel:
      event.channel ??
      (isPost ? 'organic_social' : click?.[2]) ??
      channelOf(utm, Object.keys(ad).length > 0, came ? page : null),
    source:
      platform === null
        ? sourceOf(utm, came ? page : null)
        : click === undefined
          ? (utm.source ?? null)
          : null,
    isErased: event.erasedAs !== null,
    origin: event.source === 'partner' ? 'partner_ad_referral' : page === null ? 'other' : 'web',
    node,
    named: { campaign: ad.campaign_id ?? null, adSet: ad.ad_set_id ?? null, ad: ad.ad_id ?? null },
  }
}

function sourceOf(utm: Record<string, string>, page: { referrer: string } | null): string | null {
  return utm.source ?? (page === null ? null : new URL(page.referrer).hostname.replace(/^www\./, ''))
}

/** Covers only the sources and media of the worlds. */
function channelOf(utm: Record<string, string>, namesAd: boolean, page: { referrer: string } | null): string {
  if (utm.medium === 'cpc') return 'paid_other'
  if (utm.medium === 'email') return 'email'
  if (utm.medium === 'social') return 'organic_social'
  if (namesAd) return 'paid_other'
  if (utm.source !== undefined) return 'campaign'
  if (page === null) return 'direct'
  return page.referrer === 'https://www.google.com/' ? 'organic_search' : 'referral'
}
