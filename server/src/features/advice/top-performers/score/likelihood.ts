/**
 * Three prediction targets for an ad's next days, each learned from past days and validated by the gate: being in its
 * peer group's top quarter by cost per outcome, being paused, and a falling click rate.
 */
import { boundedProbability } from '../../../../platform/statistics/distributions.ts'
import type { AdCounts, PeerTraits } from './counts.ts'
import { type Example, type Learned, learn } from './gate.ts'
import type { OutcomeKind } from './layers.ts'
import { predict } from './logistic.ts'
import { MIN_PEER_GROUP } from './peer-groups.ts'
import { scoreInOrder } from './score.ts'
import type { AdScore, ScoreColumns } from './score-columns.ts'

export type WeekCounts = Pick<AdCounts, 'linkClicks' | 'impressions'>

/** State of an ad at the end of a day. */
export type AdState = {
  adId: string
  month: AdCounts
  week: WeekCounts | null
  frequency: number | null
  ageDays: number
  isActive: boolean
}
/** What happened to it afterwards, once settled. */
export type AdOutcome = {
  settled: { spendMinor: number; cash: number; pipeline: number } | null
  /** A week later; null without data for that day. */
  next: { isActive: boolean; impressions: number; linkClicks: number } | null
}
/** Ads in id order; `knownAt` returns the state of an ad by its index. */
export type PastWeek = {
  week: number
  ads: readonly (PeerTraits & { adId: string })[]
  knownAt: (slot: number) => AdState
  outcomes: ReadonlyMap<string, AdOutcome>
}

export const targets = ['top', 'pause', 'degradation'] as const
export type PredictionTarget = (typeof targets)[number]

const layerPlace = (score: AdScore, layer: string): number =>
  score.layers.find((layerScore) => layerScore.layer === layer)?.percentile ?? 0.5

/** Twelve features, none of which uses data after the day. */
export function featuresOf(ad: AdState, score: AdScore): number[] {
  const revenue = score.layers.find(({ layer }) => layer === 'attributed_revenue')
  const rate = (counts: WeekCounts | null) =>
    Math.log(((counts?.linkClicks ?? 0) + 2) / ((counts?.impressions ?? 0) + 200))
  return [
    (score.composite ?? 50) / 100,
    layerPlace(score, 'attributed_revenue'),
    layerPlace(score, 'click_intent'),
    layerPlace(score, 'delivery'),
    layerPlace(score, 'attention'),
    layerPlace(score, 'retention'),
    revenue?.reliability ?? 0,
    Math.log1p(ad.month.spendMinor / 100),
    ad.week === null ? 0 : rate(ad.week) - rate(ad.month),
    Math.log(ad.frequency ?? 1),
    Math.log1p(ad.ageDays),
    ad.month.videoImpressions > 0 ? 1 : 0,
  ]
}

type LabeledAd = {
  adId: string
  week: number
  features: number[]
  labels: Record<PredictionTarget, number | null>
}

/** The ads of one past week with features and labels. */
export function labeledAds({ week, ads, knownAt, outcomes }: PastWeek): LabeledAd[] {
  const scores = scoreInOrder(ads, (slot) => knownAt(slot).month)
  const top = topQuarters(scores, outcomes)
  return ads.map(({ adId }, slot) => {
    const ad = knownAt(slot)
    const next = outcomes.get(adId)?.next ?? null
    return {
      adId,
      week,
      features: featuresOf(ad, scores.at(slot)),
      labels: {
        top: top.get(adId) ?? null,
        pause: ad.isActive && next !== null ? Number(!next.isActive) : null,
        degradation: degraded(ad, next),
      },
    }
  })
}

const LOST_SHARE = 0.3
const MIN_SHOWN = 500

function degraded(ad: AdState, next: AdOutcome['next']): number | null {
  if (next === null || next.impressions < MIN_SHOWN || ad.month.impressions < MIN_SHOWN) return null
  const before = (ad.month.linkClicks + 1) / ad.month.impressions
  return Number((next.linkClicks + 1) / next.impressions < before * (1 - LOST_SHARE))
}

/** 1 for the quarter of each peer group with the lowest cost per outcome; never for an ad without outcomes. */
function topQuarters(scores: ScoreColumns, outcomes: PastWeek['outcomes']): Map<string, number> {
  const labels = new Map<string, number>()
  const peerGroups = new Map<string, { adId: string; value: number }[]>()
  for (let slot = 0; slot < scores.length; slot++) {
    const { adId, peerGroupKey, kind } = scores.at(slot)
    const settled = outcomes.get(adId)?.settled
    if (!settled || settled.spendMinor <= 0 || kind === null) continue
    const peerGroupAds = peerGroups.get(peerGroupKey) ?? []
    peerGroups.set(peerGroupKey, peerGroupAds)
    peerGroupAds.push({ adId, value: outcomesOf(settled, kind) / settled.spendMinor })
  }
  for (const peerGroupAds of peerGroups.values()) {
    if (peerGroupAds.length < MIN_PEER_GROUP) continue
    const ranked = peerGroupAds.toSorted((a, b) => b.value - a.value || (a.adId < b.adId ? -1 : 1))
    const topCount = Math.floor(ranked.length / 4)
    ranked.forEach(({ adId, value }, index) => {
      labels.set(adId, Number(index < topCount && value > 0))
    })
  }
  return labels
}

const outcomesOf = (settled: { cash: number; pipeline: number }, kind: OutcomeKind): number =>
  kind === 'cash' ? settled.cash : settled.pipeline

export function examplesFor(labeled: readonly LabeledAd[], question: PredictionTarget): Example[] {
  const labels = new Map<number, Map<string, number | null>>()
  for (const { adId, week, labels: adLabels } of labeled) {
    const ofWeek = labels.get(week) ?? new Map<string, number | null>()
    labels.set(week, ofWeek.set(adId, adLabels[question]))
  }
  return labeled.flatMap((ad) => {
    const label = ad.labels[question]
    if (label === null) return []
    const before = labels.get(ad.week - 1)?.get(ad.adId) ?? null
    return [{ week: ad.week, features: ad.features, label, before }]
  })
}

export type Models = Record<PredictionTarget, Learned>

export function trainAll(labeled: readonly LabeledAd[], seed: string): Models {
  const train = (question: PredictionTarget) => learn(examplesFor(labeled, question), `${seed} ${question}`)
  return { top: train('top'), pause: train('pause'), degradation: train('degradation') }
}

export type Prediction =
  | { value: number; status: 'served'; reason: null }
  | { value: null; status: 'withheld' | 'not_applicable'; reason: string | null }

/** Converts a weekly probability to one within `days`. */
const within = (weekly: number, days: number): number => 1 - (1 - weekly) ** (days / 7)

export function predictTarget(
  models: Models,
  question: PredictionTarget,
  ad: AdState,
  score: AdScore,
): Prediction {
  const { backtest, model } = models[question]
  if (model === null) return { value: null, status: 'withheld', reason: backtest.reason }
  if (score.peerGroupSize < MIN_PEER_GROUP)
    return { value: null, status: 'not_applicable', reason: 'cohort_too_small' }
  const chance = predict(model, featuresOf(ad, score))
  const value = boundedProbability(question === 'top' ? chance : within(chance, 30))
  return { value: round4(value), status: 'served', reason: null }
}

const round4 = (value: number) => Math.round(value * 1e4) / 1e4
