/**
 * Whether the model may be shown: it has to predict later visits of other days better than last touch does, and better
 * than one rate for all. Learned on the first part of the window, compared on the last, with a gap of one lookback. And no
 * channel that follows people who buy anyway may gain by it.
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

/** Gain per conversion of the test days, with how many standard errors it is above 0. */
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
/** Higher, because it is looked for in every channel. */
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
  const known = { conversions, visits }
  const withheld = (reason: WithheldReason): Verdict => ({
    ...known,
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
  return { ...known, reason, againstLastTouch, againstOneRate }
}

/** Whether a channel that follows buyers would get more than last touch gives it. */
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

/** Rate after a visit of each channel, with a visit's worth of the average so that a rare channel has one too. */
function fitLast(cells: readonly VisitCell[], channelCount: number): number[] {
  const totals = Array.from({ length: channelCount }, () => ({ visits: 0, conversions: 0 }))
  const all = { visits: 0, conversions: 0 }
  for (const { last, visits, conversions } of cells) {
    for (const own of [totals[last]!, all]) {
      own.visits += visits
      own.conversions += conversions
    }
  }
  const average = all.conversions / all.visits
  return totals.map((own) => (own.conversions + average) / (own.visits + 1))
}

type Predict = (cell: VisitCell) => number

/** The prediction times one factor, so that it expects as many conversions as the test days had: only differences between paths count. */
function calibrated(test: readonly VisitCell[], predict: Predict): Predict {
  let expected = 0
  let happened = 0
  for (const cell of test) {
    expected += cell.visits * predict(cell)
    happened += cell.conversions
  }
  const factor = expected === 0 ? 0 : happened / expected
  return (cell) => Math.min(predict(cell) * factor, 1)
}

/** Difference of squared errors (Brier), summed by group of people, so that visits of one person count as one draw. */
function compare(test: readonly VisitCell[], model: Predict, rival: Predict): Comparison {
  const groups = new Float64Array(PERSON_GROUPS)
  let conversions = 0
  for (const cell of test) {
    groups[cell.group]! += squaredError(cell, rival(cell)) - squaredError(cell, model(cell))
    conversions += cell.conversions
  }
  const total = groups.reduce((sum, group) => sum + group, 0)
  return { gain: total / conversions, sigmas: sigmasOf(groups) }
}

const squaredError = ({ visits, conversions }: VisitCell, rate: number): number =>
  visits * rate * rate - 2 * rate * conversions + conversions
