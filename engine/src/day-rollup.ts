/**
 * The rollup rows of one (day, outcome type). Credits are buffered here and added up many at a time: the rows of one
 * day fit the processor's cache and those of all days do not. Measured at 1 M conversions / 6 M touches on 2 cores,
 * adding each credit straight to one table of all days took 5.3 s, nearly all of it waiting for memory.
 */
import { grown } from './columns.ts'
import { FIRST_TOUCH, LAST_NON_DIRECT, LAST_TOUCH, LINEAR, MODEL_COUNT, TIME_DECAY } from './models.ts'

export const LEVEL_COUNT = 3
/** Numbers per row: the counts of the five models, then their values. */
export const ROW_WIDTH = 2 * MODEL_COUNT
const BUFFER_LENGTH = 2048

/** Bits of a buffered credit above those of its models: it opens a journey, and that journey counts. */
export const OPENS = 1 << MODEL_COUNT
export const COUNTS = 2 << MODEL_COUNT

/** A row's key within its day; from it level and entity come back. */
export function rowKey(entity: number, level: number): number {
  return (entity + 1) * LEVEL_COUNT + level
}

/** Row of each key for the day in work, numbered on from `base`; a lower number is left over from another day. */
export class RowIndex {
  rowOf = new Int32Array(1024)
  base = 1
}

export class DayRollup {
  readonly day: number
  readonly outcomeType: number
  size = 0
  keys = new Int32Array(16)
  numbers = new Float64Array(16 * ROW_WIDTH)
  /** Journey that was counted last in the row. */
  private countedIn = new Int32Array(16)
  private journey = 0

  /** Buffered credits: a key per level, bits, and money by linear, by time_decay, whole. */
  buffered = 0
  bufferedKeys = new Int32Array(16 * LEVEL_COUNT)
  bits = new Uint8Array(16)
  money = new Float64Array(16 * 3)

  constructor(day: number, outcomeType: number) {
    this.day = day
    this.outcomeType = outcomeType
  }

  /** Room for one whole journey of `count` credits; a journey is never added up in two parts. */
  makeRoom(count: number, index: RowIndex): void {
    if (this.buffered + count > BUFFER_LENGTH) this.addUp(index)
    const length = this.buffered + count
    if (length <= this.bits.length) return
    this.bits = grown(this.bits, length)
    this.bufferedKeys = grown(this.bufferedKeys, this.bits.length * LEVEL_COUNT)
    this.money = grown(this.money, this.bits.length * 3)
  }

  /** Adds the buffered credits to their rows. */
  addUp(index: RowIndex): void {
    if (this.buffered === 0) return
    this.findRows(index)
    const { bits, money, bufferedKeys, numbers, countedIn } = this
    const { rowOf, base } = index
    let counted = 0
    let journey = this.journey
    for (let credit = 0; credit < this.buffered; credit++) {
      const bit = bits[credit]!
      if (bit & OPENS) {
        journey += 1
        counted = bit & COUNTS ? 1 : 0
      }
      const linear = money[credit * 3]!
      const timeDecay = money[credit * 3 + 1]!
      const whole = money[credit * 3 + 2]!
      for (let level = 0; level < LEVEL_COUNT; level++) {
        const row = rowOf[bufferedKeys[credit * LEVEL_COUNT + level]!]! - base
        const counts = row * ROW_WIDTH
        const values = counts + MODEL_COUNT
        if (bit & (1 << LINEAR)) {
          if (countedIn[row] !== journey) {
            countedIn[row] = journey
            numbers[counts + LINEAR]! += counted
            numbers[counts + TIME_DECAY]! += counted
          }
          numbers[values + LINEAR]! += linear
          numbers[values + TIME_DECAY]! += timeDecay
        }
        if (bit & (1 << LAST_TOUCH)) {
          numbers[counts + LAST_TOUCH]! += counted
          numbers[values + LAST_TOUCH]! += whole
        }
        if (bit & (1 << FIRST_TOUCH)) {
          numbers[counts + FIRST_TOUCH]! += counted
          numbers[values + FIRST_TOUCH]! += whole
        }
        if (bit & (1 << LAST_NON_DIRECT)) {
          numbers[counts + LAST_NON_DIRECT]! += counted
          numbers[values + LAST_NON_DIRECT]! += whole
        }
      }
    }
    this.buffered = 0
    this.journey = journey
  }

  /** Writes this day's rows into the index and makes those that are missing. */
  private findRows(index: RowIndex): void {
    index.base += index.rowOf.length
    if (index.base > 2 ** 30) {
      index.base = 1
      index.rowOf.fill(0)
    }
    const { base } = index
    for (let row = 0; row < this.size; row++) index.rowOf[this.keys[row]!] = base + row
    const length = this.buffered * LEVEL_COUNT
    for (let i = 0; i < length; i++) {
      const key = this.bufferedKeys[i]!
      if (key < index.rowOf.length && index.rowOf[key]! >= base) continue
      index.rowOf = grown(index.rowOf, key + 1)
      index.rowOf[key] = base + this.newRow(key)
    }
  }

  private newRow(key: number): number {
    const row = this.size++
    if (row === this.keys.length) {
      this.keys = grown(this.keys, row + 1)
      this.countedIn = grown(this.countedIn, row + 1)
      this.numbers = grown(this.numbers, this.keys.length * ROW_WIDTH)
    }
    this.keys[row] = key
    return row
  }
}
