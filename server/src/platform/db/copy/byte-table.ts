/**
 * Assigns numbers to byte strings in order of first use. A hash table with open addressing over one arena, without
 * a string per key.
 */
export class ByteTable {
  size = 0
  private slots: Int32Array
  private hashes = new Int32Array(1024)
  private starts = new Int32Array(1025)
  private arena: Buffer
  private view: DataView

  constructor(expected = 1024) {
    this.slots = new Int32Array(powerOfTwo(expected * 2)).fill(-1)
    this.arena = Buffer.allocUnsafeSlow(Math.max(1024, expected * 16))
    this.view = viewOf(this.arena)
  }

  /** The number of the key in `bytes` from `from` to `to`; a new key is added, unless `add` is false, then -1. */
  numberOf(bytes: DataView, from: number, to: number, add = true): number {
    const hash = hashOf(bytes, from, to)
    const mask = this.slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]!
      if (number < 0) return add ? this.add(slot, hash, bytes, from, to) : -1
      if (this.hashes[number] === hash && this.isEqual(number, bytes, from, to)) return number
    }
  }

  /** The bytes of a key. */
  keyAt(number: number): Buffer {
    return this.arena.subarray(this.starts[number]!, this.starts[number + 1]!)
  }

  /** Decodes a key that consists of fields of a row, each prefixed with its length, -1 for null. */
  textsAt(number: number): (string | null)[] {
    const key = this.keyAt(number)
    const texts: (string | null)[] = []
    for (let at = 0; at < key.length; ) {
      const size = key.readInt32BE(at)
      at += 4
      texts.push(size < 0 ? null : key.toString('utf8', at, at + size))
      at += Math.max(0, size)
    }
    return texts
  }

  private isEqual(number: number, bytes: DataView, from: number, to: number): boolean {
    const start = this.starts[number]!
    if (this.starts[number + 1]! - start !== to - from) return false
    const { view } = this
    let [at, storedAt] = [from, start]
    for (; at + 4 <= to; at += 4, storedAt += 4)
      if (bytes.getInt32(at) !== view.getInt32(storedAt)) return false
    for (; at < to; at++, storedAt++) if (bytes.getUint8(at) !== view.getUint8(storedAt)) return false
    return true
  }

  private add(slot: number, hash: number, bytes: DataView, from: number, to: number): number {
    const number = this.size++
    if (number === this.hashes.length) {
      this.hashes = grown(this.hashes, number * 2)
      this.starts = grown(this.starts, number * 2 + 1)
    }
    const start = this.starts[number]!
    const end = start + to - from
    if (end > this.arena.length) {
      const arena = Buffer.allocUnsafeSlow(Math.max(end, this.arena.length * 2))
      this.arena.copy(arena, 0, 0, start)
      this.arena = arena
      this.view = viewOf(arena)
    }
    for (let at = from; at < to; at++) this.arena[start + at - from] = bytes.getUint8(at)
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

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
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

export function hashOf(bytes: DataView, from: number, to: number): number {
  let hash = 0x811c9dc5
  let at = from
  for (; at + 4 <= to; at += 4) hash = Math.imul(hash ^ bytes.getInt32(at), 0x9e3779b1) ^ (hash >>> 15)
  for (; at < to; at++) hash = Math.imul(hash ^ bytes.getUint8(at), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
