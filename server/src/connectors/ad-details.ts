/**
 * Ad reports in addition to structure and delivery: creative, targeting, attention and frequency. Null means that
 * the platform did not report a value.
 */

export type AudienceWarmth = 'cold' | 'lookalike' | 'warm'

export type AdCreativeDetail = {
  type: 'ad_detail'
  kind: 'creative'
  /** Id of the ad. */
  externalId: string
  format: string | null
  title: string | null
  body: string | null
  ctaType: string | null
  /** Width divided by height, in thousandths: 562 is 9:16. */
  aspectRatioMilli: number | null
  durationMs: number | null
  cardCount: number | null
  thumbnailUrl: string | null
  videoId: string | null
  /** Host of the landing page. */
  landingHost: string | null
  /** Full URL of the landing page. */
  destinationUrl?: string | null
  /** Parameters that the platform appends to the URL, including its macros. */
  urlTags?: string | null
}

export type AdTargetingDetail = {
  type: 'ad_detail'
  kind: 'targeting'
  level: 'campaign' | 'ad_set'
  externalId: string
  audienceWarmth: AudienceWarmth | null
  /** Countries in alphabetical order, joined by `+`; or the platform's location ids. */
  geo: string | null
  placement: string | null
}

export type AdAttentionDetail = {
  type: 'ad_detail'
  kind: 'attention'
  externalId: string
  day: string
  linkClicks: number | null
  /** Plays of at least three seconds, or the platform's own definition of a view. */
  videoViews: number | null
  /** Plays to the end or for at least 15 seconds. */
  thruplays: number | null
  videoP25: number | null
  videoP50: number | null
  videoP75: number | null
  videoP100: number | null
  /** The platform's ranking against ads that compete for the same audience: -1, 0 or 1. */
  qualityRanking: number | null
}

export type AdFrequencyDetail = {
  type: 'ad_detail'
  kind: 'frequency'
  externalId: string
  /** Last day of the seven-day window. */
  day: string
  /** Thousandths of an impression per person. */
  frequencyMilli: number
  reach: number | null
}

export type AdDetailRecord = AdCreativeDetail | AdTargetingDetail | AdAttentionDetail | AdFrequencyDetail

/** The host of a URL; null if the text is no URL. */
export function hostOf(url: string | null | undefined): string | null {
  if (!url) return null
  try {
    return new URL(url).hostname.toLowerCase() || null
  } catch {
    return null
  }
}

export function aspectRatioMilli(width: number | null, height: number | null): number | null {
  if (width === null || height === null || !(width > 0) || !(height > 0)) return null
  return Math.round((width * 1000) / height)
}
