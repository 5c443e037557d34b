/** Inputs of an ad's score in one window: counts, never rates, so that nothing is rounded early. */

export const scoreWindows = ['7d', '14d', '28d', 'lifetime'] as const
export type ScoreWindow = (typeof scoreWindows)[number]
export const windowDays: Record<ScoreWindow, number | null> = {
  '7d': 7,
  '14d': 14,
  '28d': 28,
  lifetime: null,
}

export type PeerTraits = {
  channel: string
  format: string
  objective: string
  audienceWarmth: string
  geo: string
  placement: string
}

export type AdCounts = PeerTraits & {
  adId: string
  spendMinor: number
  impressions: number
  clicks: number
  linkClicks: number
  /** Impressions of the days with known video views. */
  videoImpressions: number
  videoViews: number
  thruplays: number
  messagingStarted: number
  platformConversionsMilli: number
  platformValueMinor: number
  rankedDays: number
  /** 0, 1 or 2 for each ranked day: below, at or above the platform's average. */
  rankingPoints: number
  activeDays: number
  outcomes: number
  cashOutcomes: number
  pipelineOutcomes: number
  messagingOutcomes: number
  revenueMinor: number
  pipelineMinor: number
  /** Link clicks, each weighted by the share of its conversions expected to have arrived. */
  cashExposure: number
  pipelineExposure: number
}
