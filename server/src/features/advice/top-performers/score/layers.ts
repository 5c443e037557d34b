/** Seven measures of an ad, each a count over an exposure. Layers that do not apply are omitted. */
import type { AdCounts } from './counts.ts'

export const layers = [
  'delivery',
  'attention',
  'retention',
  'click_intent',
  'postclick_messaging',
  'attributed_revenue',
  'platform_diagnostics',
] as const
export type Layer = (typeof layers)[number]

/** Published in docs/top-performers.md. Sales have the highest weight, the platform's own diagnostics the lowest. */
export const layerWeights: Record<Layer, number> = {
  delivery: 0.1,
  attention: 0.1,
  retention: 0.1,
  click_intent: 0.2,
  postclick_messaging: 0.1,
  attributed_revenue: 0.35,
  platform_diagnostics: 0.05,
}

export type Confidence = 'low' | 'medium' | 'high'

/** `share`: weight of the ad's own data relative to the peer group's prior. */
export function confidenceOf(share: number): Confidence {
  if (share < 1 / 3) return 'low'
  return share < 2 / 3 ? 'medium' : 'high'
}

export type OutcomeKind = 'cash' | 'pipeline'

/** Sales if the peer group has enough of them to distinguish ads, else pipeline outcomes. */
const ENOUGH_SALES = 10
export function primaryKind({ cash, pipeline }: Record<OutcomeKind, number>): OutcomeKind | null {
  if (cash >= ENOUGH_SALES || (cash > 0 && pipeline === 0)) return 'cash'
  return pipeline > 0 ? 'pipeline' : null
}

export type Reading = { count: number; exposure: number }

const reading = (count: number, exposure: number): Reading | null =>
  exposure > 0 ? { count, exposure } : null

export function readLayer(layer: Layer, ad: AdCounts, kind: OutcomeKind | null): Reading | null {
  switch (layer) {
    case 'delivery':
      // Thousands of impressions per unit of money: a low CPM is a strength.
      return reading(ad.impressions / 1000, ad.spendMinor / 100)
    case 'attention':
      return reading(ad.videoViews, ad.videoImpressions)
    case 'retention':
      return reading(ad.thruplays, ad.videoViews)
    case 'click_intent':
      return reading(ad.linkClicks, ad.impressions)
    case 'postclick_messaging':
      return ad.objective === 'messaging' ? reading(ad.messagingStarted, ad.linkClicks) : null
    case 'attributed_revenue':
      if (kind === null) return null
      return kind === 'cash'
        ? reading(ad.cashOutcomes, ad.cashExposure)
        : reading(ad.pipelineOutcomes, ad.pipelineExposure)
    case 'platform_diagnostics':
      return reading(ad.rankingPoints / 2, ad.rankedDays)
  }
}
