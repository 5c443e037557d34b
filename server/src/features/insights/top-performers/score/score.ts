/**
 * Scores the ads of one window: each layer's rate is pulled towards its cohort, placed among the cohort's, and the
 * places are blended. Pure and indifferent to the order of its input.
 */
import { gammaCdf } from '../../../../platform/statistics/distributions.ts'
import type { Counted } from '../../../../platform/statistics/gamma-poisson.ts'
import { fitSteeredPrior } from '../../../../platform/statistics/steered-prior.ts'
import { cohortsOf } from './cohorts.ts'
import type { AdCounts, Cohorted } from './counts.ts'
import { type Layer, layers, layerWeights, primaryKind, readLayer } from './layers.ts'
import { percentilesOf } from './percentiles.ts'
import { type AdScore, type Maturity, ScoreColumns } from './score-columns.ts'

/** With fewer there is no one to be compared with. */
const MIN_COMPARED = 3
/** An ad that was hardly shown says nothing, whatever its rates are. */
const MIN_IMPRESSIONS = 1000
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
  const prior = fitSteeredPrior(read)
  // No one has one: all are in the middle, and no observation is distinguished from none.
  if (prior === null) return []
  const posteriors = read.map(prior.posterior)
  const percentiles = percentilesOf(posteriors)
  const median = medianOf(posteriors.map(({ shape, rate }) => shape / rate))
  let next = 0
  return readings.map((reading) => {
    if (reading === null) return undefined
    const index = next++
    const posterior = posteriors[index]!
    return {
      percentile: percentiles[index]!,
      reliability: prior.reliability(reading),
      rate: posterior.shape / posterior.rate,
      posterior,
      aboveMedian: () => 1 - gammaCdf(posterior.shape, median * posterior.rate),
    }
  })
}

function medianOf(values: number[]): number {
  const sorted = Float64Array.from(values).sort()
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
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
