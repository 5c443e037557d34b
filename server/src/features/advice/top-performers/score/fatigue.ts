/**
 * Fatigue: a decline of an ad's click rate. Link clicks of the last week are compared with the number expected from the
 * ad's usual rate, after removing the daily effect of the whole peer group. The variance of a week is estimated from the
 * days of the ad and of its peer group, including autocorrelation, so that there is less than one false alarm per ad and
 * year. Frequency explains a decline, so it is reported and not removed: otherwise fatigue would be explained away by
 * its own cause.
 */
import { type Dispersion, dispersionsOf } from '../../../../platform/statistics/dispersion.ts'
import { studentTwoSided } from '../../../../platform/statistics/distributions.ts'
import type { Counted } from '../../../../platform/statistics/gamma-poisson.ts'
import type { AdColumns } from './ad-days.ts'

export type AdSeries = {
  adId: string
  peerGroupKey: string
  /** Lazy: the unpacked days of a whole peer group would dominate the memory of a scoring. */
  columns: () => AdColumns
  /** Day numbers of changes of budget or status. */
  changes: readonly number[]
}

export type FatigueTier = 'low' | 'medium' | 'high'
export type Fatigue =
  | {
      status: 'served'
      tier: FatigueTier
      /** Relative decline of the click rate, after removing the peer group's effect. */
      decline: number
      /** Share of the decline explained by the rise in frequency, by the peer group's slope; null without frequency. */
      frequencyShare: number | null
    }
  | { status: 'withheld'; reason: 'insufficient_history' | 'too_few_to_compare' | 'recent_change' }

const RECENT_DAYS = 7
/** The baseline ends a week before the last week, so that the onset of a decline is not part of it. */
const USUAL_ENDS = 14
/** With fewer days, autocorrelation over ten days and more cannot be distinguished from a decline. */
const MIN_DAYS = 42
const MIN_CLICKS_A_DAY = 3
const MIN_OTHERS = 5
const SILENT_DAYS = 3
/**
 * Significance level per day. Alarms last a few days, so an ad has about 0.3 false alarms per year (score.proof.ts).
 */
const LEVEL = 0.004
/** A smaller decline does not justify replacing an ad, however certain it is. */
const MEDIUM_DECLINE = 0.08
const HIGH_DECLINE = 0.12

/** Index range of an ad's days in `Points`. */
type Span = { from: number; to: number; clicks: number }

/**
 * Days with impressions of all ads of a peer group, ad by ad: logarithms of click rate and frequency, centred on the ad's
 * mean. Stored in columns, because lists per ad dominated the memory of a scoring.
 */
class Points {
  readonly spans: Span[]
  day = new Float64Array(1024)
  value = new Float64Array(1024)
  clicks = new Float64Array(1024)
  impressions = new Float64Array(1024)
  weight = new Float64Array(1024)
  /** NaN if unknown. */
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
      this.clicks[at] = ad.linkClicks[index]!
      this.impressions[at] = ad.impressions[index]!
      this.weight[at] = 1 / (1 / (ad.linkClicks[index]! + 0.5) + 0.01)
      this.frequency[at] = Math.log(ad.frequency[index]!)
    }
    const span = { from, to: this.size, clicks }
    this.centre(span)
    return span
  }

  private grow(length: number): void {
    for (const column of ['day', 'value', 'clicks', 'impressions', 'weight', 'frequency'] as const) {
      const larger = new Float64Array(length)
      larger.set(this[column])
      this[column] = larger
    }
  }

  private centre({ from, to }: Span): void {
    const { value, weight, frequency } = this
    let [total, sum, measured, usual] = [0, 0, 0, 0]
    for (let at = from; at < to; at++) {
      total += weight[at]!
      sum += value[at]! * weight[at]!
      if (Number.isNaN(frequency[at]!)) continue
      measured++
      usual += frequency[at]!
    }
    const middle = sum / (total || 1)
    usual /= measured || 1
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
  const fatigueByAd = new Map<string, Fatigue>()
  for (const members of Map.groupBy(series, (ad) => ad.peerGroupKey).values()) {
    const points = new Points(members)
    const effects = new PeerGroupDays(points)
    const peerGroup = { points, effects, slope: frequencySlope(points, effects) }
    const compared = members.map((ad, index) => comparedPoints(ad, points.spans[index]!, peerGroup))
    const dispersions = dispersionsOf(compared.values().map((indexes) => usualDays(indexes, peerGroup)))
    members.forEach((ad, index) => {
      const evidence = {
        span: points.spans[index]!,
        indexes: compared[index]!,
        dispersion: dispersions[index]!,
      }
      fatigueByAd.set(ad.adId, evaluate(ad, evidence, peerGroup, today))
    })
  }
  return fatigueByAd
}

/** Daily effect of the peer group, stored as sums so that an ad's own contribution can be subtracted. */
class PeerGroupDays {
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

  /** Effect on the other ads of the peer group on the day of a point; NaN if too few ran. */
  others(at: number): number {
    const { day, value, weight } = this.points
    const on = day[at]! - this.first
    if (this.counts[on]! - 1 < MIN_OTHERS) return Number.NaN
    return (this.sums[on]! - value[at]! * weight[at]!) / (this.weights[on]! - weight[at]!)
  }
}

/** Regression slope of the click rate on frequency, over all ads and days of the peer group. */
function frequencySlope({ frequency, weight, value, length }: Points, effects: PeerGroupDays): number {
  let [across, along] = [0, 0]
  for (let at = 0; at < length; at++) {
    const adFrequency = frequency[at]!
    const othersEffect = Number.isNaN(adFrequency) ? Number.NaN : effects.others(at)
    if (Number.isNaN(othersEffect)) continue
    across += weight[at]! * adFrequency * (value[at]! - othersEffect)
    along += weight[at]! * adFrequency ** 2
  }
  return along > 0 ? Math.min(0, across / along) : 0
}

type InPeerGroup = { points: Points; effects: PeerGroupDays; slope: number }

type Evidence = { span: Span; indexes: readonly number[]; dispersion: Dispersion }

function evaluate(
  ad: AdSeries,
  { span, indexes, dispersion }: Evidence,
  peerGroup: InPeerGroup,
  today: number,
): Fatigue {
  const count = span.to - span.from
  if (count < MIN_DAYS || span.clicks < count * MIN_CLICKS_A_DAY)
    return { status: 'withheld', reason: 'insufficient_history' }
  if (ad.changes.some((day) => day <= today && today - day < SILENT_DAYS))
    return { status: 'withheld', reason: 'recent_change' }
  if (indexes.length < MIN_DAYS) return { status: 'withheld', reason: 'too_few_to_compare' }
  const usual = sumOf(usualDays(indexes, peerGroup))
  const lastDays = indexes.slice(-RECENT_DAYS).map((at) => toCounted(at, peerGroup))
  if (usual.count === 0) return { status: 'withheld', reason: 'insufficient_history' }
  const recent = sumOf(lastDays)
  const decline = Math.max(0, 1 - recent.count / ((usual.count / usual.exposure) * recent.exposure))
  const isBeyondChance = deviation(usual, lastDays, dispersion.ratio) > criticalValue(dispersion.degrees)
  return {
    status: 'served',
    tier: isBeyondChance ? tierOf(decline) : 'low',
    decline,
    frequencyShare: explainedBy(indexes, peerGroup, -Math.log(1 - Math.min(0.99, decline))),
  }
}

/** Missing clicks in standard deviations. A decline grows over time, so later days have more weight. */
function deviation(usual: Counted, lastDays: readonly Counted[], dispersion: number): number {
  let [missing, variance, weighed] = [0, 0, 0]
  lastDays.forEach(({ count, exposure }, index) => {
    const [weight, expected] = [index + 1, (usual.count / usual.exposure) * exposure]
    missing += weight * (expected - count)
    variance += weight ** 2 * expected
    weighed += weight * expected
  })
  return missing / Math.sqrt(dispersion * (variance + weighed ** 2 / usual.count))
}

function tierOf(decline: number): FatigueTier {
  if (decline < MEDIUM_DECLINE) return 'low'
  return decline < HIGH_DECLINE ? 'medium' : 'high'
}

const criticalValues = new Map<number, number>()
/** Rounds the degrees of freedom down: heavier tails mean fewer alarms. */
function criticalValue(degrees: number): number {
  const wholeDegrees = Math.max(1, Math.floor(degrees))
  const value = criticalValues.get(wholeDegrees) ?? studentTwoSided(1 - 2 * LEVEL, wholeDegrees)
  criticalValues.set(wholeDegrees, value)
  return value
}

/** Days that can be compared with other ads and are not within SILENT_DAYS after a change. */
function comparedPoints(ad: AdSeries, { from, to }: Span, { points, effects }: InPeerGroup): number[] {
  const isSilent = (day: number) => ad.changes.some((change) => day >= change && day - change < SILENT_DAYS)
  const indexes: number[] = []
  for (let at = from; at < to; at++)
    if (!Number.isNaN(effects.others(at)) && !isSilent(points.day[at]!)) indexes.push(at)
  return indexes
}

/** Clicks, and impressions weighted by the peer group's effect of the day. */
const toCounted = (at: number, { points, effects }: InPeerGroup): Counted => ({
  count: points.clicks[at]!,
  exposure: points.impressions[at]! * Math.exp(effects.others(at)),
})

/** Baseline days; empty for ads with too few days. */
const usualDays = (indexes: readonly number[], peerGroup: InPeerGroup): Counted[] =>
  indexes.length < MIN_DAYS ? [] : indexes.slice(0, -USUAL_ENDS).map((at) => toCounted(at, peerGroup))

function sumOf(days: readonly Counted[]): Counted {
  const sum = { count: 0, exposure: 0 }
  for (const { count, exposure } of days) {
    sum.count += count
    sum.exposure += exposure
  }
  return sum
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** `fall`: decline of the logarithm of the click rate. */
function explainedBy(
  indexes: readonly number[],
  { points, slope }: InPeerGroup,
  fall: number,
): number | null {
  const frequenciesOf = (days: readonly number[]) =>
    days.map((at) => points.frequency[at]!).filter((value) => !Number.isNaN(value))
  const [usual, recent] = [
    frequenciesOf(indexes.slice(0, -USUAL_ENDS)),
    frequenciesOf(indexes.slice(-RECENT_DAYS)),
  ]
  if (usual.length === 0 || recent.length === 0 || fall <= 0) return null
  const rise = mean(recent) - mean(usual)
  return Math.min(1, Math.max(0, (-slope * rise) / fall))
}
