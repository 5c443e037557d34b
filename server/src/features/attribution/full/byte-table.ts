/** Numbers byte strings in the order of their first use: open addressing over one arena, without a string per key. */
export class ByteTable {
  size = 0
  private slots: Int32Array
  private hashes = new Int32Array(1024)
  private starts = new Int32Array(1025)
  private arena: Buffer

  constructor(expected = 1024) {
    this.slots = new Int32Array(powerOfTwo(expected * 2)).fill(-1)
    this.arena = Buffer.allocUnsafe(Math.max(1024, expected * 16))
  }

  /** The key's number; a new key is added, unless `add` is false, then -1. */
  numberOf(bytes: Buffer, from: number, to: number, add = true): number {
    const hash = hashOf(bytes, from, to)
    const mask = this.slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.slots[slot]!
      if (known < 0) return add ? this.add(slot, hash, bytes, from, to) : -1
      if (this.hashes[known] === hash && this.isEqual(known, bytes, from, to)) return known
    }
  }

  startOf(number: number): number {
    return this.starts[number]!
  }
  endOf(number: number): number {
    return this.starts[number + 1]!
  }
  /** All keys one after another; replaced when the table grows. */
  get keys(): Buffer {
    return this.arena
  }

  /** A key that was fields of a row, each with its length before it, -1 for null. */
  textsAt(number: number): (string | null)[] {
    const texts: (string | null)[] = []
    for (let at = this.startOf(number); at < this.endOf(number); ) {
      const size = this.arena.readInt32BE(at)
      at += 4
      texts.push(size < 0 ? null : this.arena.toString('utf8', at, at + size))
      at += Math.max(0, size)
    }
    return texts
  }

  private isEqual(known: number, bytes: Buffer, from: number, to: number): boolean {
    const start = this.starts[known]!
    const length = to - from
    if (this.starts[known + 1]! - start !== length) return false
    const { arena } = this
    for (let index = 0; index < length; index++)
      if (arena[start + index] !== bytes[from + index]) return false
    return true
  }

  private add(slot: number, hash: number, bytes: Buffer, from: number, to: number): number {
    const number = this.size++
    if (number === this.hashes.length) {
      this.hashes = grown(this.hashes, number * 2)
      this.starts = grown(this.starts, number * 2 + 1)
    }
    const start = this.starts[number]!
    const end = start + to - from
    if (end > this.arena.length) {
      const arena = Buffer.allocUnsafe(Math.max(end, this.arena.length * 2))
      this.arena.copy(arena, 0, 0, start)
      this.arena = arena
    }
    bytes.copy(this.arena, start, from, to)
    this.hashes[number] = hash
    this.starts[number + 1] = end
    this.slots[slot] = number
    if (this.size * 2 > this.slots.length) this.rehash()
    return number
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes[number]! & mask
      while (slots[slot]! >= 0) slot = (slot + 1) & mask
      slots[slot] = number
    }
    this.slots = slots
  }
}

function grown(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(column)
  return larger
}

function powerOfTwo(least: number): number {
  let size = 1024
  while (size < least) size *= 2
  return size
}

function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5
  let at = from
  for (; at + 4 <= to; at += 4) hash = Math.imul(hash ^ bytes.readInt32LE(at), 0x9e3779b1) ^ (hash >>> 15)
  for (; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
