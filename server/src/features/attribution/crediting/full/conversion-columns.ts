/**
 * Conversions as records of 32 bytes. They are read in id order, which is random access in memory, so all fields of a
 * conversion are adjacent.
 */
import { type Allocate, allocateAlone } from '../../../../platform/db/copy/column-memory.ts'
import type { FirstPart } from '../credits/rollups.ts'

const BLOCK_BITS = 15
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1
/** Per conversion: two doubles (time, amount), then four integers. */
const DOUBLES = 4
const INTEGERS = 8
const PERSON = 4
const DAY = 5
const GOAL = 6
/** Flags in the low bits, the kind of outcome above them. */
const KIND = 7
const KIND_SHIFT = 6

export const FX_MISSING = 1
export const HAS_REFUNDS = 2
/** Cash that no touch may be credited for. */
export const NOT_ELIGIBLE = 4
/** Opens the customer's first payment, or is its balance. */
export const FIRST_OPENS = 8
export const FIRST_BALANCE = 16
/** The event has no identifier. */
export const UNNAMED = 32

const STATUS_FLAGS = FX_MISSING | FIRST_OPENS | FIRST_BALANCE
/** Greater than any combination of status flags. */
export const STATUSES = 32

export class ConversionColumns {
  private readonly doubles: Float64Array[] = []
  private readonly integers: Int32Array[] = []
  private readonly allocate: Allocate

  constructor(allocate = allocateAlone) {
    this.allocate = allocate
  }

  /** Bytes that `count` conversions take, in whole blocks. */
  static bytes(count: number): number {
    return Math.ceil(count / BLOCK) * BLOCK * INTEGERS * 4
  }

  /** Must be called in the order of `index`. */
  add(
    index: number,
    at: number,
    amountMinor: number,
    person: number,
    day: number,
    kind: number,
    goal: number,
    flags: number,
  ): void {
    const slot = index & MASK
    if (slot === 0) {
      const { buffer, at: begin } = this.allocate(ConversionColumns.bytes(1))
      this.doubles.push(new Float64Array(buffer, begin, BLOCK * DOUBLES))
      this.integers.push(new Int32Array(buffer, begin, BLOCK * INTEGERS))
    }
    const doubles = this.doubles[index >> BLOCK_BITS]!
    const integers = this.integers[index >> BLOCK_BITS]!
    doubles[slot * DOUBLES] = at
    doubles[slot * DOUBLES + 1] = amountMinor
    integers[slot * INTEGERS + PERSON] = person
    integers[slot * INTEGERS + DAY] = day
    integers[slot * INTEGERS + GOAL] = goal
    integers[slot * INTEGERS + KIND] = (kind << KIND_SHIFT) | flags
  }

  at(index: number): number {
    return this.doubles[index >> BLOCK_BITS]![(index & MASK) * DOUBLES]!
  }
  amountMinor(index: number): number {
    return this.doubles[index >> BLOCK_BITS]![(index & MASK) * DOUBLES + 1]!
  }
  person(index: number): number {
    return this.integer(index, PERSON)
  }
  day(index: number): number {
    return this.integer(index, DAY)
  }
  goal(index: number): number {
    return this.integer(index, GOAL)
  }
  kind(index: number): number {
    return this.integer(index, KIND) >> KIND_SHIFT
  }
  isRateMissing(index: number): boolean {
    return (this.integer(index, KIND) & FX_MISSING) !== 0
  }
  hasRefunds(index: number): boolean {
    return (this.integer(index, KIND) & HAS_REFUNDS) !== 0
  }

  isEligible(index: number): boolean {
    return (this.integer(index, KIND) & NOT_ELIGIBLE) === 0
  }

  isUnnamed(index: number): boolean {
    return (this.integer(index, KIND) & UNNAMED) !== 0
  }

  first(index: number): FirstPart {
    const flags = this.integer(index, KIND)
    return (flags & FIRST_OPENS) !== 0 ? 'opens' : (flags & FIRST_BALANCE) !== 0 ? 'balance' : null
  }

  /** Conversions of one kind with equal status flags share a rollup kind and a packed prefix (apart from the day). */
  statusFlags(index: number): number {
    return this.integer(index, KIND) & STATUS_FLAGS
  }

  private integer(index: number, field: number): number {
    return this.integers[index >> BLOCK_BITS]![(index & MASK) * INTEGERS + field]!
  }
}
