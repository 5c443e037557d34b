/**
 * What an experiment shows. Intervals are as wide as the days really stray, memory from one day to the next included,
 * and there is no verdict before the end of the experiment plus the time in which its conversions still come in.
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
  /** Of a geo study: above 1 the effect is beyond what the regions do without an experiment. */
  placeboRatio: number | null
  /** Of a geo study: above 1 the effect is beyond what control regions did at the same time. */
  regionRatio: number | null
}

export type Own = { reading: Reading | null; checks: Checks }

export const LEVEL = 0.95
/** Conversions are taken to come in for so long after the last day while the profile's own lag is not known. */
export const USUAL_LAG_DAYS = 7
const BROKEN_SPLIT_BELOW = 0.001

export type Times = {
  startsAt: Date | null
  endsAt: Date | null
  observationEndsAt: Date | null
  canceledAt: Date | null
}

/** `lagDays` after the end, or when the platform has observed for longer. */
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

/** Whether our own figures of the cells hold all that the experiment brought. */
export type Completeness = { lagDays: number | null; syncedAt: Date | null }

/** What a verdict still waits for after the end; null where nothing is missing. A lift study is read by its platform. */
export function missingData(
  kind: 'lift' | 'split' | 'geo',
  times: Times,
  { lagDays, syncedAt }: Completeness,
): string | null {
  if (kind === 'lift') return null
  if (lagDays === null) return 'How long conversions of this profile take is not known yet.'
  const complete = readableFrom(times, lagDays)
  if (complete === null || syncedAt === null || syncedAt < complete)
    return 'The account has not been synced since the last conversions came in.'
  return null
}

export type Decision = {
  verdict: Verdict | null
  reason: string
  decided_at: string
  readable_from: string | null
  /** Whether it shows a cause (`provesCause`); absent in decisions from before it was stored. */
  proves?: boolean
  /** What the verdict is based on, as text: the reading, the checks and the end. */
  basis: string
}

export function basisOf(reading: Reading | null, checks: Checks, { endsAt, canceledAt }: Times): string {
  return JSON.stringify([reading, checks, endsAt, canceledAt])
}

/**
 * The decision that holds now. A verdict stays although conversions turn out to take longer than was thought; it
 * changes only with what it is based on, and then says what it was.
 */
export function settle(
  known: Decision | null,
  found: Omit<Decision, 'decided_at'>,
  times: Times,
  now: Date,
): Decision | null {
  const decided_at = now.toISOString()
  if (known === null || known.verdict === null)
    return found.verdict === null ? known : { ...found, decided_at }
  if (found.verdict === known.verdict && known.proves === undefined)
    return found.proves ? { ...known, proves: true } : known
  const isSame = found.verdict === known.verdict && found.proves === known.proves
  if (isSame || found.basis === known.basis) return known
  const [, , endsAt, canceledAt] = JSON.parse(known.basis) as [unknown, unknown, string | null, string | null]
  const isMoved =
    endsAt !== (times.endsAt?.toISOString() ?? null) || (canceledAt === null && times.canceledAt !== null)
  // Figures that are incomplete for a while take nothing back.
  if (found.verdict === null && !isMoved) return known
  const cause = isMoved ? 'the platform reports another end' : 'the figures were restated'
  const shown = known.proves ? ' and showed a cause' : ''
  const before = `It was ${known.verdict}${shown} since ${known.decided_at.slice(0, 10)}; ${cause}.`
  return { ...found, reason: `${found.reason} ${before}`, decided_at }
}

export function decide(
  status: Status,
  checks: Checks,
  reading: Reading | null,
  kind: 'lift' | 'split' | 'geo',
) {
  const say = (verdict: Verdict | null, reason: string) => ({ verdict, reason })
  if (status !== 'complete')
    return say(
      null,
      status === 'canceled'
        ? 'The experiment was canceled.'
        : 'The experiment is not over, or its conversions are still coming in.',
    )
  if (checks.sampleRatioP !== null && checks.sampleRatioP < BROKEN_SPLIT_BELOW)
    return say('invalid', 'The cells hold other shares of people than were planned, so the split is broken.')
  if (checks.prePeriodOk === false) return say('invalid', 'The cells differed before the experiment began.')
  if (reading === null) return say(null, 'No outcome of the cells is known.')
  // Regions that grow at different speeds look like an effect: without placebo tests most null worlds would get a verdict.
  if (kind === 'geo' && checks.placeboRatio === null)
    return say('inconclusive', 'Too few days before it show how the regions move without an experiment.')
  if (kind === 'geo' && checks.placeboRatio! <= 1)
    return say('inconclusive', 'The regions moved apart as far in earlier weeks, without an experiment.')
  if (kind === 'geo' && checks.regionRatio !== null && checks.regionRatio <= 1)
    return say('inconclusive', 'Regions without the experiment moved as far at the same time.')
  if (reading.low > 0) return say('positive', 'The whole interval is above zero.')
  if (reading.high < 0) return say('negative', 'The whole interval is below zero.')
  return say('inconclusive', 'The interval holds zero: chance alone could show this.')
}

/** Whether a verdict shows a cause: of a lift study, and of a geo study only where both placebos hold. */
export function provesCause(
  kind: 'lift' | 'split' | 'geo',
  verdict: Verdict | null,
  checks: Pick<Checks, 'regionRatio'>,
): boolean {
  if (verdict !== 'positive' && verdict !== 'negative') return false
  return kind === 'lift' || (kind === 'geo' && checks.regionRatio !== null && checks.regionRatio > 1)
}

/** How probable such shares are if the split worked as planned; null without counts. */
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

/** The treatment's outcomes per exposure over the control's, less one, from the days on which both ran. */
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
      const other = byDay.get(row.day)
      return other === undefined ? [] : [[row, other] as [DayCount, DayCount]]
    })
}

export type Pair = { treatment: number; control: number }
const MIN_PRE_DAYS = 21

/**
 * Time-based regression: before the experiment the treated regions follow the others; what they do beyond that during
 * it is the effect. Days that remember one another count as fewer days.
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
  const memory = (1 + rho) / (1 - rho)
  const spread = residuals.reduce((sum, residual) => sum + residual ** 2, 0)
  const variance = spread / Math.max(1, n - 2 * memory)
  const counterfactual = during.reduce((sum, pair) => sum + expected(pair), 0)
  if (counterfactual <= 0) return null
  const gained = during.reduce((sum, pair) => sum + pair.treatment, 0) - counterfactual
  const away = sxx === 0 ? 0 : (mean(during, 'control') - x) ** 2 / sxx
  const ofSum = variance * (sumFactor(t, rho) + t ** 2 * (sumFactor(n, rho) / n ** 2 + away * memory))
  const margin = studentTwoSided(LEVEL, Math.max(3, n / memory - 2)) * Math.sqrt(ofSum)
  return {
    metric,
    effect: gained / counterfactual,
    low: (gained - margin) / counterfactual,
    high: (gained + margin) / counterfactual,
    level: LEVEL,
  }
}

/** The variance of a sum of so many days, in variances of one day. */
const sumFactor = (days: number, rho: number): number => {
  let factor = days
  for (let lag = 1; lag < days; lag++) factor += 2 * (days - lag) * rho ** lag
  return factor
}

/** From one day to the next; short series show too little of it, which is put right (Marriott and Pope 1954). */
function autocorrelation(residuals: readonly number[]): number {
  const n = residuals.length
  const spread = residuals.reduce((sum, value) => sum + value ** 2, 0)
  if (n < MIN_DAYS || spread === 0) return 0
  let product = 0
  for (let index = 1; index < n; index++) product += residuals[index]! * residuals[index - 1]!
  const found = product / spread
  // Independent days show one standard error by chance.
  return found < 1 / Math.sqrt(n) ? 0 : Math.min(0.9, found + (1 + 3 * found) / n)
}

/** Whether two cells did alike before; null where too little is known. */
export function wereSimilarBefore(reading: Reading | null): boolean | null {
  return reading === null ? null : reading.low <= 0 && reading.high >= 0
}

/** Whether the platform showed the cells to shares far from the plan: impressions more than a quarter off. */
export function isDivergent(cells: readonly { share: number; impressions: number }[]): boolean | null {
  const impressions = cells.reduce((sum, cell) => sum + cell.impressions, 0)
  const share = cells.reduce((sum, cell) => sum + cell.share, 0)
  if (impressions === 0 || share === 0) return null
  return cells.some((cell) => Math.abs(cell.impressions / impressions / (cell.share / share) - 1) > 0.25)
}
