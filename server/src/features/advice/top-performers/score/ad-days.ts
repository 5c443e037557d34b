/**
 * The days of many ads in columns: filled row by row in any order, then summed into windows and read as series. Counts
 * are integers below 2^53, so sums do not depend on the order of the rows.
 */
import { type ScoreWindow, scoreWindows, windowDays } from './counts.ts'
import { MAX_CLICK_AGE } from './lags.ts'
import { release } from './release.ts'

/** Columns of a window, in order; outcomes are by day of conversion, the others by day of delivery. */
export const windowColumns = [
  'spend_minor',
  'impressions',
  'clicks',
  'link_clicks',
  'video_impressions',
  'video_views',
  'thruplays',
  'messaging_started',
  'platform_conversions_milli',
  'platform_value_minor',
  'ranked_days',
  'ranking_points',
  'active_days',
  'outcomes',
  'cash_outcomes',
  'pipeline_outcomes',
  'messaging_outcomes',
  'revenue_minor',
  'pipeline_minor',
  'cash_exposure_micro',
  'pipeline_exposure_micro',
] as const
type Column = (typeof windowColumns)[number]

const WIDTH = windowColumns.length
const columnIndex = Object.fromEntries(windowColumns.map((column, index) => [column, index])) as Record<
  Column,
  number
>

/** Weights by a click's age in days, per window in the order of `scoreWindows`; the last entry is for all older clicks. */
export type ClickWeights = Record<'cash' | 'pipeline', readonly (readonly number[])[]>

/** Index in `scoreWindows` of the shortest window that contains a day of this age. */
function bucketOf(age: number): number {
  return scoreWindows.findIndex((window) => age < (windowDays[window] ?? Number.POSITIVE_INFINITY))
}

export class AdDays {
  /** Number of days; age 0 is the last day. */
  readonly days: number
  private readonly buckets: Uint8Array
  /** NaN on days without delivery. */
  private readonly impressions: Float64Array
  private readonly links: Float64Array
  /** In thousandths; 0 if unknown. */
  private readonly frequencies: Int32Array
  private readonly frequencyDays: number
  private readonly sums: Float64Array

  constructor(ads: number, days: number, frequencyDays: number) {
    this.days = days
    this.frequencyDays = frequencyDays
    this.buckets = Uint8Array.from({ length: days }, (_, age) => bucketOf(age))
    this.impressions = new Float64Array(ads * days).fill(Number.NaN)
    this.links = new Float64Array(ads * days)
    this.frequencies = new Int32Array(ads * frequencyDays)
    this.sums = new Float64Array(ads * scoreWindows.length * WIDTH)
  }

  /** `age` may exceed `days`: credit may be older than the first day of delivery. */
  private add(ad: number, age: number, column: Column, amount: number): void {
    const bucket = this.buckets[age] ?? bucketOf(age)
    this.sums[(ad * scoreWindows.length + bucket) * WIDTH + columnIndex[column]]! += amount
  }

  /** A day may have several rows, one per source. */
  deliver(
    ad: number,
    age: number,
    row: {
      spend: number
      impressions: number
      clicks: number
      messaging: number
      conversionsMilli: number
      value: number
    },
  ): void {
    const at = ad * this.days + age
    const before = this.impressions[at]!
    this.impressions[at] = (Number.isNaN(before) ? 0 : before) + row.impressions
    this.links[at]! += row.clicks
    this.add(ad, age, 'spend_minor', row.spend)
    this.add(ad, age, 'impressions', row.impressions)
    this.add(ad, age, 'clicks', row.clicks)
    this.add(ad, age, 'messaging_started', row.messaging)
    this.add(ad, age, 'platform_conversions_milli', row.conversionsMilli)
    this.add(ad, age, 'platform_value_minor', row.value)
  }

  /** Call after all deliveries; days without delivery are ignored. Null values were not reported by the platform. */
  attend(
    ad: number,
    age: number,
    row: {
      linkClicks: number | null
      videoViews: number | null
      thruplays: number | null
      ranking: number | null
    },
  ): void {
    const at = ad * this.days + age
    const impressions = this.impressions[at]!
    if (Number.isNaN(impressions)) return
    if (row.linkClicks !== null) this.links[at] = row.linkClicks
    if (row.videoViews !== null) {
      this.add(ad, age, 'video_impressions', impressions)
      this.add(ad, age, 'video_views', row.videoViews)
      this.add(ad, age, 'thruplays', row.thruplays ?? 0)
    }
    if (row.ranking !== null) {
      this.add(ad, age, 'ranked_days', 1)
      this.add(ad, age, 'ranking_points', row.ranking + 1)
    }
  }

  credit(
    ad: number,
    age: number,
    row: { count: number; minor: number; isCash: boolean; isPipeline: boolean; isMessaging: boolean },
  ): void {
    this.add(ad, age, 'outcomes', row.count)
    if (row.isMessaging) this.add(ad, age, 'messaging_outcomes', row.count)
    if (row.isCash) {
      this.add(ad, age, 'cash_outcomes', row.count)
      this.add(ad, age, 'revenue_minor', row.minor)
    }
    if (row.isPipeline) {
      this.add(ad, age, 'pipeline_outcomes', row.count)
      this.add(ad, age, 'pipeline_minor', row.minor)
    }
  }

  see(ad: number, age: number, frequencyMilli: number): void {
    if (age < this.frequencyDays) this.frequencies[ad * this.frequencyDays + age] = frequencyMilli
  }

  /** Calls `onWindow` with the counts of each window in which the ad was shown; the counts are valid until the next call. */
  windowsOf(
    ad: number,
    weights: ClickWeights,
    onWindow: (window: ScoreWindow, counts: Float64Array) => void,
  ): void {
    const exposures = { cash: [0, 0, 0, 0], pipeline: [0, 0, 0, 0] }
    const adSums = this.sums.slice(ad * scoreWindows.length * WIDTH, (ad + 1) * scoreWindows.length * WIDTH)
    for (let age = 0; age < this.days; age++) {
      const at = ad * this.days + age
      if (Number.isNaN(this.impressions[at]!)) continue
      const bucket = this.buckets[age]! * WIDTH
      adSums[bucket + columnIndex.link_clicks]! += this.links[at]!
      if (this.impressions[at]! > 0) adSums[bucket + columnIndex.active_days]! += 1
      const weighed = Math.min(age, MAX_CLICK_AGE + 1)
      for (let window = 0; window < scoreWindows.length; window++) {
        exposures.cash[window]! += this.links[at]! * weights.cash[window]![weighed]!
        exposures.pipeline[window]! += this.links[at]! * weights.pipeline[window]![weighed]!
      }
    }
    const counts = new Float64Array(WIDTH)
    for (let window = 0; window < scoreWindows.length; window++) {
      for (let column = 0; column < WIDTH; column++) counts[column]! += adSums[window * WIDTH + column]!
      if (counts[columnIndex.active_days] === 0) continue
      counts[columnIndex.cash_exposure_micro] = exposures.cash[window]!
      counts[columnIndex.pipeline_exposure_micro] = exposures.pipeline[window]!
      onWindow(scoreWindows[window]!, counts)
    }
  }

  /** Call once the windows are stored; only the days are needed afterwards. */
  releaseSums(): void {
    release(this.sums)
  }

  /** Call after the last read. */
  releaseDays(): void {
    for (const column of [this.impressions, this.links, this.frequencies]) release(column)
  }

  /** Ages of the first and the last day on which the ad was shown; null if it never was. */
  shownAges(ad: number): { oldest: number; newest: number } | null {
    let [oldest, newest] = [-1, -1]
    for (let age = 0; age < this.days; age++) {
      if (!(this.impressions[ad * this.days + age]! > 0)) continue
      if (newest < 0) newest = age
      oldest = age
    }
    return newest < 0 ? null : { oldest, newest }
  }

  /** The ad's last days with delivery, oldest first; `lastDay` is the number of the day of age 0. */
  columnsOf(ad: number, lastDay: number): AdColumns {
    const series: AdColumns = { day: [], impressions: [], linkClicks: [], frequency: [] }
    for (let age = Math.min(this.days, this.frequencyDays) - 1; age >= 0; age--) {
      const impressions = this.impressions[ad * this.days + age]!
      if (Number.isNaN(impressions)) continue
      series.day.push(lastDay - age)
      series.impressions.push(impressions)
      series.linkClicks.push(this.links[ad * this.days + age]!)
      const milli = this.frequencies[ad * this.frequencyDays + age]!
      series.frequency.push(milli === 0 ? Number.NaN : milli / 1e3)
    }
    return series
  }
}

export type AdColumns = {
  /** Day numbers, oldest first. */
  day: number[]
  impressions: number[]
  linkClicks: number[]
  /** Average impressions per person; NaN if unknown. */
  frequency: number[]
}
