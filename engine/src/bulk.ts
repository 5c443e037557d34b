/**
 * The bulk path: chunks of customers as columns, all five models and the rollups in one pass. It must equal the reference
 * implementation in journey.ts to the last minor unit; property tests verify it.
 *
 *   const bulk = new BulkAttribution(settings)
 *   for each run of customers:
 *     bulk.chunk.reset(); fill bulk.chunk; bulk.attributeChunk(); write bulk.credits out
 *   write bulk.rollups.rows() out
 */
import { Chunk } from './chunk.ts'
import { Credits } from './credits.ts'
import { decayWeight, FULL_DECAY_WEIGHT } from './decay.ts'
import {
  type AttributionSettings,
  DAY_MS,
  FIRST_TOUCH,
  LAST_NON_DIRECT,
  LAST_TOUCH,
  LINEAR,
  TIME_DECAY,
} from './models.ts'
import { Rollups } from './rollups.ts'
import { splitEvenlyInto, splitInto } from './split.ts'

export class BulkAttribution {
  readonly chunk = new Chunk()
  readonly credits = new Credits()
  readonly rollups: Rollups
  private readonly lookbackMs: number
  private readonly firstLookbackMs: number
  private readonly halfLifeMs: number

  constructor(settings: AttributionSettings, rollups = new Rollups()) {
    this.rollups = rollups
    this.lookbackMs = settings.lookbackDays * DAY_MS
    this.firstLookbackMs = settings.firstTouchLookbackDays * DAY_MS
    this.halfLifeMs = settings.halfLifeDays * DAY_MS
  }

  /** Replaces `credits` by those of the chunk's conversions, and adds conversions and refunds to the rollups. */
  attributeChunk(): void {
    const { chunk, credits, rollups } = this
    credits.reset(chunk.conversionCount)
    for (let conversion = 0; conversion < chunk.conversionCount; conversion++) {
      this.credit(conversion)
      rollups.addConversion(chunk, credits, conversion)
    }
    for (let refund = 0; refund < chunk.refundCount; refund++) rollups.addRefund(chunk, credits, refund)
  }

  private credit(conversion: number): void {
    const { chunk, credits } = this
    const { touchAt } = chunk
    const customer = chunk.conversionCustomer[conversion]!
    const at = chunk.conversionAt[conversion]!
    const begin = chunk.touchStart[customer]!
    const end = firstAfter(touchAt, begin, chunk.touchStart[customer + 1]!, at)
    const from = firstSince(touchAt, begin, end, at - this.lookbackMs)
    const first = firstSince(touchAt, begin, end, at - this.firstLookbackMs)

    const start = credits.start[conversion]!
    // The first touch may be before the other models' lookback; then it gets an additional credit entry.
    const before = first < from ? 1 : 0
    const spreadAt = start + before
    const offset = spreadAt - from
    credits.reserve(offset + end)
    credits.start[conversion + 1] = offset + end
    const { touch, models } = credits
    if (before) {
      touch[start] = first
      models[start] = 0
      credits.timeDecayWeight[start] = 0
      credits.linearMinor[start] = 0
      credits.timeDecayMinor[start] = 0
    }
    for (let t = from; t < end; t++) {
      touch[offset + t] = t
      models[offset + t] = (1 << LINEAR) | (1 << TIME_DECAY)
    }
    if (first < end) models[before ? start : offset + first]! |= 1 << FIRST_TOUCH
    if (from < end) {
      models[offset + latest(touchAt, from, end)]! |= 1 << LAST_TOUCH
      models[offset + latestNonDirect(touchAt, chunk.touchIsDirect, from, end)]! |= 1 << LAST_NON_DIRECT
    }
    this.spread(conversion, from, end, spreadAt)
  }

  /** The models that divide a conversion: linear and time_decay. */
  private spread(conversion: number, from: number, end: number, at: number): void {
    const { credits, chunk } = this
    const { touchAt } = chunk
    const weights = credits.timeDecayWeight
    const count = end - from
    let total = 0
    for (let i = 0; i < count; i++) {
      const age = touchAt[end - 1]! - touchAt[from + i]!
      const weight = age === 0 ? FULL_DECAY_WEIGHT : decayWeight(age, this.halfLifeMs)
      weights[at + i] = weight
      total += weight
    }
    credits.linearTotal[conversion] = count
    credits.timeDecayTotal[conversion] = total
    const amountMinor = chunk.conversionAmountMinor[conversion]!
    splitEvenlyInto(amountMinor, count, credits.linearMinor, at)
    splitInto(amountMinor, weights, at, count, total, credits.timeDecayMinor, at)
  }
}

/** Touches searched linearly, enough for the usual journey, before a binary search of the rest. */
const LINEAR_SEARCH_LIMIT = 8

/** First index in the ordered range whose time is not before `time`. */
function firstSince(times: Float64Array, from: number, to: number, time: number): number {
  const linearEnd = Math.min(to, from + LINEAR_SEARCH_LIMIT)
  while (from < linearEnd && times[from]! < time) from += 1
  if (from < linearEnd) return from
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[middle]! < time) from = middle + 1
    else to = middle
  }
  return from
}

/** First index in the ordered range whose time is after `time`. */
function firstAfter(times: Float64Array, from: number, to: number, time: number): number {
  const linearEnd = Math.max(from, to - LINEAR_SEARCH_LIMIT)
  while (to > linearEnd && times[to - 1]! > time) to -= 1
  if (to > linearEnd) return to
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[middle]! <= time) from = middle + 1
    else to = middle
  }
  return to
}

/** The latest touch of the range; of simultaneous ones the first in order. */
function latest(times: Float64Array, from: number, end: number): number {
  let touch = end - 1
  while (touch > from && times[touch - 1] === times[touch]) touch -= 1
  return touch
}

/** Like `latest` among non-direct touches; if all are direct, among all. */
function latestNonDirect(times: Float64Array, isDirect: Uint8Array, from: number, end: number): number {
  let last = end - 1
  while (last >= from && isDirect[last]) last -= 1
  if (last < from) return latest(times, from, end)
  for (let touch = last; touch >= from && times[touch] === times[last]; touch--) {
    if (!isDirect[touch]) last = touch
  }
  return last
}
