/** A hash table of rollup rows in typed arrays: several hundred thousand rows without an object each. */
import { MEASURE_COUNT } from '@whence/engine'
import {
  allocateDoubles,
  allocateIntegers,
  ColumnMemory,
} from '../../../../platform/db/copy/column-memory.ts'

/** Numbers per row, in the order of the tables' columns. */
export const MEASURES = MEASURE_COUNT

const KINDS = 256
const ENTITIES = 2 ** 21
/** Offset that makes days before 1970 positive. */
const FIRST_DAY = 2 ** 20
const DAYS = 2 ** 21

export type RollupKey = { level: number; day: number; entity: number; kind: number }

/** Packs a key into one number. It sorts like the tables' primary key if entities are numbered in id order. */
export function toKey(level: number, day: number, entity: number, kind: number): number {
  if (entity >= ENTITIES) throw new RangeError('too many ads for one recompute')
  return ((level * DAYS + day + FIRST_DAY) * ENTITIES + entity) * KINDS + kind
}

export function fromKey(key: number): RollupKey {
  const withoutKind = Math.floor(key / KINDS)
  const levelAndDay = Math.floor(withoutKind / ENTITIES)
  return {
    level: Math.floor(levelAndDay / DAYS),
    day: (levelAndDay % DAYS) - FIRST_DAY,
    entity: withoutKind % ENTITIES,
    kind: key % KINDS,
  }
}

export class RollupTable {
  size = 0
  keys!: Float64Array
  measures!: Float64Array
  private slots!: Int32Array
  private memory!: ColumnMemory

  /** Pass the expected number of rows: growing rehashes the table. */
  constructor(expected = 0) {
    this.allocate(Math.max(1024, expected))
  }

  release(): void {
    this.memory.release()
  }

  add(key: number, measures: Float64Array): void {
    let row = this.find(key)
    if (row < 0) row = this.insert(key)
    const at = row * MEASURES
    for (let index = 0; index < MEASURES; index++) this.measures[at + index]! += measures[index]!
  }

  /** Index of the key's row, or -1. */
  find(key: number): number {
    const mask = this.slots.length - 1
    for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
      const row = this.slots[slot]!
      if (row < 0 || this.keys[row] === key) return row
    }
  }

  isZero(row: number): boolean {
    for (let at = row * MEASURES; at < (row + 1) * MEASURES; at++) if (this.measures[at] !== 0) return false
    return true
  }

  private insert(key: number): number {
    const row = this.size++
    if (row === this.keys.length) this.grow()
    this.keys[row] = key
    this.place(row)
    return row
  }

  private place(row: number): void {
    const mask = this.slots.length - 1
    let slot = hashOf(this.keys[row]!) & mask
    while (this.slots[slot]! >= 0) slot = (slot + 1) & mask
    this.slots[slot] = row
  }

  private grow(): void {
    const { keys, measures, memory } = this
    this.allocate(keys.length * 2)
    this.keys.set(keys)
    this.measures.set(measures)
    for (let row = 0; row < this.size - 1; row++) this.place(row)
    memory.release()
  }

  private allocate(rows: number): void {
    const slots = 2 ** Math.ceil(Math.log2(rows * 2))
    this.memory = new ColumnMemory(8 * rows * (1 + MEASURES) + 4 * slots)
    const { allocate } = this.memory
    this.keys = allocateDoubles(allocate, rows)
    this.measures = allocateDoubles(allocate, rows * MEASURES)
    this.slots = allocateIntegers(allocate, slots).fill(-1)
  }
}

function hashOf(key: number): number {
  const high = Math.floor(key / 4_294_967_296)
  let hash = Math.imul((key - high * 4_294_967_296) | 0, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}
