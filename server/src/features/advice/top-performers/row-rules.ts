/** The stored facts of a scored ad, and its API row. Money becomes decimal only here. */
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { boundedProbability } from '../../../platform/statistics/distributions.ts'
import { traitsOf } from '../creative-patterns/traits-rules.ts'
import type { TopPerformerRow } from './fields.ts'
import type { AdCounts, ScoreWindow } from './score/counts.ts'
import type { Fatigue } from './score/fatigue.ts'
import type { Prediction } from './score/likelihood.ts'
import type { Evidence } from './score/score.ts'
import type { AdScore } from './score/score-columns.ts'

export const MODEL_VERSION = 1

export type CreativeFacts = {
  ctaType: string | null
  videoId: string | null
  hookType: string | null
  primaryAngle: string | null
  offers: string[]
}

/** Facts from an ad's creative, the same in every window. */
export function toCreative(text: {
  title: string | null
  body: string | null
  ctaType: string | null
  videoId: string | null
}): CreativeFacts {
  const { title, body, ctaType, videoId } = text
  const traits = traitsOf({
    format: null,
    aspectRatio: null,
    durationSeconds: null,
    cardCount: null,
    ctaType,
    title,
    body,
    landingHost: null,
  })
  return {
    ctaType,
    videoId,
    hookType: traits.hook_type,
    primaryAngle: traits.primary_angle,
    offers: offersOf(traits.offer),
  }
}

/** Shares one array among all ads with the same offer. */
const offerLists = new Map<string, string[]>()
function offersOf(offer: string | null): string[] {
  const key = offer === null || offer === 'none' ? '' : offer
  const list = offerLists.get(key) ?? (key === '' ? [] : [key])
  offerLists.set(key, list)
  return list
}

export type Learned = { top: Prediction; pause: Prediction; degradation: Prediction }

export type Scored = {
  counts: AdCounts
  score: AdScore
  evidence: Evidence
  learned: Learned
  fatigue: Fatigue
  lifespanDays: number | null
  creative: CreativeFacts | null
  /** Null if the ad started no conversation in an account that reports replies. */
  answered: { conversations: number; answered: number } | null
  /** A finished lift study of its campaign or ad set is positive. */
  isLifted: boolean
}

type Facts = Omit<
  TopPerformerRow,
  | 'layer_percentiles'
  | 'ad_external_id'
  | 'ad_name'
  | 'campaign_name'
  | 'ad_set_name'
  | 'creative_thumbnail_url'
  | 'score_window'
  | 'spend'
  | 'cpc'
  | 'attributed_revenue'
  | 'roas'
  | 'cac'
  | 'attributed_pipeline_value'
  | 'meta_reported_conversion_value'
  | 'cost_per_conversation'
> & {
  minor: { spend: number; revenue: number; pipeline: number; platformValue: number | null }
  clicks: number
  above_median: number | null
  decline: number | null
  frequency_share: number | null
}
export type ScoreFacts = Facts

const withheld = (reason: string) => ({ value: null, status: 'withheld' as const, reason })

export function toFacts(scored: Scored): ScoreFacts {
  const { counts, score, learned, fatigue, lifespanDays, creative, answered, isLifted } = scored
  const isModelled = learned.top.status === 'served'
  const [, peerGroupFormat, peerGroupObjective, peerGroupWarmth] = score.peerGroupKey.split('|') as [
    string,
    string,
    string,
    string,
  ]
  return {
    video_id: creative?.videoId ?? null,
    composite_score: score.composite,
    top_performer_likelihood: learned.top,
    model_version: isModelled ? MODEL_VERSION : null,
    score_source: isModelled ? 'model' : 'rules',
    maturity_stage: score.maturity === 'mature' && isModelled ? 'calibrated' : score.maturity,
    evidence: scored.evidence,
    truth_grade: isLifted ? 'lift' : counts.outcomes > 0 ? 'attributed' : 'predicted',
    primary_outcome_kind: headlineOf(counts),
    cohort_key: score.peerGroupKey,
    cohort_objective: peerGroupObjective,
    cohort_format: peerGroupFormat,
    cohort_audience_warmth: peerGroupWarmth,
    cohort_n_ads: score.peerGroupSize,
    hook_type: creative?.hookType ?? null,
    creative_format: counts.format === 'unknown' ? null : counts.format,
    cta_type: creative?.ctaType ?? null,
    primary_angle: creative?.primaryAngle ?? null,
    offers: creative?.offers ?? [],
    impressions: counts.impressions,
    ctr: counts.impressions > 0 ? rounded((counts.linkClicks / counts.impressions) * 100) : null,
    attributed_cash_outcomes: counts.cashOutcomes,
    attributed_outcomes_total: counts.outcomes,
    attributed_pipeline_outcomes: counts.pipelineOutcomes,
    meta_reported_conversions:
      counts.platformConversionsMilli > 0 ? counts.platformConversionsMilli / 1000 : null,
    messaging_conversations_started: counts.messagingStarted,
    first_reply_rate: answered === null ? null : rounded(answered.answered / answered.conversations),
    avg_engagement_score: engagementOf(score),
    hazard_30d_pause: learned.pause,
    hazard_30d_degradation: learned.degradation,
    fatigue_risk_tier:
      fatigue.status === 'served'
        ? { value: fatigue.tier, status: 'served', reason: null }
        : withheld(fatigue.reason),
    expected_lifespan_days:
      lifespanDays === null
        ? withheld('insufficient_history')
        : { value: lifespanDays, status: 'served', reason: null },
    reason_codes: reasonsOf(score),
    minor: {
      spend: counts.spendMinor,
      revenue: counts.revenueMinor,
      pipeline: counts.pipelineMinor,
      platformValue: counts.platformValueMinor > 0 ? counts.platformValueMinor : null,
    },
    clicks: counts.linkClicks,
    above_median: score.aboveMedian,
    decline: fatigue.status === 'served' ? rounded(fatigue.decline) : null,
    frequency_share: fatigue.status === 'served' ? fatigue.frequencyShare : null,
  }
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

function headlineOf(counts: AdCounts): TopPerformerRow['primary_outcome_kind'] {
  if (counts.cashOutcomes > 0) return 'cash'
  if (counts.pipelineOutcomes > 0) return 'pipeline'
  if (counts.messagingStarted > 0 || counts.messagingOutcomes > 0) return 'messaging'
  return counts.platformConversionsMilli > 0 ? 'meta' : 'none'
}

function engagementOf(score: AdScore): number | null {
  const placements = score.layers.filter(({ layer }) =>
    ['attention', 'retention', 'click_intent'].includes(layer),
  )
  if (placements.length === 0) return null
  return rounded((placements.reduce((sum, { percentile }) => sum + percentile, 0) / placements.length) * 100)
}

/** Facts keep all layers, by distance from the median, furthest first. */
function reasonsOf(score: AdScore): TopPerformerRow['reason_codes'] {
  return score.layers
    .toSorted((a, b) => Math.abs(b.percentile - 0.5) - Math.abs(a.percentile - 0.5))
    .map(({ layer, percentile, confidence }) => ({
      layer,
      polarity: percentile >= 0.5 ? 'strength' : 'weakness',
      percentile: rounded(boundedProbability(percentile)),
      sample_confidence: confidence,
    }))
}

/** Percentiles from 0.4 to 0.6 are neither a strength nor a weakness. */
const isReason = ({ percentile }: { percentile: number }) => percentile < 0.4 || percentile > 0.6

export type AdNames = {
  ad_external_id: string
  ad_name: string | null
  campaign_name: string | null
  ad_set_name: string | null
  thumbnail: string | null
}

export type InCurrency = { currency: string; convert: (amountMinor: number) => number }

/** `convert` converts minor units of the profile's currency to those of the shown currency. */
export function toRow(
  facts: ScoreFacts,
  names: AdNames,
  window: ScoreWindow,
  shownIn: InCurrency,
): TopPerformerRow {
  const { minor, clicks, above_median: _a, decline: _d, frequency_share: _f, ...fields } = facts
  const money = (amount: number) => toDecimalNumber(shownIn.convert(amount), shownIn.currency)
  const spend = shownIn.convert(minor.spend)
  const per = (count: number) =>
    count > 0 ? toDecimalNumber(Math.round(spend / count), shownIn.currency) : null
  return {
    ...fields,
    evidence: fields.evidence ?? null,
    reason_codes: fields.reason_codes.filter(isReason),
    layer_percentiles: fields.reason_codes.map(({ polarity: _, ...layer }) => layer),
    ad_external_id: names.ad_external_id,
    ad_name: names.ad_name,
    campaign_name: names.campaign_name,
    ad_set_name: names.ad_set_name,
    creative_thumbnail_url: names.thumbnail,
    score_window: window,
    spend: money(minor.spend),
    cpc: per(clicks),
    attributed_revenue: money(minor.revenue),
    roas: minor.spend > 0 ? rounded(minor.revenue / minor.spend) : null,
    cac: per(facts.attributed_cash_outcomes),
    attributed_pipeline_value: money(minor.pipeline),
    meta_reported_conversion_value: minor.platformValue === null ? null : money(minor.platformValue),
    cost_per_conversation: per(facts.messaging_conversations_started),
  }
}
