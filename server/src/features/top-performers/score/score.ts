/**
 * Scores the ads of one window: each layer's rate is pulled towards its cohort, placed among the cohort's, and the
 * places are blended. Pure and indifferent to the order of its input.
 */
import {
  type Counted,
  cohortMedian,
  fitPrior,
  probabilityAbove,
  type RatePrior,
  reliability,
} from '../../../statistics/gamma-poisson.ts'
import { type Cohort, cohortsOf } from './cohorts.ts'
import type { AdCounts } from './counts.ts'
import { type Layer, layers, layerWeights, type OutcomeKind, primaryKind, readLayer } from './layers.ts'
import { percentilesOf } from './percentiles.ts'

export type Confidence = 'low' | 'medium' | 'high'
export type Maturity = 'cold' | 'early' | 'mature'
export type LayerScore = {
  layer: Layer
  percentile: number
  reliability: number
  confidence: Confidence
  rate: number
}

export type AdScore = {
  adId: string
  composite: number | null
  layers: LayerScore[]
  maturity: Maturity
  cohortKey: string
  cohortSize: number
  /** What the cohort is judged by; null where nothing was sold or asked for. */
  kind: OutcomeKind | null
  /** Of the primary rate: outcomes per click where there are any, else clicks per impression. */
  posterior: { shape: number; rate: number } | null
  aboveMedian: number | null
  /** What the cohort pays for one primary outcome. */
  cohortCostMinor: number | null
}

/** With fewer there is nobody to be compared with. */
const MIN_COMPARED = 3
/** An ad that was hardly shown says nothing, whatever its rates are. */
const MIN_IMPRESSIONS = 1000
/** Ads of a cohort are never taken to differ by less than a tenth: then a prior would outweigh every observation. */
const MIN_DEVIATION = 0.1

export function confidenceOf(share: number): Confidence {
  if (share < 1 / 3) return 'low'
  return share < 2 / 3 ? 'medium' : 'high'
}

/** The moments' prior, no stronger than ads that differ by a tenth would make it. */
export function cohortPrior(members: readonly Counted[]): RatePrior {
  const prior = fitPrior(members)
  if (prior.mean === 0) return prior
  return { mean: prior.mean, strength: Math.min(prior.strength, 1 / (prior.mean * MIN_DEVIATION ** 2)) }
}

type Placed = {
  percentile: number
  reliability: number
  rate: number
  posterior: { shape: number; rate: number }
  aboveMedian: () => number
}

export function scoreAds(ads: readonly AdCounts[]): AdScore[] {
  const sorted = ads.toSorted((a, b) => (a.adId < b.adId ? -1 : a.adId > b.adId ? 1 : 0))
  const cohortOf = cohortsOf(sorted)
  const places = new Map(sorted.map((ad, place) => [ad, place]))
  const scores = new Array<AdScore>(sorted.length)
  // What is known of a cohort is forgotten before the next is looked at.
  for (const cohort of new Set(cohortOf.values())) {
    const judged = judgeCohort(cohort.members)
    cohort.members.forEach((ad, index) => {
      if (cohortOf.get(ad) === cohort) scores[places.get(ad)!] = toScore(ad, index, cohort, judged)
    })
  }
  return scores
}

type Judged = ReturnType<typeof judgeCohort>

function judgeCohort(members: readonly AdCounts[]) {
  const kind = primaryKind(members)
  /** By layer, in the order of the members. */
  const placed: { layer: Layer; places: (Placed | undefined)[] }[] = []
  for (const layer of layers) {
    const readings = members.map((ad) => readLayer(layer, ad, kind))
    const known = readings.reduce((count, reading) => count + (reading === null ? 0 : 1), 0)
    if (known >= MIN_COMPARED) placed.push({ layer, places: placeAll(readings) })
  }
  const spend = members.reduce((sum, ad) => sum + ad.spendMinor, 0)
  const outcomes = members.reduce((sum, ad) => sum + outcomesOf(ad, kind), 0)
  return { kind, placed, costMinor: outcomes > 0 ? spend / outcomes : null }
}

export const outcomesOf = (ad: AdCounts, kind: OutcomeKind | null): number =>
  kind === 'cash' ? ad.cashOutcomes : kind === 'pipeline' ? ad.pipelineOutcomes : 0

/** In the order given; undefined where there is nothing to read. */
function placeAll(readings: readonly (Counted | null)[]): (Placed | undefined)[] {
  const read = readings.filter((reading) => reading !== null)
  const prior = cohortPrior(read)
  // Nobody has one: all stand in the middle, and no observation is told apart from none.
  if (prior.mean === 0) return []
  const posteriors = read.map((reading) => ({
    shape: prior.mean * prior.strength + reading.count,
    rate: prior.strength + reading.exposure,
  }))
  const percentiles = percentilesOf(posteriors)
  const median = cohortMedian(prior)
  let next = 0
  return readings.map((reading) => {
    if (reading === null) return undefined
    const index = next++
    const posterior = posteriors[index]!
    return {
      percentile: percentiles[index]!,
      reliability: reliability(prior, reading.exposure),
      rate: posterior.shape / posterior.rate,
      posterior,
      aboveMedian: () => probabilityAbove(prior, reading, median),
    }
  })
}

function toScore(
  ad: AdCounts,
  index: number,
  cohort: Cohort<AdCounts>,
  { kind, placed, costMinor }: Judged,
): AdScore {
  const own: (Placed & { layer: Layer })[] = []
  for (const { layer, places } of placed) {
    const place = places[index]
    if (place !== undefined) own.push({ layer, ...place })
  }
  const weight = own.reduce((sum, { layer }) => sum + layerWeights[layer], 0)
  const blended = own.reduce((sum, { layer, percentile }) => sum + layerWeights[layer] * percentile, 0)
  const primary =
    own.find(({ layer }) => layer === 'attributed_revenue') ??
    own.find(({ layer }) => layer === 'click_intent')
  return {
    adId: ad.adId,
    composite: weight > 0 ? Math.round((blended / weight) * 1e4) / 100 : null,
    layers: own.map(({ layer, percentile, reliability: share, rate }) => ({
      layer,
      percentile,
      reliability: share,
      confidence: confidenceOf(share),
      rate,
    })),
    maturity: maturityOf(ad, primary?.reliability ?? 0, costMinor),
    cohortKey: cohort.key,
    cohortSize: cohort.members.length,
    kind,
    posterior: primary?.posterior ?? null,
    aboveMedian: primary?.aboveMedian() ?? null,
    cohortCostMinor: costMinor,
  }
}

/** Cold while the ad has not spent what its cohort pays for one outcome, or while the cohort outweighs what was seen. */
function maturityOf(ad: AdCounts, share: number, costMinor: number | null): Maturity {
  const isUnspent = costMinor !== null && ad.spendMinor < costMinor
  if (isUnspent || ad.impressions < MIN_IMPRESSIONS || share < 1 / 3) return 'cold'
  return share < 2 / 3 ? 'early' : 'mature'
}
