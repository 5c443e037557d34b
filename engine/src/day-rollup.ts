/**
 * The rollup rows of one (day, outcome type). Credits are buffered and added in batches, because the rows of one day fit
 * into the CPU cache and those of all days do not. At 1 M conversions / 6 M touches on 2 cores, adding each credit
 * directly to one hash table of all days took 5.3 s, this way about 1 s.
 */
import { grown } from './columns.ts'
import { FIRST_TOUCH, LAST_NON_DIRECT, LAST_TOUCH, LINEAR, MODEL_COUNT } from './models.ts'

export const LEVEL_COUNT = 3
/**
 * Numbers per row. First the columns that linear and time_decay update for every credit: the count, which they share, both
 * values, and both sums of shares in two parts each. Then count and value of each single-credit model.
 */
const ROW_WIDTH = 13
/** Column of each measure: counts by model, values by model, then the shares of linear and of time_decay. */
const MEASURE_COLUMNS = [7, 9, 0, 0, 11, 8, 10, 1, 2, 12, 3, 4, 5, 6]
/** Number of measures of a row. */
export const MEASURE_COUNT = MEASURE_COLUMNS.length
/** Per buffered credit: amounts under linear, time_decay and single-credit models; then the shares of linear and time_decay. */
export const MONEY_WIDTH = 5
const SPREAD = 1 << LINEAR
const SINGLE = (1 << LAST_TOUCH) | (1 << FIRST_TOUCH) | (1 << LAST_NON_DIRECT)

/** Bits of a buffered credit above those of its models: it is the first of a journey, and the journey is counted. */
export const STARTS_JOURNEY = 1 << MODEL_COUNT
export const IS_COUNTED = 2 << MODEL_COUNT

export const MAX_OUTCOME_TYPES = 256
const MAX_DAY = 2 ** 20

export function checkKey(day: number, outcomeType: number): void {
  if (!(Number.isInteger(day) && Math.abs(day) < MAX_DAY)) throw new RangeError(`day ${day} is out of range`)
  if (!(Number.isInteger(outcomeType) && outcomeType >= 0 && outcomeType < MAX_OUTCOME_TYPES)) {
    throw new RangeError(`outcome type ${outcomeType} is out of range`)
  }
}

/** Encodes level and entity as the row's key within its day. */
export function rowKey(entity: number, level: number): number {
  return (entity + 1) * LEVEL_COUNT + level
}

/** State that is shared by all days, which are flushed one after the other. */
export class SharedState {
  /** Row of each key for the current day, plus `base`; lower numbers are left over from other days and invalid. */
  rowOf = new Int32Array(1024)
  base = 1
  /** Capacity of the buffers of all days, in credits. */
  buffers = 0
}

/**
 * Sums of shares must not depend on the order of addition, so shares are added as integers: the first 26 binary places and
 * the next 27. The rounding error is less than 2^-53, so ten million shares are exact to 1e-9.
 */
const HIGH = 2 ** 26
const LOW = 2 ** 27

function highPart(share: number): number {
  return Math.floor(share * HIGH)
}

function lowPart(share: number, high: number): number {
  return Math.round((share * HIGH - high) * LOW)
}

/** Combines the two parts of a sum of shares. */
export function joinShares(high: number, low: number): number {
  return high / HIGH + low / (HIGH * LOW)
}

export class DayRollup {
  readonly day: number
  readonly outcomeType: number
  size = 0
  keys = new Int32Array(16)
  private numbers = new Float64Array(16 * ROW_WIDTH)
  /** Per row: the journey that was counted last. */
  private countedIn = new Int32Array(16)
  private journey = 0

  /** Buffered credits: a key per level, bits, and amounts followed by shares. */
  buffered = 0
  bufferedKeys = new Int32Array(0)
  bits = new Uint8Array(0)
  money = new Float64Array(0)

  constructor(day: number, outcomeType: number) {
    this.day = day
    this.outcomeType = outcomeType
  }

  hasCapacity(count: number): boolean {
    return this.buffered + count <= this.bits.length
  }

  /** Ensures capacity for a journey of `count` credits; a journey is never flushed in two parts. */
  reserve(count: number, shared: SharedState): void {
    const { length } = this.bits
    this.bits = grown(this.bits, this.buffered + count)
    this.bufferedKeys = grown(this.bufferedKeys, this.bits.length * LEVEL_COUNT)
    this.money = grown(this.money, this.bits.length * MONEY_WIDTH)
    shared.buffers += this.bits.length - length
  }

  get capacity(): number {
    return this.bits.length
  }

  /** Exchanges buffers with a flushed day that has a larger one. */
  swapBuffer(other: DayRollup): void {
    const { bits, bufferedKeys, money, buffered } = this
    other.bits.set(bits.subarray(0, buffered))
    other.bufferedKeys.set(bufferedKeys.subarray(0, buffered * LEVEL_COUNT))
    other.money.set(money.subarray(0, buffered * MONEY_WIDTH))
    this.bits = other.bits
    this.bufferedKeys = other.bufferedKeys
    this.money = other.money
    other.bits = bits
    other.bufferedKeys = bufferedKeys
    other.money = money
  }

  /** Adds the buffered credits to their rows. */
  flush(shared: SharedState): void {
    if (this.buffered === 0) return
    this.keysToRows(shared)
    const { bits, money, bufferedKeys: rows, numbers, countedIn } = this
    let journey = this.journey
    let counted = 0
    for (let credit = 0; credit < this.buffered; credit++) {
      const bit = bits[credit]!
      if (bit & STARTS_JOURNEY) {
        journey += 1
        counted = bit & IS_COUNTED ? 1 : 0
      }
      if (bit & SPREAD) {
        const offset = credit * MONEY_WIDTH
        const linear = money[offset]!
        const timeDecay = money[offset + 1]!
        const linearHigh = highPart(money[offset + 3]!)
        const linearLow = lowPart(money[offset + 3]!, linearHigh)
        const decayHigh = highPart(money[offset + 4]!)
        const decayLow = lowPart(money[offset + 4]!, decayHigh)
        for (let i = credit * 3; i < credit * 3 + 3; i++) {
          const row = rows[i]!
          const at = row * ROW_WIDTH
          if (countedIn[row] !== journey) {
            countedIn[row] = journey
            numbers[at]! += counted
          }
          numbers[at + 1]! += linear
          numbers[at + 2]! += timeDecay
          if (counted === 0) continue
          numbers[at + 3]! += linearHigh
          numbers[at + 4]! += linearLow
          numbers[at + 5]! += decayHigh
          numbers[at + 6]! += decayLow
        }
      }
      if (bit & SINGLE) this.addWhole(credit, bit, counted)
    }
    this.buffered = 0
    this.journey = journey
  }

  /** Reads counts and values, both in the order of `models`, then the shares of linear and time_decay, high before low. */
  readRow(row: number, measures: Float64Array): void {
    const at = row * ROW_WIDTH
    for (let index = 0; index < MEASURE_COLUMNS.length; index++)
      measures[index] = this.numbers[at + MEASURE_COLUMNS[index]!]!
  }

  /** Adds a credit of single-credit models: one touch gets the whole conversion. */
  private addWhole(credit: number, bit: number, counted: number): void {
    const { numbers } = this
    const amountMinor = this.money[credit * MONEY_WIDTH + 2]!
    for (let i = credit * 3; i < credit * 3 + 3; i++) {
      const at = this.bufferedKeys[i]! * ROW_WIDTH
      if (bit & (1 << LAST_TOUCH)) {
        numbers[at + 7]! += counted
        numbers[at + 8]! += amountMinor
      }
      if (bit & (1 << FIRST_TOUCH)) {
        numbers[at + 9]! += counted
        numbers[at + 10]! += amountMinor
      }
      if (bit & (1 << LAST_NON_DIRECT)) {
        numbers[at + 11]! += counted
        numbers[at + 12]! += amountMinor
      }
    }
  }

  /** Replaces each buffered key by its row number; a new key gets a new row. */
  private keysToRows(shared: SharedState): void {
    shared.base += shared.rowOf.length
    if (shared.base > 2 ** 30) {
      shared.base = 1
      shared.rowOf.fill(0)
    }
    const { base } = shared
    let { rowOf } = shared
    for (let row = 0; row < this.size; row++) rowOf[this.keys[row]!] = base + row
    const { bufferedKeys } = this
    const length = this.buffered * LEVEL_COUNT
    for (let i = 0; i < length; i++) {
      const key = bufferedKeys[i]!
      let row = key < rowOf.length ? rowOf[key]! - base : -1
      if (row < 0) {
        row = this.newRow(key)
        rowOf = grown(rowOf, key + 1)
        rowOf[key] = base + row
      }
      bufferedKeys[i] = row
    }
    shared.rowOf = rowOf
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
