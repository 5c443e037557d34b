// Which of several statements about consent applies. Pure.
import type { Consent } from '../wire.ts'
import { type Purpose, purposes, type Reading, strictest } from './banners.ts'

export type Banner = 'tcf' | 'consent_mode' | 'shopify' | 'wp'

export type Statements = {
  /** Global Privacy Control is on. */
  gpc: boolean
  /** A later grant on this site lifts it. */
  isLiftable: boolean
  /** It was lifted in this browser before. */
  wasLifted: boolean
  /** The newest `whence('consent', …)`. From then on banners decide nothing. */
  page?: { statistics: Consent; ads?: boolean | undefined } | undefined
  banners: Partial<Record<Banner, Reading>>
  remembered: { statistics: boolean; ads: Reading }
  /** `data-consent`. */
  attribute: Consent
}

export type Decision = {
  states: { statistics: Consent } & Partial<Record<Purpose, Consent | undefined>>
  /** What decided about statistics. */
  source: Banner | 'page' | 'remembered' | 'attribute'
  /** Whether a person or a banner stated the grant of statistics, so that it is remembered. */
  isChosen: boolean
  isGpcHonored: boolean
  isLifted: boolean
  /** Sources that state something, for the events. */
  signals: string[]
}

const isStated = (state: Consent | undefined) => state === 'granted' || state === 'denied'

export function decide(given: Statements): Decision {
  const { page, remembered, attribute } = given
  const banners = Object.entries(given.banners) as [Banner, Reading][]
  const readings = banners.map(([, reading]) => reading)
  const statedBy = (purpose: Purpose) => banners.filter(([, reading]) => isStated(reading[purpose]))
  const stated = (purpose: Purpose) => strictest(statedBy(purpose).map(([, reading]) => reading[purpose]))
  const pending = (purpose: Purpose) =>
    readings.some((reading) => reading[purpose] === 'pending') ? 'pending' : undefined

  const adsState = (purpose: Purpose): Consent | undefined => {
    if (page) return page.ads === undefined ? remembered.ads[purpose] : page.ads ? 'granted' : 'denied'
    return stated(purpose) || remembered.ads[purpose] || pending(purpose)
  }
  const ads = { ad_user_data: adsState('ad_user_data'), ad_personalization: adsState('ad_personalization') }
  const isLifted =
    given.gpc && given.isLiftable && ads.ad_user_data === 'granted' && (isExplicit(given) || given.wasLifted)
  const isGpcHonored = given.gpc && !isLifted
  if (isGpcHonored) ads.ad_user_data = ads.ad_personalization = 'denied'

  const byBanner = statedBy('statistics')
  const rest = attribute === 'denied' ? 'denied' : pending('statistics') || attribute
  const [statistics, source]: [Consent, Decision['source']] = page
    ? [page.statistics, 'page']
    : byBanner.length
      ? [stated('statistics')!, byBanner[0]![0]]
      : remembered.statistics && attribute !== 'denied'
        ? ['granted', 'remembered']
        : [rest, 'attribute']

  const naming = page
    ? ['page']
    : banners
        .filter(([name]) => purposes.some((p) => statedBy(p).some(([by]) => by === name)))
        .map(([n]) => n)
  const differs = (purpose: Purpose) => new Set(statedBy(purpose).map(([, r]) => r[purpose])).size > 1
  return {
    states: { statistics, ...ads },
    source,
    isChosen: source !== 'attribute' && source !== 'remembered',
    isGpcHonored,
    isLifted,
    signals: [
      ...(isGpcHonored ? ['gpc'] : []),
      ...(naming.length ? naming : ['attribute']),
      ...(isLifted ? ['gpc_lifted'] : []),
      ...(purposes.some(differs) ? ['conflict'] : []),
    ],
  }
}

/** Whether the page or a banner states a grant now, as opposed to one that is only remembered. */
const isExplicit = ({ page, banners }: Statements) =>
  page ? page.ads === true : Object.values(banners).some((reading) => reading.ad_user_data === 'granted')
