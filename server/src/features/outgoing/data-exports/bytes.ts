/** Equal numbers in a row are run-length encoded from this count on. */
const MIN_RUN = 16
const TWO_32 = 4_294_967_296

/** Growing buffer for a Parquet page. `clear` keeps the memory for the next page. */
export class Bytes {
  length = 0
  private buffer = Buffer.allocUnsafeSlow(1 << 13)
  view = viewOf(this.buffer)

  clear(): void {
    this.length = 0
  }

  /** A view of the bytes; valid until the next `clear`. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.length + count))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
    this.view = viewOf(grown)
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value, true)
    this.length += 4
  }

  int64(value: number): void {
    this.reserve(8)
    this.view.setInt32(this.length, value | 0, true)
    this.view.setInt32(this.length + 4, Math.floor(value / TWO_32), true)
    this.length += 8
  }

  raw(source: DataView, from: number, to: number): void {
    this.reserve(to - from)
    const { view } = this
    let at = from
    for (; at + 4 <= to; at += 4, this.length += 4) view.setInt32(this.length, source.getInt32(at))
    for (; at < to; at++, this.length++) view.setUint8(this.length, source.getUint8(at))
  }

  bits(values: Int32Array, count: number): void {
    this.reserve(Math.ceil(count / 8))
    for (let index = 0; index < count; index += 8) {
      let packed = 0
      for (let bit = 0; bit < 8 && index + bit < count; bit++) packed |= values[index + bit]! << bit
      this.buffer[this.length++] = packed
    }
  }

  private varint(value: number): void {
    let remaining = value
    while (remaining > 127) {
      this.byte((remaining & 127) | 128)
      remaining >>>= 7
    }
    this.byte(remaining)
  }

  /** Parquet's RLE/bit-packing hybrid encoding, for definition levels and dictionary indexes. */
  runs(values: Int32Array, count: number, width: number): void {
    let packedFrom = 0
    for (let at = 0; at < count; ) {
      let end = at + 1
      while (end < count && values[end] === values[at]) end += 1
      // The bit-packed numbers before a run fill groups of eight.
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

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
