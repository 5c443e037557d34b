/**
 * Changes of one day, level and kind as text, a line per entity: its measures in braces, a space and its name. Hundreds
 * of thousands of them come from one recompute, so they are written as bytes: as strings they took four times as long.
 */

/** A pack is closed at this size: from 2 kB on the database would compress the row, which costs more than storing it. */
const FULL = 1500
const LONGEST_NAME = 128
const MOST_MEASURES = 15
const LONGEST_NUMBER = 17
const ROOM = FULL + LONGEST_NAME + MOST_MEASURES * LONGEST_NUMBER + 4

const [ZERO, MINUS, COMMA, OPEN, CLOSE, SPACE, NEWLINE] = [48, 45, 44, 123, 125, 32, 10] as const
const digits = new Uint8Array(LONGEST_NUMBER)

type Packed = { entity: string; measures: number[]; changes?: string }

export class Pack {
  private readonly bytes = Buffer.allocUnsafe(ROOM)
  private length = 0
  private readonly keep: (packed: Packed) => void
  constructor(keep: (packed: Packed) => void) {
    this.keep = keep
  }

  /** The entity's name in UTF-8, and whole numbers. */
  add(entity: Buffer, measures: readonly number[]): void {
    const { bytes, length } = this
    if (entity.length > LONGEST_NAME || measures.length > MOST_MEASURES) {
      this.addAlone(entity, measures)
      return
    }
    if (length > 0) bytes[this.length++] = NEWLINE
    bytes[this.length++] = OPEN
    for (let at = 0; at < measures.length; at++) {
      if (at > 0) bytes[this.length++] = COMMA
      this.write(measures[at]!)
    }
    bytes[this.length++] = CLOSE
    bytes[this.length++] = SPACE
    for (let at = 0; at < entity.length; at++) {
      if (entity[at] === NEWLINE) {
        this.length = length
        this.addAlone(entity, measures)
        return
      }
      bytes[this.length++] = entity[at]!
    }
    if (this.length >= FULL) this.close()
  }

  close(): void {
    if (this.length > 0)
      this.keep({ entity: '', measures: [], changes: this.bytes.toString('utf8', 0, this.length) })
    this.length = 0
  }

  /** A name that would break the line, or does not fit. */
  private addAlone(entity: Buffer, measures: readonly number[]): void {
    this.keep({ entity: entity.toString(), measures: [...measures] })
  }

  private write(value: number): void {
    const { bytes } = this
    if (value === 0) {
      bytes[this.length++] = ZERO
      return
    }
    if (value < 0) bytes[this.length++] = MINUS
    let rest = Math.abs(value)
    let count = 0
    while (rest > 0) {
      const shorter = Math.floor(rest / 10)
      digits[count++] = ZERO + (rest - shorter * 10)
      rest = shorter
    }
    while (count > 0) bytes[this.length++] = digits[--count]!
  }
}
