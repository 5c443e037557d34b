/**
 * Three questions about the next days of an ad, each learned from what was known on past days and judged by the gate:
 * will it be in its peer group's top quarter by cost per outcome, will it be paused, will its click rate fall.
 */

import { boundedProbability } from '../../../../platform/statistics/distributions.ts'
import { MIN_COHORT } from './cohorts.ts'
import type { AdCounts, Cohorted } from './counts.ts'
import { type Example, type Learned, learn } from './gate.ts'
import type { OutcomeKind } from './layers.ts'
import { predict } from './logistic.ts'
import { scoreInOrder } from './score.ts'
import type { AdScore, ScoreColumns } from './score-columns.ts'

export type WeekCounts = Pick<AdCounts, 'linkClicks' | 'impressions'>

/** An ad as it was known at the end of a day. */
export type KnownAd = {
  adId: string
  month: AdCounts
  week: WeekCounts | null
  frequency: number | null
  ageDays: number
  isActive: boolean
}
/** What came of it, as it was known when it had settled. */
export type CameOf = {
  settled: { spendMinor: number; cash: number; pipeline: number } | null
  /** A week later; null where nothing is known of that day. */
  next: { isActive: boolean; impressions: number; linkClicks: number } | null
}
/** Ads in the order of their ids; `knownAt` shows what was known of one by its place, as often as it is queried. */
export type PastWeek = {
  week: number
  ads: readonly (Cohorted & { adId: string })[]
  knownAt: (place: number) => KnownAd
  cameOf: ReadonlyMap<string, CameOf>
}

export const questions = ['top', 'pause', 'degradation'] as const
export type Question = (typeof questions)[number]

const layerPlace = (score: AdScore, layer: string): number =>
  score.layers.find((one) => one.layer === layer)?.percentile ?? 0.5

/** At most twelve, none of which looks further than the day itself. */
export function featuresOf(ad: KnownAd, score: AdScore): number[] {
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

type Asked = { adId: string; week: number; features: number[]; labels: Record<Question, number | null> }

/** The ads of one past week with their answers. */
export function askedOf({ week, ads, knownAt, cameOf }: PastWeek): Asked[] {
  const scores = scoreInOrder(ads, (place) => knownAt(place).month)
  const top = topQuarters(scores, cameOf)
  return ads.map(({ adId }, place) => {
    const ad = knownAt(place)
    const next = cameOf.get(adId)?.next ?? null
    return {
      adId,
      week,
      features: featuresOf(ad, scores.at(place)),
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

function degraded(ad: KnownAd, next: CameOf['next']): number | null {
  if (next === null || next.impressions < MIN_SHOWN || ad.month.impressions < MIN_SHOWN) return null
  const before = (ad.month.linkClicks + 1) / ad.month.impressions
  return Number((next.linkClicks + 1) / next.impressions < before * (1 - LOST_SHARE))
}

/** 1 for the quarter of each peer group that paid least for an outcome; an ad without one is never among them. */
function topQuarters(scores: ScoreColumns, cameOf: PastWeek['cameOf']): Map<string, number> {
  const labels = new Map<string, number>()
  const cohorts = new Map<string, { adId: string; value: number }[]>()
  for (let place = 0; place < scores.length; place++) {
    const { adId, cohortKey, kind } = scores.at(place)
    const settled = cameOf.get(adId)?.settled
    if (!settled || settled.spendMinor <= 0 || kind === null) continue
    const ran = cohorts.get(cohortKey) ?? []
    cohorts.set(cohortKey, ran)
    ran.push({ adId, value: outcomesOf(settled, kind) / settled.spendMinor })
  }
  for (const ran of cohorts.values()) {
    if (ran.length < MIN_COHORT) continue
    const ranked = ran.toSorted((a, b) => b.value - a.value || (a.adId < b.adId ? -1 : 1))
    const places = Math.floor(ranked.length / 4)
    ranked.forEach(({ adId, value }, index) => {
      labels.set(adId, Number(index < places && value > 0))
    })
  }
  return labels
}

const outcomesOf = (settled: { cash: number; pipeline: number }, kind: OutcomeKind): number =>
  kind === 'cash' ? settled.cash : settled.pipeline

export function examplesFor(asked: readonly Asked[], question: Question): Example[] {
  const labels = new Map<number, Map<string, number | null>>()
  for (const { adId, week, labels: own } of asked) {
    const ofWeek = labels.get(week) ?? new Map<string, number | null>()
    labels.set(week, ofWeek.set(adId, own[question]))
  }
  return asked.flatMap((one) => {
    const label = one.labels[question]
    if (label === null) return []
    const before = labels.get(one.week - 1)?.get(one.adId) ?? null
    return [{ week: one.week, features: one.features, label, before }]
  })
}

export type Models = Record<Question, Learned>

export function learnAll(asked: readonly Asked[], seed: string): Models {
  const of = (question: Question) => learn(examplesFor(asked, question), `${seed} ${question}`)
  return { top: of('top'), pause: of('pause'), degradation: of('degradation') }
}

export type Answered =
  | { value: number; status: 'served'; reason: null }
  | { value: null; status: 'withheld' | 'not_applicable'; reason: string | null }

/** The chance within `days`, from the weekly one. */
const within = (weekly: number, days: number): number => 1 - (1 - weekly) ** (days / 7)

export function answer(models: Models, question: Question, ad: KnownAd, score: AdScore): Answered {
  const { backtest, model } = models[question]
  if (model === null) return { value: null, status: 'withheld', reason: backtest.reason }
  if (score.cohortSize < MIN_COHORT)
    return { value: null, status: 'not_applicable', reason: 'cohort_too_small' }
  const chance = predict(model, featuresOf(ad, score))
  const value = boundedProbability(question === 'top' ? chance : within(chance, 30))
  return { value: round4(value), status: 'served', reason: null }
}

const round4 = (value: number) => Math.round(value * 1e4) / 1e4
