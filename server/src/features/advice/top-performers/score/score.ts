/**
 * Scores the ads of one window: each layer's rate is shrunk towards its peer group and ranked within it, and the
 * percentiles are averaged with weights. Pure; the result does not depend on the input order.
 */
import { gammaCdf } from '../../../../platform/statistics/distributions.ts'
import type { Counted } from '../../../../platform/statistics/gamma-poisson.ts'
import { fitSteeredPrior } from '../../../../platform/statistics/steered-prior.ts'
import type { AdCounts, PeerTraits } from './counts.ts'
import { type Layer, layers, layerWeights, primaryKind, readLayer } from './layers.ts'
import { peerGroupsOf } from './peer-groups.ts'
import { percentilesOf } from './percentiles.ts'
import { type AdScore, type Maturity, ScoreColumns } from './score-columns.ts'

/** A layer needs this many ads with data; both in a peer group of two. */
const MIN_COMPARED = 3
const neededOf = (members: number) => Math.min(MIN_COMPARED, Math.max(2, members))
const MIN_IMPRESSIONS = 1000
/** Expected outcomes from the ad's exposure; with fewer expected, zero outcomes carry no information. */
const MIN_EXPECTED = 3
/** An ad with this many outcomes was shown enough, whatever the peer group's cost or the expectation. */
const ENOUGH_OUTCOMES = 10
/** A stage once reached is kept down to this share of its thresholds, so that it does not flip back and forth. */
const HYSTERESIS = 0.75
/** Probability of being above or below the peer group's median that counts as a difference. */
const DIFFERENCE_PROBABILITY = 0.9
/** An existing difference is kept down to this probability. */
const KEPT_DIFFERENCE_PROBABILITY = 0.8
type LayerPlacement = {
  /** Expected outcomes for the ad's exposure. */
  expected: number
  percentile: number
  reliability: number
  rate: number
  posterior: { shape: number; rate: number }
  aboveMedian: () => number
}

export function scoreAds(ads: readonly AdCounts[]): AdScore[] {
  const sorted = ads.toSorted((a, b) => (a.adId < b.adId ? -1 : a.adId > b.adId ? 1 : 0))
  const scores = scoreInOrder(sorted, (slot) => sorted[slot]!)
  return sorted.map((_, slot) => scores.at(slot))
}

/**
 * For ads in id order. `countsOf` is called again for each access: row objects that live as long as a peer group is
 * scored doubled the heap.
 */
export function scoreInOrder(
  ads: readonly (PeerTraits & { adId: string })[],
  countsOf: (slot: number) => AdCounts,
): ScoreColumns {
  const scores = new ScoreColumns(ads)
  for (const { key, members, own } of peerGroupsOf(ads)) {
    const peerGroupScores = scorePeerGroup(members, countsOf)
    const isOwn = new Set(own)
    scores.beginPeerGroup({
      peerGroupKey: key,
      peerGroupSize: members.length,
      kind: peerGroupScores.kind,
      peerGroupCostMinor: peerGroupScores.costMinor,
    })
    members.forEach((slot, index) => {
      if (isOwn.has(slot)) scores.put(slot, toScore(countsOf(slot), index, peerGroupScores))
    })
  }
  return scores
}

type PeerGroupScores = ReturnType<typeof scorePeerGroup>

function scorePeerGroup(members: readonly number[], countsOf: (slot: number) => AdCounts) {
  const sums = { spend: 0, cash: 0, pipeline: 0 }
  for (const slot of members) {
    const ad = countsOf(slot)
    sums.spend += ad.spendMinor
    sums.cash += ad.cashOutcomes
    sums.pipeline += ad.pipelineOutcomes
  }
  const kind = primaryKind(sums)
  /** Per layer, in the order of the members. */
  const placed: { layer: Layer; placements: (LayerPlacement | undefined)[] }[] = []
  for (const layer of layers) {
    const readings = members.map((slot) => readLayer(layer, countsOf(slot), kind))
    const readingCount = readings.reduce((count, reading) => count + (reading === null ? 0 : 1), 0)
    if (readingCount >= neededOf(members.length)) placed.push({ layer, placements: placeAll(readings) })
  }
  const outcomes = kind === null ? 0 : sums[kind]
  return { kind, placed, costMinor: outcomes > 0 ? sums.spend / outcomes : null }
}

/** In input order; undefined for ads without data. */
function placeAll(readings: readonly (Counted | null)[]): (LayerPlacement | undefined)[] {
  const read = readings.filter((reading) => reading !== null)
  const prior = fitSteeredPrior(read)
  // No ad has a count: the layer cannot distinguish them.
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

function toScore(ad: AdCounts, index: number, { placed, costMinor }: PeerGroupScores) {
  const layerScores: (LayerPlacement & { layer: Layer })[] = []
  for (const { layer, placements } of placed) {
    const placement = placements[index]
    if (placement !== undefined) layerScores.push({ layer, ...placement })
  }
  const weight = layerScores.reduce((sum, { layer }) => sum + layerWeights[layer], 0)
  const blended = layerScores.reduce(
    (sum, { layer, percentile }) => sum + layerWeights[layer] * percentile,
    0,
  )
  const primary =
    layerScores.find(({ layer }) => layer === 'attributed_revenue') ??
    layerScores.find(({ layer }) => layer === 'click_intent')
  return {
    composite: weight > 0 ? Math.round((blended / weight) * 1e4) / 100 : null,
    layers: layerScores,
    maturity: maturityOf(ad, primary, costMinor),
    keptMaturity: maturityOf(ad, primary, costMinor, HYSTERESIS),
    posterior: primary?.posterior ?? null,
    aboveMedian: primary?.aboveMedian() ?? null,
  }
}

/**
 * Cold until the ad was shown enough: it spent less than the peer group's cost per outcome, or too few outcomes are
 * expected of it. A small difference to the peer group, or no peer group, does not make an ad cold.
 */
function maturityOf(
  ad: AdCounts,
  primary: LayerPlacement | undefined,
  costMinor: number | null,
  part = 1,
): Maturity {
  const isProven = ad.outcomes >= part * ENOUGH_OUTCOMES
  const isUnspent = costMinor !== null && ad.spendMinor < part * costMinor
  const isUnexpected = (primary?.expected ?? 0) < part * MIN_EXPECTED
  if (ad.impressions < part * MIN_IMPRESSIONS || (!isProven && (isUnspent || isUnexpected))) return 'cold'
  return (primary?.reliability ?? 0) < (part * 2) / 3 ? 'early' : 'mature'
}

export type Evidence = 'not_shown_enough' | 'no_difference' | 'differs'
/** The result of the previous scoring of an ad. */
export type PreviousScore = { stage: string; evidence: string | null; aboveMedian: number | null }

/** The ad's evidence against its peer group. An existing difference is kept while it is likely. */
export function evidenceOf(
  { maturity, aboveMedian }: Pick<AdScore, 'maturity' | 'aboveMedian'>,
  before?: PreviousScore,
): Evidence {
  if (maturity === 'cold') return 'not_shown_enough'
  if (aboveMedian === null) return 'no_difference'
  const isSameSide =
    before?.evidence === 'differs' &&
    before.aboveMedian !== null &&
    before.aboveMedian > 0.5 === aboveMedian > 0.5
  const requiredProbability = isSameSide ? KEPT_DIFFERENCE_PROBABILITY : DIFFERENCE_PROBABILITY
  return Math.max(aboveMedian, 1 - aboveMedian) >= requiredProbability ? 'differs' : 'no_difference'
}

const order: readonly Maturity[] = ['cold', 'early', 'mature']

/** The stage given the previous one: rises immediately, falls only if clearly below the threshold. */
export function stageAfter(
  before: string | undefined,
  score: Pick<AdScore, 'maturity' | 'keptMaturity'>,
): Maturity {
  const previousStage = order.indexOf(before === 'calibrated' ? 'mature' : ((before ?? 'cold') as Maturity))
  const keptStage = Math.min(previousStage, order.indexOf(score.keptMaturity))
  return order[Math.max(keptStage, order.indexOf(score.maturity))]!
}
