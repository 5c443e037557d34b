/**
 * Dictionaries of a column's values. Each value gets a number in the order of its first use, without an object of its
 * own. A table is used again for the next file: a slot below `base` is of an earlier one, so clearing costs nothing.
 */
import { hashOf } from '../../../platform/db/copy/byte-table.ts'
import { Bytes } from './bytes.ts'

/** Numbers below it, most of all, are found by their place. */
const SMALL = 4096
const MAX_BASE = 2 ** 30
const FIRST_SLOTS = 1024

/** Slots of open addressing, for numbers that count from `base`. */
class Slots {
  size = 0
  protected slots = new Int32Array(FIRST_SLOTS)
  protected base = 1

  clear(): void {
    this.base += this.size
    this.size = 0
    if (this.base < MAX_BASE) return
    this.slots.fill(0)
    this.base = 1
  }

  protected grow(hashAt: (number: number) => number): void {
    const slots = new Int32Array(this.slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = hashAt(number) & mask
      while (slots[slot]! >= this.base) slot = (slot + 1) & mask
      slots[slot] = this.base + number
    }
    this.slots = slots
  }
}

export class NumberTable extends Slots {
  values = new Float64Array(FIRST_SLOTS)
  private readonly small = new Int32Array(SMALL)

  override clear(): void {
    super.clear()
    if (this.base === 1) this.small.fill(0)
  }

  numberOf(value: number): number {
    if (value >= 0 && value < SMALL) {
      const known = this.small[value]! - this.base
      if (known >= 0) return known
      this.small[value] = this.base + this.size
      return this.add(value)
    }
    const mask = this.slots.length - 1
    for (let slot = hashOfNumber(value) & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - this.base
      if (number >= 0 && this.values[number] === value) return number
      if (number >= 0) continue
      this.slots[slot] = this.base + this.size
      return this.add(value)
    }
  }

  private add(value: number): number {
    if (this.size === this.values.length) {
      const larger = new Float64Array(this.size * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size] = value
    this.size += 1
    if (this.size * 2 > this.slots.length) this.grow((number) => hashOfNumber(this.values[number]!))
    return this.size - 1
  }
}

function hashOfNumber(value: number): number {
  const hash = Math.imul((value | 0) ^ Math.imul(Math.floor(value / 2 ** 32), 0x85ebca6b), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** Byte strings, which are kept as Parquet stores a dictionary. */
export class BytesTable extends Slots {
  /** Each with its length before it, unless all have the same. */
  readonly page = new Bytes()
  private readonly hasLengths: boolean
  private readonly isLeftOut: (view: DataView, from: number, to: number) => boolean
  private hashes = new Int32Array(FIRST_SLOTS)
  private starts = new Int32Array(FIRST_SLOTS)
  private ends = new Int32Array(FIRST_SLOTS)

  constructor(hasLengths: boolean, isLeftOut: (view: DataView, from: number, to: number) => boolean) {
    super()
    this.hasLengths = hasLengths
    this.isLeftOut = isLeftOut
  }

  override clear(): void {
    super.clear()
    this.page.clear()
  }

  /** -1 if it is left out. */
  numberOf(view: DataView, from: number, to: number): number {
    const hash = hashOf(view, from, to)
    const mask = this.slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - this.base
      if (number < 0) return this.isLeftOut(view, from, to) ? -1 : this.add(slot, hash, view, from, to)
      if (this.hashes[number] === hash && this.isEqual(number, view, from, to)) return number
    }
  }

  /** Appends a value as it is stored. */
  copyTo(page: Bytes, number: number): void {
    const from = this.hasLengths ? this.starts[number]! - 4 : this.starts[number]!
    page.raw(this.page.view, from, this.ends[number]!)
  }

  private isEqual(number: number, view: DataView, from: number, to: number): boolean {
    const start = this.starts[number]!
    if (this.ends[number]! - start !== to - from) return false
    const own = this.page.view
    let [at, ownAt] = [from, start]
    for (; at + 4 <= to; at += 4, ownAt += 4) if (view.getInt32(at) !== own.getInt32(ownAt)) return false
    for (; at < to; at++, ownAt++) if (view.getUint8(at) !== own.getUint8(ownAt)) return false
    return true
  }

  private add(slot: number, hash: number, view: DataView, from: number, to: number): number {
    const number = this.size
    if (number === this.hashes.length) {
      this.hashes = doubled(this.hashes)
      this.starts = doubled(this.starts)
      this.ends = doubled(this.ends)
    }
    if (this.hasLengths) this.page.int32(to - from)
    this.starts[number] = this.page.length
    this.page.raw(view, from, to)
    this.ends[number] = this.page.length
    this.hashes[number] = hash
    this.slots[slot] = this.base + number
    this.size += 1
    if (this.size * 2 > this.slots.length) this.grow((known) => this.hashes[known]!)
    return number
  }
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2)
  larger.set(column)
  return larger
}
