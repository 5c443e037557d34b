/**
 * Whether people stop clicking an ad. Its daily link-click rate is compared with its own first full week, after taking
 * out what happened to the whole cohort on that day; small declines add up (CUSUM) and the alarm is set where shuffled
 * days of the same ad would raise it once a year. How often people saw the ad explains a decline, so it is told beside
 * it and not taken out: otherwise fatigue would be explained away by its own cause.
 */
import { seededRandom } from '../../../seeded-random.ts'

export type AdDay = { day: number; impressions: number; linkClicks: number; frequency: number | null }
export type AdSeries = {
  adId: string
  cohortKey: string
  /** Oldest first. */
  days: AdDay[]
  /** Day numbers of changes of budget or status. */
  changes: number[]
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

type Point = { day: number; value: number; variance: number; frequency: number | null }

export function findFatigue(series: readonly AdSeries[], today: number): Map<string, Fatigue> {
  const points = new Map(series.map((ad) => [ad, pointsOf(ad)]))
  const byCohort = Map.groupBy(series, (ad) => ad.cohortKey)
  const found = new Map<string, Fatigue>()
  for (const members of byCohort.values()) {
    const centred = members.map((ad) => centre(points.get(ad)!))
    const effects = cohortDays(centred)
    const slope = frequencySlope(centred, effects)
    members.forEach((ad, index) => {
      found.set(ad.adId, judge(ad, points.get(ad)!, centred[index]!, effects, slope, today))
    })
  }
  return found
}

function pointsOf(ad: AdSeries): Point[] {
  return ad.days
    .filter(({ impressions }) => impressions > 0)
    .map(({ day, impressions, linkClicks, frequency }) => ({
      day,
      value: Math.log((linkClicks + 0.5) / (impressions + 1)),
      variance: 1 / (linkClicks + 0.5),
      frequency,
    }))
}

type Centred = { day: number; value: number; weight: number; frequency: number | null }

function centre(points: readonly Point[]): Centred[] {
  const weights = points.map(({ variance }) => 1 / (variance + 0.01))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = points.reduce((sum, { value }, index) => sum + value * weights[index]!, 0) / (total || 1)
  const seen = points.filter(({ frequency }) => frequency !== null)
  const usual = seen.reduce((sum, { frequency }) => sum + Math.log(frequency!), 0) / (seen.length || 1)
  return points.map(({ day, value, frequency }, index) => ({
    day,
    value: value - mean,
    weight: weights[index]!,
    frequency: frequency === null ? null : Math.log(frequency) - usual,
  }))
}

type Effect = { sum: number; weight: number; count: number }

/** What each day did to the cohort, as sums, so that an ad's own part can be taken out again. */
function cohortDays(members: readonly Centred[][]): Map<number, Effect> {
  const effects = new Map<number, Effect>()
  for (const points of members)
    for (const { day, value, weight } of points) {
      const effect = effects.get(day) ?? { sum: 0, weight: 0, count: 0 }
      effects.set(day, {
        sum: effect.sum + value * weight,
        weight: effect.weight + weight,
        count: effect.count + 1,
      })
    }
  return effects
}

/** What the others of the cohort saw on the day; null where too few ran. */
function othersOn(effects: Map<number, Effect>, { day, value, weight }: Centred): number | null {
  const effect = effects.get(day)!
  if (effect.count - 1 < MIN_OTHERS) return null
  return (effect.sum - value * weight) / (effect.weight - weight)
}

/** How much the click rate falls where frequency rises, over all ads and days of the cohort. */
function frequencySlope(members: readonly Centred[][], effects: Map<number, Effect>): number {
  let [across, along] = [0, 0]
  for (const points of members)
    for (const point of points) {
      const others = point.frequency === null ? null : othersOn(effects, point)
      if (others === null) continue
      across += point.weight * point.frequency! * (point.value - others)
      along += point.weight * point.frequency! ** 2
    }
  return along > 0 ? Math.min(0, across / along) : 0
}

function judge(
  ad: AdSeries,
  points: readonly Point[],
  centred: readonly Centred[],
  effects: Map<number, Effect>,
  slope: number,
  today: number,
): Fatigue {
  const clicks = ad.days.reduce((sum, { linkClicks }) => sum + linkClicks, 0)
  if (points.length < MIN_DAYS || clicks < points.length * MIN_CLICKS_A_DAY)
    return { status: 'withheld', reason: 'insufficient_history' }
  if (ad.changes.some((day) => day <= today && today - day < SILENT_DAYS))
    return { status: 'withheld', reason: 'recent_change' }
  const isSilent = (day: number) => ad.changes.some((change) => day >= change && day - change < SILENT_DAYS)
  const kept = centred.flatMap((point, index) => {
    const others = othersOn(effects, point)
    if (others === null || isSilent(point.day)) return []
    return [{ ...point, residual: point.value - others, variance: points[index]!.variance }]
  })
  if (kept.length < MIN_DAYS) return { status: 'withheld', reason: 'too_few_to_compare' }
  const residuals = Float64Array.from(kept, ({ residual }) => residual)
  const variances = Float64Array.from(kept, ({ variance }) => variance)
  const extra = extraVariance(residuals, variances)
  const { last, since } = cusum(residuals, variances, extra)
  // The last week is what is asked about: shuffled in with the others it would raise the bar it must pass.
  const before = residuals.length - RECENT_DAYS
  const tier = tierOf(ad.adId, residuals.slice(0, before), variances.slice(0, before), extra, last)
  const first = mean(kept.slice(0, WEEK).map(({ residual }) => residual))
  const recent = mean(kept.slice(-RECENT_DAYS).map(({ residual }) => residual))
  return {
    status: 'served',
    tier,
    decline: Math.max(0, 1 - Math.exp(recent - first)),
    frequencyShare: explainedBy(kept, slope, first - recent),
    since: tier === 'low' ? null : kept[since]!.day,
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Days differ by more than chance; half the squared step from day to day is what they differ by without a trend. */
function extraVariance(residuals: Float64Array, variances: Float64Array): number {
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
function usualLevel(residuals: Float64Array, variances: Float64Array, extra: number) {
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
  residuals: Float64Array,
  variances: Float64Array,
  extra: number,
): { last: number; peak: number; since: number } {
  const week = Math.min(WEEK, residuals.length)
  const { level, variance: levelVariance } = usualLevel(residuals, variances, extra)
  let [sum, peak, since] = [0, 0, 0]
  for (let index = week; index < residuals.length; index++) {
    const z = (level - residuals[index]!) / Math.sqrt(variances[index]! + extra + levelVariance)
    const next = Math.max(0, sum + z - SLACK)
    if (sum === 0 && next > 0) since = index
    sum = next
    peak = Math.max(peak, sum)
  }
  return { last: sum, peak, since }
}

/**
 * Where the sum stands against the height that shuffled days exceed as rarely as one alarm per ad and year asks for:
 * high above it, medium above its half. Shuffling ends as soon as it is decided, which for most ads is early.
 */
function tierOf(
  adId: string,
  residuals: Float64Array,
  variances: Float64Array,
  extra: number,
  last: number,
): FatigueTier {
  if (last < MIN_THRESHOLD / 2) return 'low'
  const random = seededRandom('fatigue', adId)
  const size = residuals.length
  const order = Uint32Array.from({ length: size }, (_, index) => index)
  const [mixed, mixedVariances] = [new Float64Array(size), new Float64Array(size)]
  const share = 1 - Math.min(0.5, size / DAYS_PER_FALSE_ALARM)
  const allowed = SHUFFLES - Math.ceil(share * SHUFFLES)
  let [above, aboveTwice] = [0, 0]
  for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
    for (let index = size - 1; index > 0; index--) {
      const other = random.int(0, index)
      const held = order[index]!
      order[index] = order[other]!
      order[other] = held
    }
    for (let to = 0; to < size; to++) {
      mixed[to] = residuals[order[to]!]!
      mixedVariances[to] = variances[order[to]!]!
    }
    const { peak } = cusum(mixed, mixedVariances, extra)
    if (peak > last) above++
    if (peak > 2 * last) aboveTwice++
    if (aboveTwice > allowed) return 'low'
  }
  return last >= MIN_THRESHOLD && above <= allowed ? 'high' : 'medium'
}

function explainedBy(
  kept: readonly { frequency: number | null }[],
  slope: number,
  fall: number,
): number | null {
  const known = (points: readonly { frequency: number | null }[]) =>
    points.flatMap(({ frequency }) => frequency ?? [])
  const [first, recent] = [known(kept.slice(0, WEEK)), known(kept.slice(-RECENT_DAYS))]
  if (first.length === 0 || recent.length === 0 || fall <= 0) return null
  const rise = mean(recent) - mean(first)
  return Math.min(1, Math.max(0, (-slope * rise) / fall))
}
