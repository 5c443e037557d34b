/** Bytes of a Parquet page, in memory that is used again for the next page. */
const ID_BYTES = 16
/** A run of equal numbers is written as one from this length on. */
const MIN_RUN = 16
const TWO_32 = 4_294_967_296

export class Bytes {
  private buffer = Buffer.allocUnsafe(1 << 16)
  private length = 0

  clear(): void {
    this.length = 0
  }

  /** What was written, until the next `clear`. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + count))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  int32(value: number): void {
    this.reserve(4)
    this.length = this.buffer.writeInt32LE(value, this.length)
  }

  int64(value: number): void {
    this.reserve(8)
    this.buffer.writeInt32LE(value | 0, this.length)
    this.length = this.buffer.writeInt32LE(Math.floor(value / TWO_32), this.length + 4)
  }

  text(value: string): void {
    // At most three bytes for each unit of UTF-16.
    this.reserve(4 + value.length * 3)
    const size = this.buffer.write(value, this.length + 4, 'utf8')
    this.buffer.writeUInt32LE(size, this.length)
    this.length += 4 + size
  }

  /** A character is a byte. */
  uuid(value: string): void {
    this.reserve(ID_BYTES)
    this.length += this.buffer.write(value, this.length, 'latin1')
  }

  bits(values: ArrayLike<string | number>): void {
    this.reserve(Math.ceil(values.length / 8))
    for (let index = 0; index < values.length; index += 8) {
      let packed = 0
      for (let bit = 0; bit < 8; bit++) if (values[index + bit] === 1) packed |= 1 << bit
      this.buffer[this.length++] = packed
    }
  }

  private varint(value: number): void {
    let left = value
    while (left > 127) {
      this.byte((left & 127) | 128)
      left >>>= 7
    }
    this.byte(left)
  }

  /** The hybrid of runs and packed numbers by which Parquet stores levels and places in a dictionary. */
  runs(values: Int32Array, count: number, width: number): void {
    let packedFrom = 0
    for (let at = 0; at < count; ) {
      let end = at + 1
      while (end < count && values[end] === values[at]) end += 1
      // Packed numbers before a run come in groups of eight.
      const missing = (8 - ((at - packedFrom) % 8)) % 8
      if (end - at - missing >= MIN_RUN) {
        this.packed(values, packedFrom, at + missing, width)
        this.varint((end - at - missing) << 1)
        for (let shift = 0; shift < width; shift += 8) this.byte((values[at]! >>> shift) & 255)
        packedFrom = end
      }
      at = end
    }
    this.packed(values, packedFrom, count, width)
  }

  private packed(values: Int32Array, from: number, to: number, width: number): void {
    if (from === to) return
    const groups = Math.ceil((to - from) / 8)
    this.varint((groups << 1) | 1)
    this.reserve(groups * width)
    let pending = 0
    let bits = 0
    for (let index = from; index < from + groups * 8; index++) {
      pending |= (index < to ? values[index]! : 0) << bits
      bits += width
      while (bits >= 8) {
        this.buffer[this.length++] = pending & 255
        pending >>>= 8
        bits -= 8
      }
    }
  }
}
