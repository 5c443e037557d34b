import type { Alert, AlertFigure } from '@whence/sdk'
import { count, money, plural, ratio } from '../../format/numbers.ts'
import { dayText, rangeText } from '../../format/times.ts'

export type AlertCondition = Alert['condition']
type Threshold = Extract<AlertCondition, { kind: 'threshold' }>
type Metric = Threshold['metric']

export const metricNames: Record<Metric, string> = {
  revenue: 'Revenue',
  conversions: 'Payments',
  roas: 'Ad ROAS',
  cac: 'Cost per payment',
  spend: 'Ad spend',
}

export const windowNames: Record<Threshold['window_days'], string> = {
  1: 'on a day',
  7: 'in 7 days',
  28: 'in 28 days',
}

export function valueText(value: number | null, metric: Metric, currency: string): string {
  if (metric === 'roas') return ratio(value)
  if (metric === 'conversions') return count(value)
  return value === null && metric === 'cac' ? 'No payment' : money(value, currency)
}

/** The condition as a sentence. */
export function conditionText(
  condition: AlertCondition,
  { currency, campaign }: { currency: string; campaign: string | null },
): string {
  if (condition.kind === 'finding')
    return condition.check_id === null
      ? 'The data check finds a problem'
      : `The data check finds ${condition.check_id.replaceAll('_', ' ')}`
  const { metric, direction, comparison, threshold, window_days } = condition
  const what = campaign === null ? metricNames[metric] : `${metricNames[metric]} of ${campaign}`
  if (comparison === 'value')
    return `${what} ${windowNames[window_days]} is ${direction} ${valueText(threshold, metric, currency)}`
  const verb = direction === 'below' ? 'falls' : 'rises'
  const before = window_days === 1 ? 'the same weekday a week earlier' : `the ${window_days} days before`
  return `${what} ${windowNames[window_days]} ${verb} by more than ${count(threshold)}% compared with ${before}`
}

const reasons: Record<NonNullable<AlertFigure['reason']>, string> = {
  too_few_conversions: 'too few payments',
  no_spend: 'no ad spend',
  exchange_rate_missing: 'an exchange rate is missing',
  nothing_to_compare: 'nothing to compare with',
  too_little_history: 'too little history',
  usual_change: 'a change of this size is normal here',
  no_more_data: 'no newer data',
}

/** Why the figure cannot fire the alert; null if it can. */
export const reasonText = ({ reason }: AlertFigure) => (reason === null ? null : reasons[reason])

/** The figure and its details. */
export function figureText(
  figure: AlertFigure,
  condition: AlertCondition,
  currency: string,
): { value: string; detail: string } {
  if (condition.kind === 'finding')
    return {
      value: plural(figure.check_ids.length, 'open finding'),
      detail: figure.check_ids.map((id) => id.replaceAll('_', ' ')).join(', '),
    }
  const { metric, comparison } = condition
  const days =
    figure.date_from === figure.date_to
      ? dayText(figure.date_to)
      : rangeText(figure.date_from, figure.date_to, false)
  const change = figure.change_percent
  const parts = [
    days,
    comparison === 'change' && change !== null
      ? `${change > 0 ? '+' : ''}${change}% from ${valueText(figure.before, metric, currency)}`
      : null,
    metric === 'spend' || metric === 'conversions' ? null : plural(figure.conversions, 'payment'),
  ]
  return {
    value: valueText(figure.value, metric, currency),
    detail: parts.filter((part) => part !== null).join(' · '),
  }
}

export const isMuted = ({ muted_until }: Alert, now = Date.now()) =>
  muted_until !== null && Date.parse(muted_until) > now
