import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseMoney, toDecimalNumber } from '../../../platform/contract/money.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import { listAdDataThrough } from '../../figures/snapshot/queries/ad-data-through.ts'
import type { GoalTarget } from './contract.ts'
import { type GoalRow, listGoalRows } from './goal-queries.ts'
import * as queries from './target-queries.ts'
import {
  type Metric,
  type Period,
  progressOf,
  SHAPE_DAYS,
  type Target,
  type TargetDay,
} from './target-rules.ts'

type Reader = { db: Db; profile: { id: string; timezone: string; currency: string }; now: Date }

/** Progress of all goals with a target; two queries of daily sums, regardless of the number of goals. */
export async function loadTargets(
  { db, profile, now }: Reader,
  goals: readonly Pick<GoalRow, 'id' | 'outcome_type' | 'revenue_type'>[],
): Promise<Map<string, GoalTarget>> {
  const targets = await queries.listTargets(db, { profileId: profile.id })
  if (targets.length === 0) return new Map()
  const today = localDay(now, profile.timezone)
  // A month and the days before it for the weekday pattern.
  const days = { profileId: profile.id, from: addDays(today, -31 - SHAPE_DAYS), to: addDays(today, -1) }
  const outcomes = await readSums(db, {
    ...days,
    measures: ['conversions', 'value_minor', 'value_unrated'],
    by: ['day', 'outcome_type', 'revenue_type'],
  })
  const spend = await readSums(db, { ...days, measures: ['spend_minor', 'spend_unrated'], by: ['day'] })
  const sources = await listAdDataThrough(db, { profile, day: days.to })
  // A source that was never synced makes every day incomplete.
  const through = sources.map((source) => source.through ?? days.from).reduce(earlier, days.to)
  return new Map(
    targets.flatMap((row) => {
      const goal = goals.find(({ id }) => id === row.goal_id)
      if (goal === undefined) return []
      const goalOutcomes = outcomes.filter(
        (day) => day.outcome_type === goal.outcome_type && day.revenue_type === goal.revenue_type,
      )
      return [
        [
          row.goal_id,
          toGoalTarget(row, toDays(row.metric, goalOutcomes, spend), { today, through }, profile.currency),
        ],
      ]
    }),
  )
}

const earlier = (a: string, b: string) => (a < b ? a : b)

function toDays(
  metric: Metric,
  outcomes: readonly { day: string; conversions: number; value_minor: number; value_unrated: number }[],
  spend: readonly { day: string; spend_minor: number; spend_unrated: number }[],
): TargetDay[] {
  const needsValue = metric === 'value' || metric === 'roas'
  const needsSpend = metric === 'cac' || metric === 'roas'
  return [
    ...outcomes.map(({ day, conversions, value_minor, value_unrated }) => ({
      day,
      count: conversions,
      valueMinor: value_minor,
      spendMinor: 0,
      unrated: needsValue ? value_unrated : 0,
    })),
    ...spend.map(({ day, spend_minor, spend_unrated }) => ({
      day,
      count: 0,
      valueMinor: 0,
      spendMinor: spend_minor,
      unrated: needsSpend ? spend_unrated : 0,
    })),
  ]
}

function toGoalTarget(
  row: Target,
  days: readonly TargetDay[],
  { today, through }: { today: string; through: string },
  currency: string,
): GoalTarget {
  const { metric, period, target } = row
  const progress = progressOf(row, days, today, through)
  const decimal = (value: number) => toDecimal(value, metric, currency)
  const { actual, expected } = progress
  return {
    metric,
    period,
    target: decimal(target),
    date_from: progress.from,
    date_to: progress.to,
    through: progress.through,
    actual: actual === null ? null : decimal(actual),
    expected: expected === null ? null : decimal(expected),
    status: progress.status,
  }
}

const isMoney = (metric: Metric) => metric === 'value' || metric === 'cac'

function toDecimal(value: number, metric: Metric, currency: string): number {
  if (metric === 'count') return value
  return isMoney(metric) ? toDecimalNumber(value, currency) : value / 1000
}

function toUnits(value: number, metric: Metric, currency: string): number {
  const invalid = (message: string) => new ApiError('validation_error', message, { field: 'target' })
  if (metric === 'roas') return Math.max(1, Math.round(value * 1000))
  if (metric === 'count') {
    if (!Number.isSafeInteger(value)) throw invalid('must be a whole number of outcomes.')
    return value
  }
  const parsed = parseMoney(value, currency)
  if (!parsed.ok) throw invalid(`${parsed.message}.`)
  return parsed.amountMinor
}

export async function setGoalTarget(
  context: ProfileContext,
  goalId: string,
  body: { metric: Metric; period: Period; target: number | null },
) {
  const { db, profile, now } = context
  const profileId = profile.id
  const goal = (await listGoalRows(db, { profileId })).find(({ id }) => id === goalId)
  if (goal === undefined) throw new ApiError('not_found', 'No such goal.')
  const { metric, period } = body
  const target =
    body.target === null ? null : { metric, period, target: toUnits(body.target, metric, profile.currency) }
  await inTransaction(db, async (tx) => {
    const before = (await queries.listTargets(tx, { profileId })).find((row) => row.goal_id === goalId)
    if (target === null) await queries.deleteTarget(tx, { profileId, goalId })
    else await queries.saveTarget(tx, { profileId, goalId, target, now })
    await recordSetting(tx, context, {
      action: 'goal.target_set',
      subject: goalId,
      before: before === undefined ? {} : { ...before },
      after: target === null ? {} : { ...target, goal_id: goalId },
    })
  })
  return { goal_id: goalId, target: (await loadTargets(context, [goal])).get(goalId) ?? null }
}
