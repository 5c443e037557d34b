/**
 * Readings and verdicts of experiments. Intervals use the observed day-to-day variance including autocorrelation. There
 * is no verdict before the end of the experiment plus the conversion lag.
 */
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { varianceOfSum } from '../../../platform/statistics/dispersion.ts'
import { chiSquareSurvival, studentTwoSided } from '../../../platform/statistics/distributions.ts'

export type Status = 'planned' | 'running' | 'observing' | 'complete' | 'canceled'
export type Verdict = 'positive' | 'negative' | 'inconclusive' | 'invalid'
export type Reading = { metric: string; effect: number; low: number; high: number; level: number }
export type Checks = {
  sampleRatioP: number | null
  prePeriodOk: boolean | null
  divergentDelivery: boolean | null
  /** For a geo study: above 1 the effect exceeds the regions' changes without an experiment. */
  placeboRatio: number | null
  /** For a geo study: above 1 the effect exceeds the changes of control regions at the same time. */
  regionRatio: number | null
}

export type OwnReading = { reading: Reading | null; checks: Checks }

export const LEVEL = 0.95
/** Assumed conversion lag while the profile's own lag is unknown. */
export const USUAL_LAG_DAYS = 7
const BROKEN_SPLIT_P = 0.001

export type Times = {
  startsAt: Date | null
  endsAt: Date | null
  observationEndsAt: Date | null
  canceledAt: Date | null
}

/** `lagDays` after the end, or the end of the platform's observation if later. */
export function readableFrom({ endsAt, observationEndsAt }: Times, lagDays: number): Date | null {
  if (endsAt === null) return null
  return new Date(Math.max(endsAt.getTime() + lagDays * DAY_MS, observationEndsAt?.getTime() ?? 0))
}

export function statusOf(times: Times, now: Date, lagDays: number): Status {
  if (times.canceledAt !== null) return 'canceled'
  if (times.startsAt === null || now < times.startsAt) return 'planned'
  if (times.endsAt === null || now < times.endsAt) return 'running'
  return now < readableFrom(times, lagDays)! ? 'observing' : 'complete'
}

/** What determines whether our own figures of the cells are complete. */
export type Completeness = { lagDays: number | null; syncedAt: Date | null }

/** What a verdict still waits for after the end; null if nothing. A lift study is measured by its platform. */
export function missingData(
  kind: 'lift' | 'split' | 'geo',
  times: Times,
  { lagDays, syncedAt }: Completeness,
): string | null {
  if (kind === 'lift') return null
  if (lagDays === null) return 'The conversion lag of this profile is not known yet.'
  const complete = readableFrom(times, lagDays)
  if (complete === null || syncedAt === null || syncedAt < complete)
    return 'The account has not been synced since the last conversions arrived.'
  return null
}

export type Decision = {
  verdict: Verdict | null
  reason: string
  decided_at: string
  readable_from: string | null
  /** Whether it has the grade lift (`provesCause`); absent in older decisions. */
  proves?: boolean
  /** What the verdict is based on, as JSON: the reading, the checks and the end. */
  basis: string
}

export function basisOf(reading: Reading | null, checks: Checks, { endsAt, canceledAt }: Times): string {
  return JSON.stringify([reading, checks, endsAt, canceledAt])
}

/**
 * The current decision. A verdict stays even if the conversion lag turns out to be longer; it changes only with its
 * basis, and then reports the previous verdict.
 */
export function updateDecision(
  previous: Decision | null,
  computed: Omit<Decision, 'decided_at'>,
  times: Times,
  now: Date,
): Decision | null {
  const decided_at = now.toISOString()
  if (previous === null || previous.verdict === null)
    return computed.verdict === null ? previous : { ...computed, decided_at }
  if (computed.verdict === previous.verdict && previous.proves === undefined)
    return computed.proves ? { ...previous, proves: true } : previous
  const isSame = computed.verdict === previous.verdict && computed.proves === previous.proves
  if (isSame || computed.basis === previous.basis) return previous
  type Basis = [unknown, unknown, string | null, string | null]
  const [, , endsAt, canceledAt] = JSON.parse(previous.basis) as Basis
  const isMoved =
    endsAt !== (times.endsAt?.toISOString() ?? null) || (canceledAt === null && times.canceledAt !== null)
  // Temporarily incomplete figures do not revoke a verdict.
  if (computed.verdict === null && !isMoved) return previous
  const cause = isMoved ? 'the platform reports another end date' : 'the figures were restated'
  const grade = previous.proves ? ' with the grade lift' : ''
  const history = `It was ${previous.verdict}${grade} since ${previous.decided_at.slice(0, 10)}; ${cause}.`
  return { ...computed, reason: `${computed.reason} ${history}`, decided_at }
}

/** Only studies whose chance deviation adds to a small effect find it. */
const SMALL_EFFECT = ' A small effect that is found reads too large on average.'

export function decide(
  status: Status,
  checks: Checks,
  reading: Reading | null,
  kind: 'lift' | 'split' | 'geo',
) {
  const result = (verdict: Verdict | null, reason: string) => ({ verdict, reason })
  if (status !== 'complete')
    return result(
      null,
      status === 'canceled'
        ? 'The experiment was canceled.'
        : 'The experiment is not over, or its conversions are still arriving.',
    )
  if (checks.sampleRatioP !== null && checks.sampleRatioP < BROKEN_SPLIT_P)
    return result('invalid', 'The shares of people in the cells differ from the plan: the split is broken.')
  if (checks.prePeriodOk === false)
    return result('invalid', 'The cells already differed before the experiment.')
  if (reading === null) return result(null, 'There are not enough outcomes in the cells.')
  // Different growth of regions looks like an effect: without placebo tests most null worlds would get a verdict.
  if (kind === 'geo' && checks.placeboRatio === null)
    return result(
      'inconclusive',
      'There is too little history to show how the regions move without an experiment.',
    )
  if (kind === 'geo' && checks.placeboRatio! <= 1)
    return result('inconclusive', 'The regions diverged as far in earlier weeks, without an experiment.')
  if (kind === 'geo' && checks.regionRatio !== null && checks.regionRatio <= 1)
    return result('inconclusive', 'Regions without the experiment changed as much at the same time.')
  const caution = kind === 'geo' ? SMALL_EFFECT : ''
  if (reading.low > 0) return result('positive', `The whole interval is above zero.${caution}`)
  if (reading.high < 0) return result('negative', `The whole interval is below zero.${caution}`)
  return result('inconclusive', 'The interval contains zero: the difference may be chance.')
}

/** Whether a verdict has the grade lift: always for a lift study, for a geo study only if it passes both placebo tests. */
export function provesCause(
  kind: 'lift' | 'split' | 'geo',
  verdict: Verdict | null,
  checks: Pick<Checks, 'regionRatio'>,
): boolean {
  if (verdict !== 'positive' && verdict !== 'negative') return false
  return kind === 'lift' || (kind === 'geo' && checks.regionRatio !== null && checks.regionRatio > 1)
}

/** p-value of the observed shares if the split worked as planned (chi-square test); null without counts. */
export function sampleRatioP(cells: readonly { share: number; count: number }[]): number | null {
  const count = cells.reduce((sum, cell) => sum + cell.count, 0)
  const share = cells.reduce((sum, cell) => sum + cell.share, 0)
  if (cells.length < 2 || count === 0 || share === 0 || cells.some((cell) => cell.share <= 0)) return null
  const chiSquare = cells.reduce((sum, cell) => {
    const expected = (count * cell.share) / share
    return sum + (cell.count - expected) ** 2 / expected
  }, 0)
  return chiSquareSurvival(chiSquare, cells.length - 1)
}

export type DayCount = { day: string; outcomes: number; exposure: number }
export const MIN_DAYS = 7

/** The treatment's outcomes per exposure relative to the control's, from the days on which both ran. */
export function splitReading(
  metric: string,
  treatment: readonly DayCount[],
  control: readonly DayCount[],
): Reading | null {
  const days = pairDays(treatment, control).filter(([t, c]) => t.exposure > 0 && c.exposure > 0)
  const sum = (side: 0 | 1, field: 'outcomes' | 'exposure') =>
    days.reduce((total, pair) => total + pair[side][field], 0)
  const [yt, yc] = [sum(0, 'outcomes'), sum(1, 'outcomes')]
  if (days.length < MIN_DAYS || yt === 0 || yc === 0) return null
  const ratio = yt / sum(0, 'exposure') / (yc / sum(1, 'exposure'))
  let information = 0
  const scores = days.map(([t, c]) => {
    const n = t.outcomes + c.outcomes
    const share = (ratio * t.exposure) / (ratio * t.exposure + c.exposure)
    information += n * share * (1 - share)
    return t.outcomes - n * share
  })
  const { variance, degrees } = varianceOfSum(scores)
  const margin = (studentTwoSided(LEVEL, degrees) * Math.sqrt(variance)) / information
  return {
    metric,
    effect: ratio - 1,
    low: ratio * Math.exp(-margin) - 1,
    high: ratio * Math.exp(margin) - 1,
    level: LEVEL,
  }
}

function pairDays(treatment: readonly DayCount[], control: readonly DayCount[]): [DayCount, DayCount][] {
  const byDay = new Map(control.map((row) => [row.day, row]))
  return treatment
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .flatMap((row) => {
      const controlRow = byDay.get(row.day)
      return controlRow === undefined ? [] : [[row, controlRow] as [DayCount, DayCount]]
    })
}

export type Pair = { treatment: number; control: number }
const MIN_PRE_DAYS = 21

/**
 * Time-based regression: predicts the treated regions from the control regions by their relation before the experiment;
 * the difference during it is the effect. Autocorrelated days count as fewer days.
 */
export function geoReading(metric: string, before: readonly Pair[], during: readonly Pair[]): Reading | null {
  const n = before.length
  const t = during.length
  if (n < MIN_PRE_DAYS || t < MIN_DAYS) return null
  const mean = (pairs: readonly Pair[], side: keyof Pair) =>
    pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length
  const [x, y] = [mean(before, 'control'), mean(before, 'treatment')]
  const sxx = before.reduce((sum, { control }) => sum + (control - x) ** 2, 0)
  const sxy = before.reduce((sum, pair) => sum + (pair.control - x) * (pair.treatment - y), 0)
  const slope = sxx === 0 ? 0 : sxy / sxx
  const expected = ({ control }: Pair) => y + slope * (control - x)
  const residuals = before.map((pair) => pair.treatment - expected(pair))
  const rho = autocorrelation(residuals)
  const inflation = (1 + rho) / (1 - rho)
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0)
  const variance = squares / Math.max(1, n - 2 * inflation)
  const counterfactual = during.reduce((sum, pair) => sum + expected(pair), 0)
  if (counterfactual <= 0) return null
  const increase = during.reduce((sum, pair) => sum + pair.treatment, 0) - counterfactual
  const leverage = sxx === 0 ? 0 : (mean(during, 'control') - x) ** 2 / sxx
  const sumVariance =
    variance * (sumFactor(t, rho) + t ** 2 * (sumFactor(n, rho) / n ** 2 + leverage * inflation))
  const margin = studentTwoSided(LEVEL, Math.max(3, n / inflation - 2)) * Math.sqrt(sumVariance)
  return {
    metric,
    effect: increase / counterfactual,
    low: (increase - margin) / counterfactual,
    high: (increase + margin) / counterfactual,
    level: LEVEL,
  }
}

/** Variance of the sum of `days` autocorrelated days, relative to the variance of one day. */
const sumFactor = (days: number, rho: number): number => {
  let factor = days
  for (let lag = 1; lag < days; lag++) factor += 2 * (days - lag) * rho ** lag
  return factor
}

/** Lag-1 autocorrelation, with the bias correction for short series of Marriott and Pope (1954). */
function autocorrelation(residuals: readonly number[]): number {
  const n = residuals.length
  const squares = residuals.reduce((sum, value) => sum + value ** 2, 0)
  if (n < MIN_DAYS || squares === 0) return 0
  let product = 0
  for (let index = 1; index < n; index++) product += residuals[index]! * residuals[index - 1]!
  const raw = product / squares
  // Independent days show one standard error by chance.
  return raw < 1 / Math.sqrt(n) ? 0 : Math.min(0.9, raw + (1 + 3 * raw) / n)
}

/** Whether two cells performed alike before the experiment; null without a reading. */
export function wereSimilarBefore(reading: Reading | null): boolean | null {
  return reading === null ? null : reading.low <= 0 && reading.high >= 0
}

/** Whether delivery to the cells differs from the plan: impressions of a cell more than a quarter off. */
export function isDivergent(cells: readonly { share: number; impressions: number }[]): boolean | null {
  const impressions = cells.reduce((sum, cell) => sum + cell.impressions, 0)
  const share = cells.reduce((sum, cell) => sum + cell.share, 0)
  if (impressions === 0 || share === 0) return null
  return cells.some((cell) => Math.abs(cell.impressions / impressions / (cell.share / share) - 1) > 0.25)
}
