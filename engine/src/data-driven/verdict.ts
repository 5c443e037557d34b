/**
 * Decides whether the model may be shown. It must predict visits of later days better than last touch and better than a
 * single rate: fitted on the first part of the window, tested on the last, with a gap of one lookback between. And no
 * channel that follows people who buy anyway may get more credit than under last touch.
 */
import { sizeOf } from './coalitions.ts'
import { payerBiasByChannel, sigmasOf, type Transition } from './followers.ts'
import { creditSales, PERSON_GROUPS, type Sale, totalsOf, type VisitCell } from './model.ts'
import { fitValue } from './value.ts'

export const withheldReasons = [
  'too_few_payments',
  'too_few_visits_without_payment',
  'one_channel_per_path',
  'not_better_than_chance',
  'not_better_than_last_touch',
  'channel_follows_buyers',
] as const
export type WithheldReason = (typeof withheldReasons)[number]

/** Gain per conversion of the test days, and its number of standard errors above 0. */
type Comparison = { gain: number; sigmas: number }
export type Verdict = {
  reason: WithheldReason | null
  conversions: { train: number; test: number }
  visits: { train: number; test: number }
  /** Null without enough data to compare. */
  againstLastTouch: Comparison | null
  againstOneRate: Comparison | null
}

const MIN_TRAIN_CONVERSIONS = 100
const MIN_TEST_CONVERSIONS = 50
const MIN_SALES_OF_SEVERAL = 30
const MIN_SIGMAS = 2
/** Higher, because every channel is tested. */
const MIN_FOLLOWING_SIGMAS = 3

export function decideServing(
  cells: readonly VisitCell[],
  sales: readonly Sale[],
  channelCount: number,
  transitions: readonly Transition[] = [],
): Verdict {
  const sum = (period: VisitCell['period'], pick: (cell: VisitCell) => number) =>
    cells.reduce((total, cell) => total + (cell.period === period ? pick(cell) : 0), 0)
  const conversions = {
    train: sum('train', (cell) => cell.conversions),
    test: sum('test', (cell) => cell.conversions),
  }
  const visits = { train: sum('train', (cell) => cell.visits), test: sum('test', (cell) => cell.visits) }
  const counts = { conversions, visits }
  const withheld = (reason: WithheldReason): Verdict => ({
    ...counts,
    reason,
    againstLastTouch: null,
    againstOneRate: null,
  })
  if (conversions.train < MIN_TRAIN_CONVERSIONS || conversions.test < MIN_TEST_CONVERSIONS)
    return withheld('too_few_payments')
  if (visits.train < 2 * conversions.train || visits.test < 2 * conversions.test)
    return withheld('too_few_visits_without_payment')
  if (sales.filter(({ set }) => sizeOf(set) > 1).length < MIN_SALES_OF_SEVERAL)
    return withheld('one_channel_per_path')
  const train = cells.filter(({ period }) => period === 'train')
  const test = cells.filter(({ period }) => period === 'test')
  const value = fitValue(totalsOf(train), channelCount)
  const byLast = fitLast(train, channelCount)
  const model = calibrated(test, ({ set, last }) => Math.max(value.rateOf(set, last), 0))
  const againstOneRate = compare(
    test,
    model,
    calibrated(test, () => 1),
  )
  const againstLastTouch = compare(
    test,
    model,
    calibrated(test, ({ last }) => byLast[last]!),
  )
  const reason =
    againstOneRate.sigmas < MIN_SIGMAS
      ? 'not_better_than_chance'
      : againstLastTouch.sigmas < MIN_SIGMAS
        ? 'not_better_than_last_touch'
        : gainsByFollowing(cells, sales, channelCount, transitions)
          ? 'channel_follows_buyers'
          : null
  return { ...counts, reason, againstLastTouch, againstOneRate }
}

/** Whether a channel that follows buyers would get more credit than under last touch. */
function gainsByFollowing(
  cells: readonly VisitCell[],
  sales: readonly Sale[],
  channelCount: number,
  transitions: readonly Transition[],
): boolean {
  const sigmas = payerBiasByChannel(transitions, channelCount)
  if (sigmas.every((value) => value < MIN_FOLLOWING_SIGMAS)) return false
  const byLast = new Float64Array(channelCount)
  for (const { last, amountMinor } of sales) byLast[last]! += amountMinor
  return creditSales(cells, sales, channelCount).some(
    ({ amountMinor }, channel) => sigmas[channel]! >= MIN_FOLLOWING_SIGMAS && amountMinor > byLast[channel]!,
  )
}

/** Conversion rate per channel of the last visit, smoothed with one visit at the average rate. */
function fitLast(cells: readonly VisitCell[], channelCount: number): number[] {
  const totals = Array.from({ length: channelCount }, () => ({ visits: 0, conversions: 0 }))
  const all = { visits: 0, conversions: 0 }
  for (const { last, visits, conversions } of cells) {
    for (const total of [totals[last]!, all]) {
      total.visits += visits
      total.conversions += conversions
    }
  }
  const average = all.conversions / all.visits
  return totals.map((total) => (total.conversions + average) / (total.visits + 1))
}

type Predict = (cell: VisitCell) => number

/** Scales the prediction to the number of conversions of the test days, so that only differences between paths matter. */
function calibrated(test: readonly VisitCell[], predict: Predict): Predict {
  let expected = 0
  let observed = 0
  for (const cell of test) {
    expected += cell.visits * predict(cell)
    observed += cell.conversions
  }
  const factor = expected === 0 ? 0 : observed / expected
  return (cell) => Math.min(predict(cell) * factor, 1)
}

/** Difference of squared errors (Brier), summed by group of people, because visits of one person are not independent. */
function compare(test: readonly VisitCell[], model: Predict, baseline: Predict): Comparison {
  const groups = new Float64Array(PERSON_GROUPS)
  let conversions = 0
  for (const cell of test) {
    groups[cell.group]! += squaredError(cell, baseline(cell)) - squaredError(cell, model(cell))
    conversions += cell.conversions
  }
  const total = groups.reduce((sum, group) => sum + group, 0)
  return { gain: total / conversions, sigmas: sigmasOf(groups) }
}

const squaredError = ({ visits, conversions }: VisitCell, rate: number): number =>
  visits * rate * rate - 2 * rate * conversions + conversions
