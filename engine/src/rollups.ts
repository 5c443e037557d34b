/** Counts and money per (level, entity, day, outcome type) with a column per model, organised by day. */
import { type Chunk, NOT_COUNTED } from './chunk.ts'
import { grown } from './columns.ts'
import type { Credits } from './credits.ts'
import {
  DayRollup,
  IS_COUNTED,
  LEVEL_COUNT,
  MAX_OUTCOME_TYPES,
  MEASURE_COUNT,
  MONEY_WIDTH,
  rowKey,
  SharedState,
  STARTS_JOURNEY,
} from './day-rollup.ts'
import { MODEL_COUNT, NO_ENTITY } from './models.ts'
import { splitEvenlyInto, splitInto } from './split.ts'

export type RollupRow = {
  /** Index in `levels`. */
  level: number
  entity: number
  day: number
  outcomeType: number
  /** Both in the order of `models`. */
  counts: number[]
  valueMinor: number[]
  /** Sums of shares, high and low part (`joinShares`) of linear and then of time_decay. */
  shares: number[]
}

const ALL_MODELS = (1 << MODEL_COUNT) - 1

/** A buffer with at least this capacity is flushed and reused instead of exchanged for a larger one. */
const MIN_KEPT_CREDITS = 512

export class Rollups {
  private days = new Map<number, DayRollup>()
  private shared = new SharedState()
  private readonly bufferedCredits: number
  private readonly namedOnly: boolean
  private refundLinear = new Float64Array(64)
  private refundTimeDecay = new Float64Array(64)

  /**
   * `bufferedCredits` limits the buffers of all days; a buffered credit takes 53 bytes. Conversions mostly arrive in order
   * of time, so few days are in use at the same time: at the limit, a new day takes the buffer of an old one. `namedOnly`
   * ignores credit without an entity at any level.
   */
  constructor({ bufferedCredits = 200_000, namedOnly = false } = {}) {
    this.bufferedCredits = bufferedCredits
    this.namedOnly = namedOnly
  }

  /** Removes all rows, for callers that write rows during a stream. */
  reset(): void {
    this.days = new Map()
    this.shared = new SharedState()
  }

  addConversion(chunk: Chunk, credits: Credits, conversion: number): void {
    const day = this.dayRollup(chunk.conversionDay[conversion]!, chunk.conversionOutcomeType[conversion]!)
    const amountMinor = chunk.conversionAmountMinor[conversion]!
    const { linearMinor, timeDecayMinor } = credits
    this.append(
      day,
      chunk,
      credits,
      conversion,
      amountMinor,
      linearMinor,
      timeDecayMinor,
      0,
      STARTS_JOURNEY | IS_COUNTED,
    )
  }

  /**
   * A refund is split like its conversion, negated. It changes money on its own day, but no counts. A refund with an
   * unknown amount changes no money and is counted under its own outcome type.
   */
  addRefund(chunk: Chunk, credits: Credits, refund: number): void {
    const conversion = chunk.refundConversion[refund]!
    const countedAs = chunk.refundOutcomeType[refund]!
    const isCounted = countedAs !== NOT_COUNTED
    const outcomeType = isCounted ? countedAs : chunk.conversionOutcomeType[conversion]!
    const day = this.dayRollup(chunk.refundDay[refund]!, outcomeType)
    const amountMinor = 0 - chunk.refundAmountMinor[refund]!
    const count = credits.linearTotal[conversion]!
    const total = credits.timeDecayTotal[conversion]!
    const at = credits.start[conversion + 1]! - count
    this.refundLinear = grown(this.refundLinear, count + 1)
    this.refundTimeDecay = grown(this.refundTimeDecay, count + 1)
    // Index 0 is for a first touch before the other models' lookback, which has no share in these models.
    splitEvenlyInto(amountMinor, count, this.refundLinear, 1)
    splitInto(amountMinor, credits.timeDecayWeight, at, count, total, this.refundTimeDecay, 1)
    const { refundLinear, refundTimeDecay } = this
    const opening = isCounted ? STARTS_JOURNEY | IS_COUNTED : STARTS_JOURNEY
    this.append(day, chunk, credits, conversion, amountMinor, refundLinear, refundTimeDecay, 1 - at, opening)
  }

  /** Buffers one journey's credits; `shift` is the offset from a credit's index to that of its amounts. */
  private append(
    day: DayRollup,
    chunk: Chunk,
    credits: Credits,
    conversion: number,
    amountMinor: number,
    linearMinor: Float64Array,
    timeDecayMinor: Float64Array,
    shift: number,
    opening: number,
  ): void {
    const start = credits.start[conversion]!
    const end = credits.start[conversion + 1]!
    this.ensureCapacity(day, end - start + 1)
    const { namedOnly } = this
    const { bufferedKeys, bits, money } = day
    const { touchCampaign, touchAdSet, touchAd } = chunk
    const { touch, models, timeDecayWeight } = credits
    const linearShare = 1 / credits.linearTotal[conversion]!
    const decayTotal = credits.timeDecayTotal[conversion]!
    let at = day.buffered
    let uncredited = ALL_MODELS
    for (let credit = start; credit < end; credit++) {
      const credited = touch[credit]!
      uncredited &= ~models[credit]!
      if (
        namedOnly &&
        touchCampaign[credited] === NO_ENTITY &&
        touchAdSet[credited] === NO_ENTITY &&
        touchAd[credited] === NO_ENTITY
      )
        continue
      bufferedKeys[at * 3] = rowKey(touchCampaign[credited]!, 0)
      bufferedKeys[at * 3 + 1] = rowKey(touchAdSet[credited]!, 1)
      bufferedKeys[at * 3 + 2] = rowKey(touchAd[credited]!, 2)
      bits[at] = models[credit]! | opening
      const offset = at * MONEY_WIDTH
      money[offset] = linearMinor[credit + shift]!
      money[offset + 1] = timeDecayMinor[credit + shift]!
      money[offset + 2] = amountMinor
      money[offset + 3] = linearShare
      money[offset + 4] = timeDecayWeight[credit]! / decayTotal
      opening = 0
      at += 1
    }
    if (uncredited !== 0 && !namedOnly) {
      const offset = at * MONEY_WIDTH
      for (let i = 0; i < 3; i++) {
        bufferedKeys[at * 3 + i] = rowKey(NO_ENTITY, i)
        money[offset + i] = amountMinor
      }
      money[offset + 3] = 1
      money[offset + 4] = 1
      bits[at] = uncredited | opening
      at += 1
    }
    day.buffered = at
  }

  /** Rows by day and outcome type in order of first use. Throws if a sum exceeds the safe integers. */
  rows(): RollupRow[] {
    const rows: RollupRow[] = []
    this.visitRows((level, entity, day, outcomeType, measures) => {
      const counts = [...measures.subarray(0, MODEL_COUNT)]
      const valueMinor = [...measures.subarray(MODEL_COUNT, MODEL_COUNT * 2)]
      const shares = [...measures.subarray(MODEL_COUNT * 2)]
      rows.push({ level, entity, day, outcomeType, counts, valueMinor, shares })
    })
    return rows
  }

  /** Like `rows`, without an object per row. `measures` (counts, values, shares) is reused for the next row. */
  visitRows(
    visit: (level: number, entity: number, day: number, outcomeType: number, measures: Float64Array) => void,
  ): void {
    const measures = new Float64Array(MEASURE_COUNT)
    for (const day of this.days.values()) {
      day.flush(this.shared)
      for (let row = 0; row < day.size; row++) {
        day.readRow(row, measures)
        for (let index = 0; index < measures.length; index++)
          if (!Number.isSafeInteger(measures[index]))
            throw new RangeError('a rollup sum exceeds the safe integers')
        const key = day.keys[row]!
        visit(key % LEVEL_COUNT, Math.floor(key / LEVEL_COUNT) - 1, day.day, day.outcomeType, measures)
      }
    }
  }

  /** Distinct entities of the rows. */
  entities(): Set<number> {
    const entities = new Set<number>()
    for (const day of this.days.values()) {
      day.flush(this.shared)
      for (let row = 0; row < day.size; row++) entities.add(Math.floor(day.keys[row]! / LEVEL_COUNT) - 1)
    }
    return entities
  }

  private ensureCapacity(day: DayRollup, count: number): void {
    if (day.hasCapacity(count)) return
    if (this.shared.buffers + count > this.bufferedCredits) {
      if (day.capacity < MIN_KEPT_CREDITS) this.borrowBuffer(day, day.buffered + count)
      if (!day.hasCapacity(count)) day.flush(this.shared)
      if (day.hasCapacity(count)) return
    }
    day.reserve(count, this.shared)
  }

  private borrowBuffer(day: DayRollup, minCapacity: number): void {
    for (const other of this.days.values()) {
      if (other === day || other.capacity < minCapacity || other.capacity <= day.capacity) continue
      other.flush(this.shared)
      day.swapBuffer(other)
      return
    }
  }

  /** Number of rows. */
  get size(): number {
    let size = 0
    for (const day of this.days.values()) {
      day.flush(this.shared)
      size += day.size
    }
    return size
  }

  private dayRollup(day: number, outcomeType: number): DayRollup {
    const key = day * MAX_OUTCOME_TYPES + outcomeType
    let rollup = this.days.get(key)
    if (!rollup) {
      rollup = new DayRollup(day, outcomeType)
      this.days.set(key, rollup)
    }
    return rollup
  }
}
