/**
 * Scores the ads of one window: each layer's rate is pulled towards its peer group, placed among the peer group's, and the
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

/** With fewer a layer compares no one; of a pair both. */
const MIN_COMPARED = 3
const neededOf = (members: number) => Math.min(MIN_COMPARED, Math.max(2, members))
/** An ad that was hardly shown says nothing, whatever its rates are. */
const MIN_IMPRESSIONS = 1000
/** Outcomes that the ad's chances should have brought by now; with fewer, none is no sign. */
const MIN_EXPECTED = 3
/** An ad that brought so many was shown enough, whatever its peer group pays or was to be expected. */
const ENOUGH_OUTCOMES = 10
/** A stage that was reached is kept down to this share of its thresholds, so that it does not come and go. */
const KEPT_DOWN_TO = 0.75
/** So likely above or below the middle of the peer group counts as a difference. */
const DIFFERS_FROM = 0.9
/** A difference that was found is kept down to this. */
const DIFFERS_DOWN_TO = 0.8
type Placed = {
  /** Outcomes to expect of so many chances. */
  expected: number
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
 * long as a peer group made the heap twice as large.
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
    if (known >= neededOf(members.length)) placed.push({ layer, places: placeAll(readings) })
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
      expected: (reading.exposure * posterior.shape) / posterior.rate,
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
    maturity: maturityOf(ad, primary, costMinor),
    keptMaturity: maturityOf(ad, primary, costMinor, KEPT_DOWN_TO),
    posterior: primary?.posterior ?? null,
    aboveMedian: primary?.aboveMedian() ?? null,
  }
}

/**
 * Cold while the ad was not shown enough: it has not spent what its peer group pays for one outcome, or too few outcomes
 * are to be expected of it. Ads of a peer group that hardly differ are not cold for that, nor are ads without one.
 */
function maturityOf(ad: AdCounts, primary: Placed | undefined, costMinor: number | null, part = 1): Maturity {
  const isProven = ad.outcomes >= part * ENOUGH_OUTCOMES
  const isUnspent = costMinor !== null && ad.spendMinor < part * costMinor
  const isUnexpected = (primary?.expected ?? 0) < part * MIN_EXPECTED
  if (ad.impressions < part * MIN_IMPRESSIONS || (!isProven && (isUnspent || isUnexpected))) return 'cold'
  return (primary?.reliability ?? 0) < (part * 2) / 3 ? 'early' : 'mature'
}

export type Evidence = 'not_shown_enough' | 'no_difference' | 'differs'
/** What the scoring before found of an ad. */
export type Before = { stage: string; evidence: string | null; aboveMedian: number | null }

/** What the ad's own figures show next to those of its peer group. A difference found before is kept while it is likely. */
export function evidenceOf(
  { maturity, aboveMedian }: Pick<AdScore, 'maturity' | 'aboveMedian'>,
  before?: Before,
): Evidence {
  if (maturity === 'cold') return 'not_shown_enough'
  if (aboveMedian === null) return 'no_difference'
  const isSameSide =
    before?.evidence === 'differs' &&
    before.aboveMedian !== null &&
    before.aboveMedian > 0.5 === aboveMedian > 0.5
  const needed = isSameSide ? DIFFERS_DOWN_TO : DIFFERS_FROM
  return Math.max(aboveMedian, 1 - aboveMedian) >= needed ? 'differs' : 'no_difference'
}

const order: readonly Maturity[] = ['cold', 'early', 'mature']

/** The stage after an earlier scoring: a higher one is taken at once, a lower one only where it is clear. */
export function stageAfter(
  before: string | undefined,
  score: Pick<AdScore, 'maturity' | 'keptMaturity'>,
): Maturity {
  const had = order.indexOf(before === 'calibrated' ? 'mature' : ((before ?? 'cold') as Maturity))
  const kept = Math.min(had, order.indexOf(score.keptMaturity))
  return order[Math.max(kept, order.indexOf(score.maturity))]!
}
