/**
 * Whether people stop clicking an ad. Its daily link-click rate is compared with its own first full week, after taking
 * out what happened to the whole cohort on that day; small declines add up (CUSUM) and the alarm is set where shuffled
 * days of the same ad would raise it once a year. How often people saw the ad explains a decline, so it is reported next to
 * it and not taken out: otherwise fatigue would be explained away by its own cause.
 */
import { seededRandom } from '../../../../platform/seeded-random.ts'
import type { AdColumns } from './ad-days.ts'

export type AdSeries = {
  adId: string
  cohortKey: string
  /** Unpacked when it is the ad's turn: those of a whole cohort would be most of the memory that a scoring takes. */
  columns: () => AdColumns
  /** Day numbers of changes of budget or status. */
  changes: readonly number[]
}

export type FatigueTier = 'low' | 'medium' | 'high'
export type Fatigue =
  | {
      status: 'served'
      tier: FatigueTier
      /** The share of the first week's click rate that is gone, cohort taken out. */
      decline: number
      /** Of the decline, what the higher frequency goes along with in the cohort; null where frequency is unknown. */
      frequencyShare: number | null
      since: number | null
    }
  | { status: 'withheld'; reason: 'insufficient_history' | 'too_few_to_compare' | 'recent_change' }

const WEEK = 7
const MIN_DAYS = 21
const MIN_CLICKS_A_DAY = 3
const MIN_OTHERS = 3
const SLACK = 0.5
const SILENT_DAYS = 3
const SHUFFLES = 199
const DAYS_PER_FALSE_ALARM = 365
const RECENT_DAYS = 7
const MIN_THRESHOLD = 2

/** An ad's days among those of its cohort. */
type Span = { from: number; to: number; clicks: number }

/**
 * The days on which the ads of a cohort were shown, ad after ad: the logarithm of the click rate and of the frequency,
 * each less the ad's own mean. In columns for all of them, since lists for each ad were most of what a scoring kept.
 */
class Points {
  readonly spans: Span[]
  day = new Float64Array(1024)
  value = new Float64Array(1024)
  variance = new Float64Array(1024)
  weight = new Float64Array(1024)
  /** NaN where it is not known. */
  frequency = new Float64Array(1024)
  private size = 0

  constructor(series: readonly AdSeries[]) {
    this.spans = series.map((ad) => this.take(ad.columns()))
  }

  private take(ad: AdColumns): Span {
    const from = this.size
    if (from + ad.day.length > this.day.length) this.grow(2 * (from + ad.day.length))
    let clicks = 0
    for (let index = 0; index < ad.day.length; index++) {
      clicks += ad.linkClicks[index]!
      if (!(ad.impressions[index]! > 0)) continue
      const at = this.size++
      this.day[at] = ad.day[index]!
      this.value[at] = Math.log((ad.linkClicks[index]! + 0.5) / (ad.impressions[index]! + 1))
      this.variance[at] = 1 / (ad.linkClicks[index]! + 0.5)
      this.weight[at] = 1 / (this.variance[at]! + 0.01)
      this.frequency[at] = Math.log(ad.frequency[index]!)
    }
    const span = { from, to: this.size, clicks }
    this.centre(span)
    return span
  }

  private grow(length: number): void {
    for (const column of ['day', 'value', 'variance', 'weight', 'frequency'] as const) {
      const larger = new Float64Array(length)
      larger.set(this[column])
      this[column] = larger
    }
  }

  private centre({ from, to }: Span): void {
    const { value, weight, frequency } = this
    let [total, sum, seen, usual] = [0, 0, 0, 0]
    for (let at = from; at < to; at++) {
      total += weight[at]!
      sum += value[at]! * weight[at]!
      if (Number.isNaN(frequency[at]!)) continue
      seen++
      usual += frequency[at]!
    }
    const middle = sum / (total || 1)
    usual /= seen || 1
    for (let at = from; at < to; at++) {
      value[at]! -= middle
      frequency[at]! -= usual
    }
  }

  get length(): number {
    return this.size
  }
}

export function findFatigue(series: readonly AdSeries[], today: number): Map<string, Fatigue> {
  const found = new Map<string, Fatigue>()
  for (const members of Map.groupBy(series, (ad) => ad.cohortKey).values()) {
    const points = new Points(members)
    const effects = new CohortDays(points)
    const slope = frequencySlope(points, effects)
    members.forEach((ad, index) => {
      found.set(ad.adId, judge(ad, points.spans[index]!, { points, effects, slope }, today))
    })
  }
  return found
}

/** What each day did to the cohort, as sums, so that an ad's own part can be taken out again. */
class CohortDays {
  private readonly points: Points
  private readonly first: number
  private readonly sums: Float64Array
  private readonly weights: Float64Array
  private readonly counts: Int32Array

  constructor(points: Points) {
    const { day, value, weight, length } = points
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let at = 0; at < length; at++) {
      first = Math.min(first, day[at]!)
      last = Math.max(last, day[at]!)
    }
    const days = last >= first ? last - first + 1 : 0
    this.points = points
    this.first = first
    this.sums = new Float64Array(days)
    this.weights = new Float64Array(days)
    this.counts = new Int32Array(days)
    for (let at = 0; at < length; at++) {
      const on = day[at]! - first
      this.sums[on]! += value[at]! * weight[at]!
      this.weights[on]! += weight[at]!
      this.counts[on]! += 1
    }
  }

  /** What the others of the cohort saw on the day of a point; NaN where too few ran. */
  others(at: number): number {
    const { day, value, weight } = this.points
    const on = day[at]! - this.first
    if (this.counts[on]! - 1 < MIN_OTHERS) return Number.NaN
    return (this.sums[on]! - value[at]! * weight[at]!) / (this.weights[on]! - weight[at]!)
  }
}

/** How much the click rate falls where frequency rises, over all ads and days of the cohort. */
function frequencySlope({ frequency, weight, value, length }: Points, effects: CohortDays): number {
  let [across, along] = [0, 0]
  for (let at = 0; at < length; at++) {
    const seen = frequency[at]!
    const others = Number.isNaN(seen) ? Number.NaN : effects.others(at)
    if (Number.isNaN(others)) continue
    across += weight[at]! * seen * (value[at]! - others)
    along += weight[at]! * seen ** 2
  }
  return along > 0 ? Math.min(0, across / along) : 0
}

type InCohort = { points: Points; effects: CohortDays; slope: number }

function judge(ad: AdSeries, span: Span, cohort: InCohort, today: number): Fatigue {
  const count = span.to - span.from
  if (count < MIN_DAYS || span.clicks < count * MIN_CLICKS_A_DAY)
    return { status: 'withheld', reason: 'insufficient_history' }
  if (ad.changes.some((day) => day <= today && today - day < SILENT_DAYS))
    return { status: 'withheld', reason: 'recent_change' }
  const kept = compared(ad, span, cohort)
  if (kept.day.length < MIN_DAYS) return { status: 'withheld', reason: 'too_few_to_compare' }
  const { residuals, variances } = kept
  const extra = extraVariance(residuals, variances)
  const { last, since } = cusum(residuals, variances, extra)
  // The last week is what is queried about: shuffled in with the others it would raise the bar it must pass.
  const before = residuals.length - RECENT_DAYS
  const tier = tierOf(ad.adId, residuals.slice(0, before), variances.slice(0, before), extra, last)
  const first = mean(residuals.slice(0, WEEK))
  const recent = mean(residuals.slice(-RECENT_DAYS))
  return {
    status: 'served',
    tier,
    decline: Math.max(0, 1 - Math.exp(recent - first)),
    frequencyShare: explainedBy(kept.frequency, cohort.slope, first - recent),
    since: tier === 'low' ? null : kept.day[since]!,
  }
}

/** The days that can be held against others of the cohort and lie in no silence after a change. */
function compared(ad: AdSeries, { from, to }: Span, { points, effects }: InCohort) {
  const isSilent = (day: number) => ad.changes.some((change) => day >= change && day - change < SILENT_DAYS)
  const residuals: number[] = []
  const places: number[] = []
  for (let at = from; at < to; at++) {
    const others = effects.others(at)
    if (Number.isNaN(others) || isSilent(points.day[at]!)) continue
    residuals.push(points.value[at]! - others)
    places.push(at)
  }
  return {
    day: places.map((at) => points.day[at]!),
    residuals,
    variances: places.map((at) => points.variance[at]!),
    frequency: places.map((at) => points.frequency[at]!),
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Days differ by more than chance; half the squared step from day to day is what they differ by without a trend. */
function extraVariance(residuals: readonly number[], variances: readonly number[]): number {
  let [steps, expected] = [0, 0]
  for (let index = 1; index < residuals.length; index++) {
    steps += (residuals[index]! - residuals[index - 1]!) ** 2 / 2
    expected += (variances[index]! + variances[index - 1]!) / 2
  }
  return Math.max(0, (steps - expected) / (residuals.length - 1))
}

/**
 * What the ad is held against: its first week, or all its days but the last two weeks where these were lower. A first
 * week that was lucky would otherwise call every ad tired.
 */
function usualLevel(residuals: readonly number[], variances: readonly number[], extra: number) {
  const over = (days: number) => {
    let [sum, variance] = [0, 0]
    for (let index = 0; index < days; index++) {
      sum += residuals[index]! / days
      variance += (variances[index]! + extra) / days ** 2
    }
    return { level: sum, variance }
  }
  const first = over(Math.min(WEEK, residuals.length))
  const earlier = over(Math.max(Math.min(WEEK, residuals.length), residuals.length - 2 * WEEK))
  return earlier.level < first.level ? earlier : first
}

/** The sum after the last day, and where its last rise began. */
function cusum(
  residuals: readonly number[],
  variances: readonly number[],
  extra: number,
): { last: number; since: number } {
  const week = Math.min(WEEK, residuals.length)
  const { level, variance: levelVariance } = usualLevel(residuals, variances, extra)
  let [sum, since] = [0, 0]
  for (let index = week; index < residuals.length; index++) {
    const z = (level - residuals[index]!) / Math.sqrt(variances[index]! + extra + levelVariance)
    const next = Math.max(0, sum + z - SLACK)
    if (sum === 0 && next > 0) since = index
    sum = next
  }
  return { last: sum, since }
}

/**
 * Where the sum is against the height that shuffled days exceed as rarely as one alarm per ad and year asks for:
 * high above it, medium above its half. Shuffling ends as soon as it is decided, which for most ads is early.
 */
function tierOf(
  adId: string,
  residuals: readonly number[],
  variances: readonly number[],
  extra: number,
  last: number,
): FatigueTier {
  if (last < MIN_THRESHOLD / 2) return 'low'
  const random = seededRandom('fatigue', adId)
  const size = residuals.length
  const order = Array.from({ length: size }, (_, index) => index)
  const share = 1 - Math.min(0.5, size / DAYS_PER_FALSE_ALARM)
  const allowed = SHUFFLES - Math.ceil(share * SHUFFLES)
  const peakOf = shuffledPeak(residuals, variances, extra, 2 * last)
  let [above, aboveTwice] = [0, 0]
  for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
    for (let index = size - 1; index > 0; index--) {
      const other = random.int(0, index)
      const held = order[index]!
      order[index] = order[other]!
      order[other] = held
    }
    const peak = peakOf(order)
    if (peak > last) above++
    if (peak > 2 * last) aboveTwice++
    if (aboveTwice > allowed) return 'low'
  }
  return last >= MIN_THRESHOLD && above <= allowed ? 'high' : 'medium'
}

/**
 * How high the sum of the days in another order rises, as `cusum` would tell it; beyond `enough` it is not followed. What
 * does not depend on the order is worked out once for all shuffles.
 */
function shuffledPeak(
  residuals: readonly number[],
  variances: readonly number[],
  extra: number,
  enough: number,
): (order: readonly number[]) => number {
  const size = residuals.length
  const week = Math.min(WEEK, size)
  const most = Math.max(week, size - 2 * WEEK)
  const spread = variances.map((variance) => variance + extra)
  const parts = [week, most].map((days) => ({
    days,
    level: residuals.map((residual) => residual / days),
    variance: spread.map((variance) => variance / days ** 2),
  })) as [Part, Part]
  return (order) => {
    const [first, earlier] = [overDays(parts[0], order), overDays(parts[1], order)]
    const usual = earlier.level < first.level ? earlier : first
    let [sum, peak] = [0, 0]
    for (let index = week; index < size && peak <= enough; index++) {
      const at = order[index]!
      const z = (usual.level - residuals[at]!) / Math.sqrt(spread[at]! + usual.variance)
      sum = Math.max(0, sum + z - SLACK)
      peak = Math.max(peak, sum)
    }
    return peak
  }
}

type Part = { days: number; level: number[]; variance: number[] }

function overDays(part: Part, order: readonly number[]): { level: number; variance: number } {
  let [level, variance] = [0, 0]
  for (let index = 0; index < part.days; index++) {
    level += part.level[order[index]!]!
    variance += part.variance[order[index]!]!
  }
  return { level, variance }
}

function explainedBy(frequency: readonly number[], slope: number, fall: number): number | null {
  const known = (days: readonly number[]) => days.filter((value) => !Number.isNaN(value))
  const [first, recent] = [known(frequency.slice(0, WEEK)), known(frequency.slice(-RECENT_DAYS))]
  if (first.length === 0 || recent.length === 0 || fall <= 0) return null
  const rise = mean(recent) - mean(first)
  return Math.min(1, Math.max(0, (-slope * rise) / fall))
}
