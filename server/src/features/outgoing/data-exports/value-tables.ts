/**
 * Dictionaries of a column's values, without an object per value. Each value gets a code in order of first use. A table
 * is reused for the next file: `clear` raises `base`, and slots below it count as empty, so nothing is overwritten.
 */
import { hashOf } from '../../../platform/db/copy/byte-table.ts'
import { Bytes } from './bytes.ts'

/** Numbers below this, which are most, are looked up by index. */
const SMALL = 4096
const MAX_BASE = 2 ** 30
const FIRST_SLOTS = 1024

/** Hash table with open addressing; a slot contains `base` + code. */
class CodeTable {
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

  protected grow(hashAt: (code: number) => number): void {
    const slots = new Int32Array(this.slots.length * 2)
    const mask = slots.length - 1
    for (let code = 0; code < this.size; code++) {
      let slot = hashAt(code) & mask
      while (slots[slot]! >= this.base) slot = (slot + 1) & mask
      slots[slot] = this.base + code
    }
    this.slots = slots
  }
}

export class NumberTable extends CodeTable {
  values = new Float64Array(FIRST_SLOTS)
  private readonly small = new Int32Array(SMALL)

  override clear(): void {
    super.clear()
    if (this.base === 1) this.small.fill(0)
  }

  getCode(value: number): number {
    if (value >= 0 && value < SMALL) {
      const code = this.small[value]! - this.base
      if (code >= 0) return code
      this.small[value] = this.base + this.size
      return this.add(value)
    }
    const mask = this.slots.length - 1
    for (let slot = hashOfNumber(value) & mask; ; slot = (slot + 1) & mask) {
      const code = this.slots[slot]! - this.base
      if (code >= 0 && this.values[code] === value) return code
      if (code >= 0) continue
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
    if (this.size * 2 > this.slots.length) this.grow((code) => hashOfNumber(this.values[code]!))
    return this.size - 1
  }
}

function hashOfNumber(value: number): number {
  const hash = Math.imul((value | 0) ^ Math.imul(Math.floor(value / 2 ** 32), 0x85ebca6b), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** Dictionary of byte strings, stored in the layout of a Parquet dictionary page. */
export class BytesTable extends CodeTable {
  /** Each value is preceded by its length, unless all have the same length. */
  readonly page = new Bytes()
  private readonly hasLengths: boolean
  private readonly isExcluded: (view: DataView, from: number, to: number) => boolean
  private hashes = new Int32Array(FIRST_SLOTS)
  private starts = new Int32Array(FIRST_SLOTS)
  private ends = new Int32Array(FIRST_SLOTS)

  constructor(hasLengths: boolean, isExcluded: (view: DataView, from: number, to: number) => boolean) {
    super()
    this.hasLengths = hasLengths
    this.isExcluded = isExcluded
  }

  override clear(): void {
    super.clear()
    this.page.clear()
  }

  /** -1 if the value is excluded. */
  getCode(view: DataView, from: number, to: number): number {
    const hash = hashOf(view, from, to)
    const mask = this.slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = this.slots[slot]! - this.base
      if (code < 0) return this.isExcluded(view, from, to) ? -1 : this.add(slot, hash, view, from, to)
      if (this.hashes[code] === hash && this.isEqual(code, view, from, to)) return code
    }
  }

  /** Appends the value, with its length if the table stores lengths. */
  copyTo(page: Bytes, code: number): void {
    const from = this.hasLengths ? this.starts[code]! - 4 : this.starts[code]!
    page.raw(this.page.view, from, this.ends[code]!)
  }

  private isEqual(code: number, view: DataView, from: number, to: number): boolean {
    const start = this.starts[code]!
    if (this.ends[code]! - start !== to - from) return false
    const stored = this.page.view
    let [at, storedAt] = [from, start]
    for (; at + 4 <= to; at += 4, storedAt += 4)
      if (view.getInt32(at) !== stored.getInt32(storedAt)) return false
    for (; at < to; at++, storedAt++) if (view.getUint8(at) !== stored.getUint8(storedAt)) return false
    return true
  }

  private add(slot: number, hash: number, view: DataView, from: number, to: number): number {
    const code = this.size
    if (code === this.hashes.length) {
      this.hashes = doubled(this.hashes)
      this.starts = doubled(this.starts)
      this.ends = doubled(this.ends)
    }
    if (this.hasLengths) this.page.int32(to - from)
    this.starts[code] = this.page.length
    this.page.raw(view, from, to)
    this.ends[code] = this.page.length
    this.hashes[code] = hash
    this.slots[slot] = this.base + code
    this.size += 1
    if (this.size * 2 > this.slots.length) this.grow((existing) => this.hashes[existing]!)
    return code
  }
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2)
  larger.set(column)
  return larger
}
