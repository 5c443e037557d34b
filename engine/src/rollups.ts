/** Counts and money per (level, entity, day, outcome type), wide by model, kept day by day. */
import type { Chunk } from './chunk.ts'
import type { Credits } from './credits.ts'
import { COUNTS, DayRollup, LEVEL_COUNT, OPENS, ROW_WIDTH, RowIndex, rowKey } from './day-rollup.ts'
import { MODEL_COUNT, NO_ENTITY } from './models.ts'

export type RollupRow = {
  /** Index in `levels`. */
  level: number
  entity: number
  day: number
  outcomeType: number
  /** Both in the order of `models`. */
  counts: number[]
  valueMinor: number[]
}

/** What of a conversion is added: itself (counted), or a refund of it (money only, on its own day). */
export type Part = {
  conversion: number
  day: number
  amountMinor: number
  counted: boolean
  /** Money per credit; `shift` leads from a credit's place to its amount's. */
  linearMinor: Float64Array
  timeDecayMinor: Float64Array
  shift: number
}

const MAX_OUTCOME_TYPES = 256
const MAX_DAY = 2 ** 20
const ALL_MODELS = (1 << MODEL_COUNT) - 1

export function checkKey(day: number, outcomeType: number): void {
  if (!(Number.isInteger(day) && Math.abs(day) < MAX_DAY)) throw new RangeError(`day ${day} is out of range`)
  if (!(Number.isInteger(outcomeType) && outcomeType >= 0 && outcomeType < MAX_OUTCOME_TYPES)) {
    throw new RangeError(`outcome type ${outcomeType} is out of range`)
  }
}

export class Rollups {
  private days = new Map<number, DayRollup>()
  private readonly index = new RowIndex()

  /** Empties it, for a caller that writes rows out while the stream goes on. */
  reset(): void {
    this.days = new Map()
  }

  add(chunk: Chunk, credits: Credits, part: Part): void {
    const { conversion, amountMinor, linearMinor, timeDecayMinor, shift } = part
    const start = credits.start[conversion]!
    const end = credits.start[conversion + 1]!
    const day = this.dayRollup(part.day, chunk.conversionOutcomeType[conversion]!)
    day.makeRoom(end - start + 1, this.index)
    const { bufferedKeys, bits, money } = day
    const { touchCampaign, touchAdSet, touchAd } = chunk
    let opening = part.counted ? OPENS | COUNTS : OPENS
    let at = day.buffered
    let uncredited = ALL_MODELS
    for (let credit = start; credit < end; credit++) {
      const touch = credits.touch[credit]!
      const models = credits.models[credit]!
      bufferedKeys[at * LEVEL_COUNT] = rowKey(touchCampaign[touch]!, 0)
      bufferedKeys[at * LEVEL_COUNT + 1] = rowKey(touchAdSet[touch]!, 1)
      bufferedKeys[at * LEVEL_COUNT + 2] = rowKey(touchAd[touch]!, 2)
      bits[at] = models | opening
      money[at * 3] = linearMinor[credit + shift]!
      money[at * 3 + 1] = timeDecayMinor[credit + shift]!
      money[at * 3 + 2] = amountMinor
      uncredited &= ~models
      opening = 0
      at += 1
    }
    if (uncredited !== 0) {
      for (let level = 0; level < LEVEL_COUNT; level++) {
        bufferedKeys[at * LEVEL_COUNT + level] = rowKey(NO_ENTITY, level)
      }
      bits[at] = uncredited | opening
      money.fill(amountMinor, at * 3, at * 3 + 3)
      at += 1
    }
    day.buffered = at
  }

  /** Rows by day and outcome type in order of first use. A sum past the safe integers throws: it is not exact. */
  *rows(): Generator<RollupRow> {
    for (const day of this.days.values()) {
      day.addUp(this.index)
      for (let row = 0; row < day.size; row++) {
        const key = day.keys[row]!
        const numbers = Array.from(day.numbers.subarray(row * ROW_WIDTH, (row + 1) * ROW_WIDTH))
        if (!numbers.every(Number.isSafeInteger))
          throw new RangeError('a rollup sum is past the safe integers')
        yield {
          level: key % LEVEL_COUNT,
          entity: Math.floor(key / LEVEL_COUNT) - 1,
          day: day.day,
          outcomeType: day.outcomeType,
          counts: numbers.slice(0, MODEL_COUNT),
          valueMinor: numbers.slice(MODEL_COUNT),
        }
      }
    }
  }

  private dayRollup(day: number, outcomeType: number): DayRollup {
    const key = day * MAX_OUTCOME_TYPES + outcomeType
    let found = this.days.get(key)
    if (!found) {
      found = new DayRollup(day, outcomeType)
      this.days.set(key, found)
    }
    return found
  }
}
