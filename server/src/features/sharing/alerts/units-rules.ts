/** Converts between the contract's decimals and the integers that rules compare. Pure. */
import { parseMoney, toDecimalNumber } from '../../../platform/contract/money.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import type { Metric } from '../../figures/daily-sums/rules.ts'
import type { AlertCondition, AlertFigure } from './contract.ts'
import type { RuleSnapshot } from './queries.ts'
import type { Figure, Threshold } from './rules.ts'

const isMoney = (metric: Metric) => metric === 'spend' || metric === 'revenue' || metric === 'cac'

type Columns = Omit<RuleSnapshot, 'name'>

/** The columns of the condition, or why its threshold is invalid. */
export function toColumns(condition: AlertCondition, currency: string): Columns | Refusal {
  if (condition.kind === 'finding') return { ...noThreshold, kind: 'finding', check_id: condition.check_id }
  const threshold = toUnits(condition, currency)
  if (threshold instanceof Refusal) return threshold
  return {
    kind: 'threshold',
    metric: condition.metric,
    campaign_id: condition.campaign_id,
    direction: condition.direction,
    comparison: condition.comparison,
    threshold,
    window_days: condition.window_days,
    min_conversions: condition.min_conversions,
    check_id: null,
  }
}

export const noThreshold = {
  metric: null,
  campaign_id: null,
  direction: null,
  comparison: null,
  threshold: null,
  window_days: null,
  min_conversions: null,
}

function toUnits(
  condition: Extract<AlertCondition, { kind: 'threshold' }>,
  currency: string,
): number | Refusal {
  const { metric, comparison, direction, threshold } = condition
  const field = 'condition.threshold'
  const refuse = (message: string) => new Refusal('validation_error', message, { field })
  if (comparison === 'change') {
    if (direction === 'below' && threshold >= 100)
      return refuse('must be less than 100 %, because a figure cannot fall by more.')
    return threshold > 100_000 ? refuse('must be at most 100000 %.') : Math.max(1, Math.round(threshold * 10))
  }
  if (metric === 'conversions')
    return Number.isSafeInteger(threshold) ? threshold : refuse('must be a whole number of payments.')
  if (!isMoney(metric)) return Math.max(1, Math.round(threshold * 1000))
  const parsed = parseMoney(threshold, currency)
  return parsed.ok ? parsed.amountMinor : refuse(`${parsed.message}.`)
}

/** The rule's settings, copied into the alert log and the audit log. */
export function toSnapshot(rule: RuleSnapshot): RuleSnapshot {
  const { name, kind, check_id } = rule
  const { metric, campaign_id, direction, comparison, threshold, window_days, min_conversions } = rule
  const condition = { metric, campaign_id, direction, comparison, threshold, window_days, min_conversions }
  return { name, kind, check_id, ...condition }
}

/** Only for rules of kind threshold. */
export function toThreshold(row: RuleSnapshot): Threshold {
  return {
    metric: row.metric as Metric,
    direction: row.direction as Threshold['direction'],
    comparison: row.comparison as Threshold['comparison'],
    threshold: row.threshold!,
    windowDays: row.window_days!,
    minConversions: row.min_conversions!,
  }
}

export function toCondition(row: RuleSnapshot, currency: string): AlertCondition {
  if (row.kind === 'finding') return { kind: 'finding', check_id: row.check_id }
  const { metric, direction, comparison, threshold, windowDays, minConversions } = toThreshold(row)
  return {
    kind: 'threshold',
    metric,
    campaign_id: row.campaign_id,
    direction,
    comparison,
    threshold: comparison === 'change' ? threshold / 10 : toDecimal(threshold, metric, currency)!,
    window_days: windowDays as 1 | 7 | 28,
    min_conversions: minConversions,
  }
}

function toDecimal(value: number | null, metric: Metric | null, currency: string): number | null {
  if (value === null || metric === 'conversions' || metric === null) return value
  return metric === 'roas' ? value / 1000 : toDecimalNumber(value, currency)
}

export function toFigure(figure: Figure, rule: RuleSnapshot, currency: string): AlertFigure {
  const metric = rule.metric as Metric | null
  return {
    date_from: figure.from,
    date_to: figure.to,
    value: toDecimal(figure.value, metric, currency),
    before: toDecimal(figure.before, metric, currency),
    change_percent: figure.change === null ? null : figure.change / 10,
    conversions: figure.conversions,
    conversions_before: figure.conversionsBefore,
    verdict: figure.verdict,
    reason: figure.reason,
    check_ids: figure.checkIds,
  }
}
