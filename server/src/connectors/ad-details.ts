/**
 * What ad platforms report about an ad in addition to its structure and delivery: what it shows, who sees it
 * to, how it is watched, and how often the same people saw it. Null means the platform did not say.
 */

export type AudienceWarmth = 'cold' | 'lookalike' | 'warm'

export type AdCreativeDetail = {
  type: 'ad_detail'
  kind: 'creative'
  /** The ad's. */
  externalId: string
  format: string | null
  title: string | null
  body: string | null
  ctaType: string | null
  /** Width over height, in thousandths: 562 is 9:16. */
  aspectRatioMilli: number | null
  durationMs: number | null
  cardCount: number | null
  thumbnailUrl: string | null
  videoId: string | null
  /** The host that a click leads to. */
  landingHost: string | null
  /** The whole address that a click leads to. */
  destinationUrl?: string | null
  /** Parameters that the platform appends to it, with its macros. */
  urlTags?: string | null
}

export type AdTargetingDetail = {
  type: 'ad_detail'
  kind: 'targeting'
  level: 'campaign' | 'ad_set'
  externalId: string
  audienceWarmth: AudienceWarmth | null
  /** Countries in alphabetical order, joined by `+`; or the platform's ids of places. */
  geo: string | null
  placement: string | null
}

export type AdAttentionDetail = {
  type: 'ad_detail'
  kind: 'attention'
  externalId: string
  day: string
  linkClicks: number | null
  /** Watched for three seconds at least, or counted as a view by a platform that counts otherwise. */
  videoViews: number | null
  /** Watched to the end, or for 15 seconds. */
  thruplays: number | null
  videoP25: number | null
  videoP50: number | null
  videoP75: number | null
  videoP100: number | null
  /** The platform's own judgement against ads that compete for the same people: -1, 0 or 1. */
  qualityRanking: number | null
}

export type AdFrequencyDetail = {
  type: 'ad_detail'
  kind: 'frequency'
  externalId: string
  /** The last of the seven days that are counted together. */
  day: string
  /** Thousandths of an impression per person. */
  frequencyMilli: number
  reach: number | null
}

export type AdDetailRecord = AdCreativeDetail | AdTargetingDetail | AdAttentionDetail | AdFrequencyDetail

/** The host of an address, or null where the text is none. */
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
