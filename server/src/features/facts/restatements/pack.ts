/**
 * Changes of one day, level and kind as text, a line per entity: its measures in braces, a space and its name. Hundreds
 * of thousands of them come from one recompute, so they are written as bytes: as strings they took four times as long.
 */

/** A pack is closed at this size: from 2 kB on the database would compress the row, which costs more than storing it. */
const FULL = 1500
const LONGEST_NAME = 128
const MAX_MEASURES = 15
const LONGEST_NUMBER = 17
/** Most days of a kind have a change or two. */
const FIRST_BYTES = 128

const [ZERO, MINUS, COMMA, OPEN, CLOSE, SPACE, NEWLINE] = [48, 45, 44, 123, 125, 32, 10] as const
const digits = new Uint8Array(LONGEST_NUMBER)
/** The line that is being written; a comma may follow each number. */
const line = Buffer.alloc(LONGEST_NAME + MAX_MEASURES * (LONGEST_NUMBER + 1) + 4)

type Packed = { entity: string; measures: number[]; changes?: string }

export class Pack {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES)
  private length = 0
  private readonly keep: (packed: Packed) => void
  constructor(keep: (packed: Packed) => void) {
    this.keep = keep
  }

  /** The entity's name in UTF-8, and whole numbers. */
  add(entity: Buffer, measures: readonly number[]): void {
    if (entity.length > LONGEST_NAME || measures.length > MAX_MEASURES) {
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

  /** A name that would break the line, or does not fit. */
  private addAlone(entity: Buffer, measures: readonly number[]): void {
    this.keep({ entity: entity.toString(), measures: [...measures] })
  }

  private append(size: number): void {
    const wanted = this.length + size
    if (wanted > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(wanted, 2 * this.bytes.length))
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    this.length += line.copy(this.bytes, this.length, 0, size)
  }
}

/** Returns where the number ends in the line. */
function writeNumber(value: number, start: number): number {
  let end = start
  if (value === 0) line[end++] = ZERO
  if (value < 0) line[end++] = MINUS
  let rest = Math.abs(value)
  let count = 0
  while (rest > 0) {
    const shorter = Math.floor(rest / 10)
    digits[count++] = ZERO + (rest - shorter * 10)
    rest = shorter
  }
  while (count > 0) line[end++] = digits[--count]!
  return end
}
