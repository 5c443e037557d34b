/**
 * Encodes changes of one day, level and kind as text, a line per entity: its measures in braces, a space and its name.
 * An entity may have several lines, which readers sum. A recompute can have hundreds of thousands of changes, so they are
 * written as bytes: strings took four times as long.
 */

/** A pack is closed at this size: from 2 kB on the database would compress the row, which costs more than storing it. */
export const FULL = 1500
export const MAX_NAME_LENGTH = 128
const MAX_MEASURES = 15
const MAX_DIGITS = 17
/** Most packs have one or two changes. */
const INITIAL_BYTES = 128

const [ZERO, MINUS, COMMA, OPEN, CLOSE, SPACE, NEWLINE] = [48, 45, 44, 123, 125, 32, 10] as const
const digits = new Uint8Array(MAX_DIGITS)
/** The current line; each number may be followed by a comma. */
const line = Buffer.alloc(MAX_NAME_LENGTH + MAX_MEASURES * (MAX_DIGITS + 1) + 4)

type Packed = { entity: string; measures: number[]; changes?: string }

export class Pack {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES)
  private length = 0
  private readonly keep: (packed: Packed) => void
  constructor(keep: (packed: Packed) => void) {
    this.keep = keep
  }

  /** `entity`: the name in UTF-8. `measures`: integers. */
  add(entity: Buffer, measures: readonly number[]): void {
    if (entity.length > MAX_NAME_LENGTH || measures.length > MAX_MEASURES) {
      this.addAlone(entity, measures)
      return
    }
    let end = 0
    if (this.length > 0) line[end++] = NEWLINE
    line[end++] = OPEN
    for (let at = 0; at < measures.length; at++) {
      if (at > 0) line[end++] = COMMA
      end = writeNumber(measures[at]!, end)
    }
    line[end++] = CLOSE
    line[end++] = SPACE
    for (let at = 0; at < entity.length; at++) {
      if (entity[at] === NEWLINE) {
        this.addAlone(entity, measures)
        return
      }
      line[end++] = entity[at]!
    }
    this.append(end)
    if (this.length >= FULL) this.close()
  }

  close(): void {
    if (this.length > 0)
      this.keep({ entity: '', measures: [], changes: this.bytes.toString('utf8', 0, this.length) })
    this.length = 0
  }

  /** For a name with a line break or one that is too long. */
  private addAlone(entity: Buffer, measures: readonly number[]): void {
    this.keep({ entity: entity.toString(), measures: [...measures] })
  }

  private append(size: number): void {
    const requiredLength = this.length + size
    if (requiredLength > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(requiredLength, 2 * this.bytes.length))
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    this.length += line.copy(this.bytes, this.length, 0, size)
  }
}

/** Writes the number into the line and returns its end. */
function writeNumber(value: number, start: number): number {
  let end = start
  if (value === 0) line[end++] = ZERO
  if (value < 0) line[end++] = MINUS
  let remaining = Math.abs(value)
  let count = 0
  while (remaining > 0) {
    const shorter = Math.floor(remaining / 10)
    digits[count++] = ZERO + (remaining - shorter * 10)
    remaining = shorter
  }
  while (count > 0) line[end++] = digits[--count]!
  return end
}
