import { allocateAlone, allocateIntegers } from './column-memory.ts'

/**
 * Assigns numbers to UUIDs in order of first use. A hash table with open addressing; each UUID is four 32-bit
 * words.
 */
export class UuidTable {
  size = 0
  /** Four words per number, the first ones highest; replaced when the table grows. */
  words: Int32Array
  private slots: Int32Array
  private last = -1

  /** Presized for `expected` UUIDs, because growing copies the whole table. */
  constructor(expected = 0, allocate = allocateAlone) {
    const capacity = capacityFor(expected)
    this.words = allocateIntegers(allocate, capacity * 4)
    this.slots = allocateIntegers(allocate, slotsFor(capacity))
  }

  /** Size in bytes of a table for `expected` UUIDs. */
  static bytes(expected: number): number {
    const capacity = capacityFor(expected)
    return (capacity * 4 + slotsFor(capacity)) * 4
  }

  /** Number of UUIDs before it must grow. */
  get capacity(): number {
    return this.words.length / 4
  }

  /** The number of the UUID at `at`; a new one is added, unless `add` is false, then -1. */
  numberOf(view: DataView, at: number, add = true): number {
    const a = view.getInt32(at)
    const b = view.getInt32(at + 4)
    const c = view.getInt32(at + 8)
    const d = view.getInt32(at + 12)
    // Rows of one person are often adjacent.
    if (this.last >= 0 && this.isAt(this.last, a, b, c, d)) return this.last
    const mask = this.slots.length - 1
    for (let slot = hashOf(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - 1
      if (number < 0) return add ? this.add(slot, a, b, c, d) : -1
      if (!this.isAt(number, a, b, c, d)) continue
      this.last = number
      return number
    }
  }

  /** The same for a UUID in text. */
  numberOfText(uuid: string, add = true): number {
    const hex = uuid.replaceAll('-', '')
    const view = new DataView(new ArrayBuffer(16))
    for (let word = 0; word < 4; word++)
      view.setUint32(word * 4, Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16))
    return this.numberOf(view, 0, add)
  }

  /** The number of the UUID of these words, or -1. */
  find(a: number, b: number, c: number, d: number): number {
    if (this.last >= 0 && this.isAt(this.last, a, b, c, d)) return this.last
    const mask = this.slots.length - 1
    for (let slot = hashOf(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - 1
      if (number >= 0 && !this.isAt(number, a, b, c, d)) continue
      this.last = number
      return number
    }
  }

  /** The partition of the UUID, for a number of partitions that is a power of two. */
  partOf(a: number, b: number, c: number, d: number, parts: number): number {
    const { length } = this.slots
    return Math.floor(((hashOf(a, b, c, d) & (length - 1)) * parts) / length)
  }

  textAt(number: number): string {
    return uuidText(this.words, number)
  }

  private isAt(number: number, a: number, b: number, c: number, d: number): boolean {
    const { words } = this
    const at = number * 4
    return words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d
  }

  private add(slot: number, a: number, b: number, c: number, d: number): number {
    const number = this.size++
    const at = number * 4
    if (at === this.words.length) {
      const words = new Int32Array(at * 2)
      words.set(this.words)
      this.words = words
    }
    this.words[at] = a
    this.words[at + 1] = b
    this.words[at + 2] = c
    this.words[at + 3] = d
    this.slots[slot] = number + 1
    this.last = number
    if (this.size * 2 > this.slots.length) this.rehash()
    return number
  }

  private rehash(): void {
    const { words } = this
    const slots = new Int32Array(this.slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      const at = number * 4
      let slot = hashOf(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.slots = slots
  }
}

/** A list of UUIDs, for those that are never looked up. */
export class UuidList {
  size = 0
  words: Int32Array
  constructor(expected = 1024, allocate = allocateAlone) {
    this.words = allocateIntegers(allocate, Math.max(1024, expected) * 4)
  }
  push(view: DataView, at: number): number {
    const number = this.size++
    if (number * 4 === this.words.length) {
      const words = new Int32Array(this.words.length * 2)
      words.set(this.words)
      this.words = words
    }
    for (let word = 0; word < 4; word++) this.words[number * 4 + word] = view.getInt32(at + word * 4)
    return number
  }
  textAt(number: number): string {
    return uuidText(this.words, number)
  }
}

function capacityFor(expected: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1024, expected)))
}

function slotsFor(capacity: number): number {
  return Math.max(4096, capacity * 2)
}

export function uuidText(words: Int32Array, number: number): string {
  let hex = ''
  for (let at = number * 4; at < number * 4 + 4; at++) hex += (words[at]! >>> 0).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function hashOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ Math.imul(c ^ Math.imul(d, 0x9e3779b1), 0xc2b2ae35), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
