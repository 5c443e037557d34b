/** Sentences for scores. Each statistic has one plain sentence here, and each missing number a reason. */

import type { DataOf, listTopPerformers } from '@whence/sdk'
import { percent } from '../../format/numbers.ts'
import { providerName, sentence } from '../../names/providers.ts'
import type { Tone } from '../../ui/badge.tsx'

type Row = DataOf<typeof listTopPerformers>[number]
export type Reason = Row['reason_codes'][number]
type Layer = Reason['layer']

/** Shares come from 0 to 1. */
export const share = (value: number) => percent(value * 100, 0)

export const layerWords: Record<Layer, { name: string; strength: string; weakness: string; rule: string }> = {
  attributed_revenue: {
    name: 'Sales',
    strength: 'Sells more per click',
    weakness: 'Sells less per click',
    rule: 'Sales, or leads where sales are few, per click; clicks too young to have sold count in part.',
  },
  click_intent: {
    name: 'Clicks',
    strength: 'Clicked more',
    weakness: 'Clicked less',
    rule: 'Link clicks per impression.',
  },
  delivery: {
    name: 'Cost of being seen',
    strength: 'Cheaper to show',
    weakness: 'Dearer to show',
    rule: 'Impressions for the money.',
  },
  attention: {
    name: 'First seconds',
    strength: 'Stops more people',
    weakness: 'Stops fewer people',
    rule: 'Views of three seconds per impression of the video.',
  },
  retention: {
    name: 'Watched on',
    strength: 'Keeps more viewers',
    weakness: 'Loses more viewers',
    rule: 'Views to the end, or of 15 seconds, per view of three.',
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

/** A probability is never shown as 0 or 100 %. */
const sure = (ahead: number) => share(Math.min(0.99, Math.max(0.01, ahead)))

export const aheadText = ({ percentile }: Reason) => sure(percentile)

/** Nearer to the middle than this, nothing is said of a layer. */
const MIDDLE = 0.1

export const isNotable = ({ percentile }: Reason) => Math.abs(percentile - 0.5) >= MIDDLE

export function reasonText(reason: Reason): string {
  const words = layerWords[reason.layer]
  if (!isNotable(reason)) return `${words.name}: as most similar ads`
  const ahead = reason.polarity === 'strength' ? reason.percentile : 1 - reason.percentile
  return `${words[reason.polarity]} than ${sure(ahead)} of similar ads`
}

export const confidenceWords: Record<Reason['sample_confidence'], string> = {
  low: 'few seen yet',
  medium: 'some seen',
  high: 'well seen',
}

export const stages: Record<Row['maturity_stage'], { label: string; tone: Tone; rule: string }> = {
  cold: {
    label: 'Too early to say',
    tone: 'plain',
    rule: 'Not shown enough: hardly seen, or it has not spent what similar ads pay for one outcome.',
  },
  early: {
    label: 'Early result',
    tone: 'accent',
    rule: 'What similar ads did still counts for a third or more of its score.',
  },
  mature: { label: 'Well tested', tone: 'good', rule: 'Two thirds or more of its score are its own doing.' },
  calibrated: {
    label: 'Well tested',
    tone: 'good',
    rule: 'Its score is its own doing, and forecasts for it have held on past weeks.',
  },
}

/** After the stage: whether an ad that was shown enough differs. */
export const evidenceWords: Record<NonNullable<Row['evidence']>, string> = {
  not_shown_enough: '',
  no_difference: ' Shown enough, and no clear difference from similar ads.',
  differs: ' It clearly differs from the middle of similar ads.',
}

const missing: Record<string, string> = {
  insufficient_history: 'not enough history yet',
  no_skill: 'on past weeks the forecast did no better than a guess',
  miscalibrated: 'on past weeks its chances did not match what happened',
  too_few_to_compare: 'too few similar ads ran on the same days',
  recent_change: 'budget or status changed in the last three days',
  cohort_too_small: 'fewer than eight similar ads',
}

export function missingText(reason: string | null): string {
  return reason === null ? 'does not apply' : (missing[reason] ?? sentence(reason).toLowerCase())
}

type Learned<T> = { value: T | null; status: string; reason: string | null }

/** What is served, or why it is not; never a nought. */
export function learnedText<T>(learned: Learned<T>, text: (value: T) => string): string {
  return learned.status === 'served' && learned.value !== null
    ? text(learned.value)
    : `Not evaluated: ${missingText(learned.reason)}`
}

export const fatigueWords = {
  high: { label: 'Fatigued', tone: 'bad' },
  medium: { label: 'May be fatigued', tone: 'warn' },
  low: { label: 'No decline seen', tone: 'plain' },
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
  lift: 'Proven by an experiment',
}
export const outcomeWords: Record<Row['primary_outcome_kind'], string> = {
  cash: 'Sales',
  pipeline: 'Leads',
  messaging: 'Conversations',
  meta: 'Platform’s own count',
  none: 'Nothing yet',
}

/** `social|video|sales|*|*|*` → `Meta · video · sales`. */
export function cohortText(key: string): string {
  const [channel = '', ...rest] = key.split('|')
  const known = rest.filter((part) => part !== '*' && part !== 'unknown')
  return [providerName(channel), ...known.map((part) => part.replaceAll('_', ' '))].join(' · ')
}
