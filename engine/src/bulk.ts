/**
 * The fast path: whole chunks of customers as columns, all five models and the rollups in one pass.
 * It must equal the readable path in journey.ts to the last unit; property tests hold it there.
 *
 *   const bulk = new BulkAttribution(settings)
 *   for each run of customers:
 *     bulk.chunk.reset(); fill bulk.chunk; bulk.attributeChunk(); write bulk.credits out
 *   write bulk.rollups.rows() out
 */
import { Chunk } from './chunk.ts'
import { Credits, modelColumns } from './credits.ts'
import {
  type AttributionSettings,
  DAY_MS,
  decayWeight,
  FIRST_TOUCH,
  FULL_DECAY_WEIGHT,
  LAST_NON_DIRECT,
  LAST_TOUCH,
  LINEAR,
  TIME_DECAY,
} from './models.ts'
import { rollUp } from './roll-up.ts'
import { Rollups } from './rollups.ts'
import { splitInto } from './split.ts'

export class BulkAttribution {
  readonly chunk = new Chunk()
  readonly credits = new Credits()
  readonly rollups = new Rollups()
  private readonly lookbackMs: number
  private readonly firstLookbackMs: number
  private readonly halfLifeMs: number
  private refundAmounts = modelColumns(64)
  private serial = 0

  constructor(settings: AttributionSettings) {
    this.lookbackMs = settings.lookbackDays * DAY_MS
    this.firstLookbackMs = settings.firstTouchLookbackDays * DAY_MS
    this.halfLifeMs = settings.halfLifeDays * DAY_MS
  }

  /** Replaces the credits by those of the chunk's conversions and adds conversions and refunds to the rollups. */
  attributeChunk(): void {
    const { chunk, credits } = this
    credits.reset(chunk.conversionCount)
    for (let conversion = 0; conversion < chunk.conversionCount; conversion++) {
      this.credit(conversion)
      rollUp(this.rollups, chunk, credits, {
        conversion,
        day: chunk.conversionDay[conversion]!,
        amountMinor: chunk.conversionAmountMinor[conversion]!,
        amounts: credits.amountMinor,
        shift: 0,
        counted: 1,
        serial: this.nextSerial(),
      })
    }
    for (let refund = 0; refund < chunk.refundCount; refund++) this.refund(refund)
  }

  private credit(conversion: number): void {
    const { chunk, credits } = this
    const { touchAt } = chunk
    const customer = chunk.conversionCustomer[conversion]!
    const at = chunk.conversionAt[conversion]!
    const begin = chunk.touchStart[customer]!
    const end = countUpTo(touchAt, begin, chunk.touchStart[customer + 1]!, at)
    const from = countBefore(touchAt, begin, end, at - this.lookbackMs)
    const first = countBefore(touchAt, begin, end, at - this.firstLookbackMs)

    const start = credits.start[conversion]!
    // The first touch may lie before the other models' lookback; it is then a credit of its own.
    const before = first < from ? 1 : 0
    const length = before + end - from
    credits.reserve(start + length)
    credits.start[conversion + 1] = start + length
    for (const column of credits.weight) column.fill(0, start, start + length)
    for (const column of credits.amountMinor) column.fill(0, start, start + length)
    const amountMinor = chunk.conversionAmountMinor[conversion]!
    const give = (model: typeof LAST_TOUCH | typeof FIRST_TOUCH | typeof LAST_NON_DIRECT, credit: number) => {
      credits.weight[model][credit] = 1
      credits.amountMinor[model][credit] = amountMinor
    }
    if (before) credits.touch[start] = first
    const offset = start + before - from
    for (let touch = from; touch < end; touch++) credits.touch[offset + touch] = touch
    if (first < end) give(FIRST_TOUCH, before ? start : offset + first)
    if (from < end) {
      give(LAST_TOUCH, offset + latest(touchAt, from, end))
      give(LAST_NON_DIRECT, offset + latestNonDirect(touchAt, chunk.touchIsDirect, from, end))
    }
    this.spread(conversion, from, end, start + before, amountMinor)
  }

  /** The models that divide a conversion: linear and time_decay. */
  private spread(conversion: number, from: number, end: number, at: number, amountMinor: number): void {
    const { credits, chunk } = this
    const count = end - from
    const weights = credits.weight[TIME_DECAY]
    credits.weight[LINEAR].fill(1, at, at + count)
    let total = 0
    for (let touch = from; touch < end; touch++) {
      const age = chunk.touchAt[end - 1]! - chunk.touchAt[touch]!
      const weight = age === 0 ? FULL_DECAY_WEIGHT : decayWeight(age, this.halfLifeMs)
      weights[at + touch - from] = weight
      total += weight
    }
    credits.linearTotal[conversion] = count
    credits.timeDecayTotal[conversion] = total
    if (amountMinor === 0) return
    splitInto(amountMinor, credits.weight[LINEAR], at, count, count, credits.amountMinor[LINEAR], at)
    splitInto(amountMinor, weights, at, count, total, credits.amountMinor[TIME_DECAY], at)
  }

  /** A refund is split like its conversion, negated, on its own day. */
  private refund(refund: number): void {
    const { chunk, credits } = this
    const conversion = chunk.refundConversion[refund]!
    const start = credits.start[conversion]!
    const length = credits.start[conversion + 1]! - start
    const amountMinor = 0 - chunk.refundAmountMinor[refund]!
    if (this.refundAmounts[0].length < length) this.refundAmounts = modelColumns(length * 2)
    const linear = credits.weight[LINEAR]
    const decay = credits.weight[TIME_DECAY]
    const amounts = this.refundAmounts
    splitInto(amountMinor, linear, start, length, credits.linearTotal[conversion]!, amounts[LINEAR], 0)
    splitInto(amountMinor, decay, start, length, credits.timeDecayTotal[conversion]!, amounts[TIME_DECAY], 0)
    rollUp(this.rollups, chunk, credits, {
      conversion,
      day: chunk.refundDay[refund]!,
      amountMinor,
      amounts,
      shift: -start,
      counted: 0,
      serial: this.nextSerial(),
    })
  }

  /** Serials are 32-bit marks in the rollups; 0 is never used, it marks a new row. */
  private nextSerial(): number {
    this.serial = (this.serial + 1) | 0 || 1
    return this.serial
  }
}

/** First index in the ordered range whose time is not before `time`. */
function countBefore(times: Float64Array, from: number, to: number, time: number): number {
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[middle]! < time) from = middle + 1
    else to = middle
  }
  return from
}

/** First index in the ordered range whose time is after `time`. */
function countUpTo(times: Float64Array, from: number, to: number, time: number): number {
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[middle]! <= time) from = middle + 1
    else to = middle
  }
  return from
}

/** The latest touch of the range; of several at that instant the first in order. */
function latest(times: Float64Array, from: number, end: number): number {
  let touch = end - 1
  while (touch > from && times[touch - 1] === times[touch]) touch -= 1
  return touch
}

/** The same among the touches that are not direct, or of all when every one is. */
function latestNonDirect(times: Float64Array, isDirect: Uint8Array, from: number, end: number): number {
  let last = end - 1
  while (last >= from && isDirect[last]) last -= 1
  if (last < from) return latest(times, from, end)
  for (let touch = last; touch >= from && times[touch] === times[last]; touch--) {
    if (!isDirect[touch]) last = touch
  }
  return last
}
