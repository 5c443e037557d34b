/**
 * Counts and money per (level, entity, day, outcome type), wide by model.
 * Open addressing over one Int32Array keeps a lookup in one cache line; rows are dense, in order of first use.
 */
import { grown } from './columns.ts'
import { MODEL_COUNT } from './models.ts'

/** Limits of the packed key. */
const MAX_OUTCOME_TYPES = 256
const MAX_DAY = 2 ** 20

/** Numbers per row: the counts of the five models, then their values. */
export const ROW_WIDTH = 2 * MODEL_COUNT
/** Integers per slot: entity, packed key, row + 1 (0 is a free slot), serial of the journey counted here last. */
const SLOT_WIDTH = 4
export const SLOT_ROW = 2
export const SLOT_SERIAL = 3

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

/** Day, outcome type and level in one integer. */
export function packKey(day: number, outcomeType: number, level: number): number {
  return (day << 10) | (outcomeType << 2) | level
}

export class Rollups {
  size = 0
  slots = new Int32Array(1024 * SLOT_WIDTH)
  numbers = new Float64Array(512 * ROW_WIDTH)
  private keys = new Int32Array(512 * 2)
  private mask = 1023

  /** Empties it and keeps the memory, for a caller that writes rows out while the stream goes on. */
  reset(): void {
    this.size = 0
    this.slots.fill(0)
  }

  /** Makes room for `more` new rows, so that `slots` and `numbers` stay where they are while these are added. */
  reserve(more: number): void {
    const rows = this.size + more
    this.keys = grown(this.keys, rows * 2)
    this.numbers = grown(this.numbers, rows * ROW_WIDTH)
    if (rows * 2 > this.mask + 1) this.rehash(rows * 2)
  }

  /** Where the key's slot begins in `slots`; a new key gets a row of zeros. */
  slot(entity: number, packed: number): number {
    const at = this.probe(entity, packed)
    if (this.slots[at + SLOT_ROW] === 0) {
      const row = this.size++
      this.slots[at] = entity
      this.slots[at + 1] = packed
      this.slots[at + SLOT_ROW] = row + 1
      this.keys[row * 2] = entity
      this.keys[row * 2 + 1] = packed
      this.numbers.fill(0, row * ROW_WIDTH, (row + 1) * ROW_WIDTH)
    }
    return at
  }

  /** A sum past the safe integers throws: it could no longer be exact. */
  *rows(): Generator<RollupRow> {
    for (let row = 0; row < this.size; row++) {
      const packed = this.keys[row * 2 + 1]!
      const numbers = Array.from(this.numbers.subarray(row * ROW_WIDTH, (row + 1) * ROW_WIDTH))
      if (!numbers.every(Number.isSafeInteger)) throw new RangeError('a rollup sum is past the safe integers')
      yield {
        level: packed & 3,
        entity: this.keys[row * 2]!,
        day: packed >> 10,
        outcomeType: (packed >> 2) & (MAX_OUTCOME_TYPES - 1),
        counts: numbers.slice(0, MODEL_COUNT),
        valueMinor: numbers.slice(MODEL_COUNT),
      }
    }
  }

  private probe(entity: number, packed: number): number {
    let hash = Math.imul(entity, 0x9e3779b1) ^ Math.imul(packed, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash ^= hash >>> 13
    for (let slot = hash & this.mask; ; slot = (slot + 1) & this.mask) {
      const at = slot * SLOT_WIDTH
      if (this.slots[at + SLOT_ROW] === 0) return at
      if (this.slots[at] === entity && this.slots[at + 1] === packed) return at
    }
  }

  private rehash(atLeast: number): void {
    const old = this.slots
    while (this.mask + 1 < atLeast) this.mask = this.mask * 2 + 1
    this.slots = new Int32Array((this.mask + 1) * SLOT_WIDTH)
    for (let from = 0; from < old.length; from += SLOT_WIDTH) {
      if (old[from + SLOT_ROW] === 0) continue
      const at = this.probe(old[from]!, old[from + 1]!)
      this.slots.set(old.subarray(from, from + SLOT_WIDTH), at)
    }
  }
}

export function checkRollupKey(day: number, outcomeType: number): void {
  if (!(Number.isInteger(day) && Math.abs(day) < MAX_DAY)) throw new RangeError(`day ${day} is out of range`)
  if (!(outcomeType >= 0 && outcomeType < MAX_OUTCOME_TYPES)) {
    throw new RangeError(`outcome type ${outcomeType} is out of range`)
  }
}
