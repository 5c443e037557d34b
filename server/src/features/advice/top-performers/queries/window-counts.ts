/**
 * Ads and their counts in columns (struct of arrays). An ad is read through a view of its index: row objects that live
 * as long as a peer group is scored doubled the heap and ended up in its old generation.
 */
import { type CopyRow, readBigint, readUuid } from '../../../../platform/db/copy/copy-out.ts'
import { UuidTable } from '../../../../platform/db/copy/uuid-table.ts'
import { windowColumns } from '../score/ad-days.ts'
import type { AdCounts } from '../score/counts.ts'
import type { WeekCounts } from '../score/likelihood.ts'
import { release } from '../score/release.ts'

export type AdRow = AdCounts & {
  frequency: number | null
  firstDay: string | null
  status: string | null
}

type Attributes = Pick<
  AdRow,
  | 'adId'
  | 'channel'
  | 'format'
  | 'objective'
  | 'audienceWarmth'
  | 'geo'
  | 'placement'
  | 'frequency'
  | 'firstDay'
  | 'status'
>

/** The ads of a day, each with its index in id order. */
export class AdIndex {
  readonly ads: Attributes[] = []
  private readonly table = new UuidTable()
  // Interns strings: every row brings new ones, but there are few distinct values.
  private readonly words = new Map<string, string>()

  push(row: CopyRow): void {
    const word = (column: number) => this.wordOf(row, column)
    const slot = this.table.numberOf(row.view, row.at[0]!)
    this.ads[slot] = {
      adId: readUuid(row.bytes, row.at[0]!),
      channel: word(1)!,
      format: word(2)!,
      objective: word(3)!,
      audienceWarmth: word(4)!,
      geo: word(5)!,
      placement: word(6)!,
      frequency: row.size[7]! < 0 ? null : row.view.getFloat64(row.at[7]!),
      firstDay: word(8),
      status: word(9),
    }
  }

  /** Index of the ad whose id is in the row's first column; -1 if unknown. */
  slotOf({ view, at }: CopyRow): number {
    return this.table.numberOf(view, at[0]!, false)
  }

  private wordOf({ bytes, at, size }: CopyRow, column: number): string | null {
    if (size[column]! < 0) return null
    const word = bytes.toString('utf8', at[column]!, at[column]! + size[column]!)
    if (!this.words.has(word)) this.words.set(word, word)
    return this.words.get(word)!
  }
}

const WIDTH = windowColumns.length

/** The counts of a window by ad index, in columns; row views are created on request. */
export class WindowCounts {
  private readonly known: AdIndex
  /** NaN if the ad was not shown in the window. */
  private readonly values: Float64Array

  constructor(adIndex: AdIndex) {
    this.known = adIndex
    this.values = new Float64Array(adIndex.ads.length * WIDTH).fill(Number.NaN)
  }

  push(row: CopyRow): void {
    const slot = this.known.slotOf(row)
    if (slot < 0) return
    for (let column = 0; column < WIDTH; column++)
      this.values[slot * WIDTH + column] = readBigint(row.view, row.at[1 + column]!)
  }

  /** Indexes of the ads that were shown. */
  slots(): Int32Array {
    const { values } = this
    return Int32Array.from(this.known.ads.keys()).filter((slot) => !Number.isNaN(values[slot * WIDTH]!))
  }

  /** Impressions and link clicks only. */
  clicksAt(slot: number): WeekCounts | null {
    const impressions = this.values[slot * WIDTH + 1]!
    return Number.isNaN(impressions) ? null : { impressions, linkClicks: this.values[slot * WIDTH + 3]! }
  }

  release(): void {
    release(this.values)
  }

  /** Valid until the counts are released. */
  at(slot: number): AdRow {
    return new Row(this.known.ads[slot]!, this.values, slot * WIDTH)
  }
}

class Row implements AdRow {
  private readonly own: Attributes
  private readonly values: Float64Array
  private readonly from: number

  constructor(attributes: Attributes, values: Float64Array, from: number) {
    this.own = attributes
    this.values = values
    this.from = from
  }

  get adId() {
    return this.own.adId
  }
  get channel() {
    return this.own.channel
  }
  get format() {
    return this.own.format
  }
  get objective() {
    return this.own.objective
  }
  get audienceWarmth() {
    return this.own.audienceWarmth
  }
  get geo() {
    return this.own.geo
  }
  get placement() {
    return this.own.placement
  }
  get frequency() {
    return this.own.frequency
  }
  get firstDay() {
    return this.own.firstDay
  }
  get status() {
    return this.own.status
  }
  // In the order of windowColumns.
  get spendMinor() {
    return this.values[this.from]!
  }
  get impressions() {
    return this.values[this.from + 1]!
  }
  get clicks() {
    return this.values[this.from + 2]!
  }
  get linkClicks() {
    return this.values[this.from + 3]!
  }
  get videoImpressions() {
    return this.values[this.from + 4]!
  }
  get videoViews() {
    return this.values[this.from + 5]!
  }
  get thruplays() {
    return this.values[this.from + 6]!
  }
  get messagingStarted() {
    return this.values[this.from + 7]!
  }
  get platformConversionsMilli() {
    return this.values[this.from + 8]!
  }
  get platformValueMinor() {
    return this.values[this.from + 9]!
  }
  get rankedDays() {
    return this.values[this.from + 10]!
  }
  get rankingPoints() {
    return this.values[this.from + 11]!
  }
  get activeDays() {
    return this.values[this.from + 12]!
  }
  get outcomes() {
    return this.values[this.from + 13]!
  }
  get cashOutcomes() {
    return this.values[this.from + 14]!
  }
  get pipelineOutcomes() {
    return this.values[this.from + 15]!
  }
  get messagingOutcomes() {
    return this.values[this.from + 16]!
  }
  get revenueMinor() {
    return this.values[this.from + 17]!
  }
  get pipelineMinor() {
    return this.values[this.from + 18]!
  }
  get cashExposure() {
    return this.values[this.from + 19]! / 1e6
  }
  get pipelineExposure() {
    return this.values[this.from + 20]! / 1e6
  }
}
