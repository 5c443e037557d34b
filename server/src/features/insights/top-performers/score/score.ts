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
} from '../../../../platform/statistics/gamma-poisson.ts'
import { cohortsOf } from './cohorts.ts'
import type { AdCounts, Cohorted } from './counts.ts'
import { type Layer, layers, layerWeights, primaryKind, readLayer } from './layers.ts'
import { percentilesOf } from './percentiles.ts'
import { type AdScore, type Maturity, ScoreColumns } from './score-columns.ts'

/** With fewer there is no one to be compared with. */
const MIN_COMPARED = 3
/** An ad that was hardly shown says nothing, whatever its rates are. */
const MIN_IMPRESSIONS = 1000
/** Ads of a cohort are never taken to differ by less than a tenth: then a prior would outweigh every observation. */
const MIN_DEVIATION = 0.1

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
  const scores = scoreInOrder(sorted, (place) => sorted[place]!)
  return sorted.map((_, place) => scores.at(place))
}

/**
 * Of ads in the order of their ids. `countsOf` is queried again for each thing that is wanted of an ad: rows that live as
 * long as a cohort made the heap twice as large.
 */
export function scoreInOrder(
  ads: readonly (Cohorted & { adId: string })[],
  countsOf: (place: number) => AdCounts,
): ScoreColumns {
  const scores = new ScoreColumns(ads)
  for (const { key, members, own } of cohortsOf(ads)) {
    const judged = judgeCohort(members, countsOf)
    const isOwn = new Set(own)
    scores.beginCohort({
      cohortKey: key,
      cohortSize: members.length,
      kind: judged.kind,
      cohortCostMinor: judged.costMinor,
    })
    members.forEach((place, index) => {
      if (isOwn.has(place)) scores.put(place, toScore(countsOf(place), index, judged))
    })
  }
  return scores
}

type Judged = ReturnType<typeof judgeCohort>

function judgeCohort(members: readonly number[], countsOf: (place: number) => AdCounts) {
  const sums = { spend: 0, cash: 0, pipeline: 0 }
  for (const place of members) {
    const ad = countsOf(place)
    sums.spend += ad.spendMinor
    sums.cash += ad.cashOutcomes
    sums.pipeline += ad.pipelineOutcomes
  }
  const kind = primaryKind(sums)
  /** By layer, in the order of the members. */
  const placed: { layer: Layer; places: (Placed | undefined)[] }[] = []
  for (const layer of layers) {
    const readings = members.map((place) => readLayer(layer, countsOf(place), kind))
    const known = readings.reduce((count, reading) => count + (reading === null ? 0 : 1), 0)
    if (known >= MIN_COMPARED) placed.push({ layer, places: placeAll(readings) })
  }
  const outcomes = kind === null ? 0 : sums[kind]
  return { kind, placed, costMinor: outcomes > 0 ? sums.spend / outcomes : null }
}

/** In the order given; undefined where there is nothing to read. */
function placeAll(readings: readonly (Counted | null)[]): (Placed | undefined)[] {
  const read = readings.filter((reading) => reading !== null)
  const prior = cohortPrior(read)
  // No one has one: all stand in the middle, and no observation is distinguished from none.
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

function toScore(ad: AdCounts, index: number, { placed, costMinor }: Judged) {
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
    composite: weight > 0 ? Math.round((blended / weight) * 1e4) / 100 : null,
    layers: own,
    maturity: maturityOf(ad, primary?.reliability ?? 0, costMinor),
    posterior: primary?.posterior ?? null,
    aboveMedian: primary?.aboveMedian() ?? null,
  }
}

/** Cold while the ad has not spent what its cohort pays for one outcome, or while the cohort outweighs what was seen. */
function maturityOf(ad: AdCounts, share: number, costMinor: number | null): Maturity {
  const isUnspent = costMinor !== null && ad.spendMinor < costMinor
  if (isUnspent || ad.impressions < MIN_IMPRESSIONS || share < 1 / 3) return 'cold'
  return share < 2 / 3 ? 'early' : 'mature'
}
