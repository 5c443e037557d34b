/** Texts of the creatives pages: one sentence per statistic, and a reason for each missing number. */

import type { DataOf, listTopPerformers } from '@whence/sdk'
import { percent } from '../../format/numbers.ts'
import { providerName, sentence } from '../../names/providers.ts'
import type { Tone } from '../../ui/badge.tsx'

type Row = DataOf<typeof listTopPerformers>[number]
export type LayerPercentile = Row['layer_percentiles'][number]
type Layer = LayerPercentile['layer']

/** Shares come from 0 to 1. */
export const share = (value: number) => percent(value * 100, 0)

export const layerWords: Record<Layer, { name: string; strength: string; weakness: string; rule: string }> = {
  attributed_revenue: {
    name: 'Sales',
    strength: 'Sells more per click',
    weakness: 'Sells less per click',
    rule: 'Sales per click, or leads if there are few sales. Recent clicks count partly, because they may still lead to a sale.',
  },
  click_intent: {
    name: 'Clicks',
    strength: 'Clicked more',
    weakness: 'Clicked less',
    rule: 'Link clicks per impression.',
  },
  delivery: {
    name: 'Cost of impressions',
    strength: 'Cheaper to show',
    weakness: 'More expensive to show',
    rule: 'Impressions per amount spent.',
  },
  attention: {
    name: 'First seconds',
    strength: 'Stops more people',
    weakness: 'Stops fewer people',
    rule: 'Three-second views per impression of the video.',
  },
  retention: {
    name: 'Watch time',
    strength: 'Keeps more viewers',
    weakness: 'Loses more viewers',
    rule: 'Views to the end, or of 15 seconds, per three-second view.',
  },
  postclick_messaging: {
    name: 'Conversations',
    strength: 'Starts more chats per click',
    weakness: 'Starts fewer chats per click',
    rule: 'Conversations started per click.',
  },
  platform_diagnostics: {
    name: 'Platform’s rating',
    strength: 'Rated higher by the platform',
    weakness: 'Rated lower by the platform',
    rule: 'Days above the platform’s own average.',
  },
}

/** A percentile is never shown as 0 or 100%. */
const clampedShare = (ahead: number) => share(Math.min(0.99, Math.max(0.01, ahead)))

export const aheadText = ({ percentile }: LayerPercentile) => clampedShare(percentile)

/** As in `reason_codes`. */
export function polarityOf({ percentile }: LayerPercentile): 'strength' | 'weakness' | 'middle' {
  return percentile > 0.6 ? 'strength' : percentile < 0.4 ? 'weakness' : 'middle'
}

export function layerText(layer: LayerPercentile): string {
  const texts = layerWords[layer.layer]
  const polarity = polarityOf(layer)
  if (polarity === 'middle') return `${texts.name}: like most similar ads`
  const ahead = polarity === 'strength' ? layer.percentile : 1 - layer.percentile
  return `${texts[polarity]} than ${clampedShare(ahead)} of similar ads`
}

export const confidenceWords: Record<LayerPercentile['sample_confidence'], string> = {
  low: 'little data',
  medium: 'some data',
  high: 'enough data',
}

export const stages: Record<Row['maturity_stage'], { label: string; tone: Tone; rule: string }> = {
  cold: {
    label: 'Too early to tell',
    tone: 'plain',
    rule: 'Not shown enough, or spend is below what similar ads pay for one outcome.',
  },
  early: {
    label: 'Early result',
    tone: 'accent',
    rule: 'A third or more of its score still comes from similar ads.',
  },
  mature: {
    label: 'Well tested',
    tone: 'good',
    rule: 'Two thirds or more of its score comes from its own data.',
  },
  calibrated: {
    label: 'Well tested',
    tone: 'good',
    rule: 'Its score comes from its own data, and forecasts for it were accurate on past weeks.',
  },
}

/** Appended to the stage: whether an ad with enough impressions differs from similar ads. */
export const evidenceWords: Record<NonNullable<Row['evidence']>, string> = {
  not_shown_enough: '',
  no_difference: ' No clear difference from similar ads.',
  differs: ' It clearly differs from the average of similar ads.',
}

const missing: Record<string, string> = {
  insufficient_history: 'not enough history yet',
  no_skill: 'on past weeks, the forecast was no better than a guess',
  miscalibrated: 'on past weeks, its probabilities did not match the outcomes',
  too_few_to_compare: 'too few similar ads ran on the same days',
  recent_change: 'budget or status changed in the last three days',
  cohort_too_small: 'fewer than eight similar ads',
}

export function missingText(reason: string | null): string {
  return reason === null ? 'does not apply' : (missing[reason] ?? sentence(reason).toLowerCase())
}

type Learned<T> = { value: T | null; status: string; reason: string | null }

/** The served value, or the reason why there is none; never 0 for a missing value. */
export function learnedText<T>(learned: Learned<T>, text: (value: T) => string): string {
  return learned.status === 'served' && learned.value !== null
    ? text(learned.value)
    : `Not evaluated: ${missingText(learned.reason)}`
}

export const fatigueWords = {
  high: { label: 'Fatigued', tone: 'bad' },
  medium: { label: 'May be fatigued', tone: 'warn' },
  low: { label: 'No decline', tone: 'plain' },
} as const

export const formatWords: Record<string, string> = {
  video: 'Video',
  static: 'Picture',
  carousel: 'Carousel',
  responsive_search_ad: 'Search ad',
}
export const formatName = (format: string) => formatWords[format] ?? sentence(format)

export const gradeWords: Record<Row['truth_grade'], string> = {
  predicted: 'No sale or lead yet',
  attributed: 'Sales and leads',
  lift: 'An experiment on its campaign was positive',
}
export const outcomeWords: Record<Row['primary_outcome_kind'], string> = {
  cash: 'Sales',
  pipeline: 'Leads',
  messaging: 'Conversations',
  meta: 'Platform’s own count',
  none: 'Nothing yet',
}

/** `social|video|sales|*|*|*` → `Meta · video · sales`. */
export function peerGroupText(key: string): string {
  const [channel = '', ...segments] = key.split('|')
  const parts = segments.filter((part) => part !== '*' && part !== 'unknown')
  return [providerName(channel), ...parts.map((part) => part.replaceAll('_', ' '))].join(' · ')
}
