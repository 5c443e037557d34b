/**
 * The days of many ads in columns: filled row by row in any order, then summed into windows and handed out as series.
 * Counts are whole numbers below 2^53, so that the order of the rows changes no sum.
 */
import { type ScoreWindow, scoreWindows, windowDays } from './counts.ts'
import { MAX_CLICK_AGE } from './lags.ts'
import { release } from './release.ts'

/** In the order in which a window holds them; outcomes come by day of conversion, the others by day of delivery. */
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
const place = Object.fromEntries(windowColumns.map((column, index) => [column, index])) as Record<
  Column,
  number
>

/** By a click's age in days, in the order of `scoreWindows`; the last place holds all that is older. */
export type ClickWeights = Record<'cash' | 'pipeline', readonly (readonly number[])[]>

/** The youngest window that holds a day of this age, by its place in `scoreWindows`. */
function bucketOf(age: number): number {
  return scoreWindows.findIndex((window) => age < (windowDays[window] ?? Number.POSITIVE_INFINITY))
}

export class AdDays {
  /** How far back the days go; age 0 is the last day. */
  readonly days: number
  private readonly buckets: Uint8Array
  /** NaN on days without delivery. */
  private readonly impressions: Float64Array
  private readonly links: Float64Array
  /** In thousandths; 0 where it is not known. */
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

  /** Credit may be older than the first day of delivery. */
  private add(ad: number, age: number, column: Column, amount: number): void {
    const bucket = this.buckets[age] ?? bucketOf(age)
    this.sums[(ad * scoreWindows.length + bucket) * WIDTH + place[column]]! += amount
  }

  /** A day may come in several rows, one for each source. */
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

  /** After all deliveries; what a day without delivery shows is left out. Null where the platform said nothing. */
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

  /** Calls `onWindow` with the counts of each window in which the ad was shown; they are valid until the next call. */
  windowsOf(
    ad: number,
    weights: ClickWeights,
    onWindow: (window: ScoreWindow, counts: Float64Array) => void,
  ): void {
    const exposures = { cash: [0, 0, 0, 0], pipeline: [0, 0, 0, 0] }
    const own = this.sums.slice(ad * scoreWindows.length * WIDTH, (ad + 1) * scoreWindows.length * WIDTH)
    for (let age = 0; age < this.days; age++) {
      const at = ad * this.days + age
      if (Number.isNaN(this.impressions[at]!)) continue
      const bucket = this.buckets[age]! * WIDTH
      own[bucket + place.link_clicks]! += this.links[at]!
      if (this.impressions[at]! > 0) own[bucket + place.active_days]! += 1
      const weighed = Math.min(age, MAX_CLICK_AGE + 1)
      for (let window = 0; window < scoreWindows.length; window++) {
        exposures.cash[window]! += this.links[at]! * weights.cash[window]![weighed]!
        exposures.pipeline[window]! += this.links[at]! * weights.pipeline[window]![weighed]!
      }
    }
    const counts = new Float64Array(WIDTH)
    for (let window = 0; window < scoreWindows.length; window++) {
      for (let column = 0; column < WIDTH; column++) counts[column]! += own[window * WIDTH + column]!
      if (counts[place.active_days] === 0) continue
      counts[place.cash_exposure_micro] = exposures.cash[window]!
      counts[place.pipeline_exposure_micro] = exposures.pipeline[window]!
      onWindow(scoreWindows[window]!, counts)
    }
  }

  /** Once the windows are kept, only the days are still asked for. */
  releaseSums(): void {
    release(this.sums)
  }

  /** Called once nothing is read any more. */
  releaseDays(): void {
    for (const column of [this.impressions, this.links, this.frequencies]) release(column)
  }

  /** The ages of the first and the last day on which the ad was shown; null where it never was. */
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
  /** Numbers of days, oldest first. */
  day: number[]
  impressions: number[]
  linkClicks: number[]
  /** How often the same people saw the ad; NaN where it is not known. */
  frequency: number[]
}
