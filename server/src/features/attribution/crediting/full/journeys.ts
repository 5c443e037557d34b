/** Touches of those who converted, as chains: a touch names the one that came before it. No touch is moved. */
import { type Allocate, allocateAlone, allocateIntegers } from '../../../../platform/db/copy/column-memory.ts'

/**
 * Touches come in blocks of about eight for each person: a profile's are then two or three. V8 looks through its heap
 * whenever some ten megabytes of blocks were made since it last did, and only what is written to takes memory.
 */
const TOUCHES_EXPECTED = 8
const FEWEST_BITS = 12
const MAX_BITS = 22
/** A touch: its time in 8 bytes, what it names and the touch before it in 4 each. */
const INTEGERS = 4
const DOUBLES = 2

/** A journey this long is sorted by halves instead of one by one. */
const LONG = 64
/** So many touches of each person. */
const WARMED = 16

export class Journeys {
  private readonly last: Int32Array
  private readonly times: Float64Array[] = []
  private readonly numbers: Int32Array[] = []
  private length = 0
  private ahead = new Int32Array(1024)
  private readonly blockBits: number
  private readonly mask: number

  private readonly allocate: Allocate

  constructor(people: number, allocate = allocateAlone) {
    this.allocate = allocate
    this.last = allocateIntegers(allocate, people).fill(-1)
    const bits = Math.ceil(Math.log2(people * TOUCHES_EXPECTED + 1))
    this.blockBits = Math.min(MAX_BITS, Math.max(FEWEST_BITS, bits))
    this.mask = (1 << this.blockBits) - 1
  }

  add(person: number, at: number, source: number): void {
    const touch = this.length++
    const index = touch & this.mask
    if (index === 0) {
      const length = this.mask + 1
      const { buffer, at: begin } = this.allocate(length * INTEGERS * 4)
      this.times.push(new Float64Array(buffer, begin, length * DOUBLES))
      this.numbers.push(new Int32Array(buffer, begin, length * INTEGERS))
    }
    const block = touch >> this.blockBits
    this.times[block]![index * DOUBLES] = at
    const numbers = this.numbers[block]!
    numbers[index * INTEGERS + 2] = source
    numbers[index * INTEGERS + 3] = this.last[person]!
    this.last[person] = touch
  }

  /**
   * Goes through the touches of many people side by side, to have them at hand when they are read: one person's touches
   * are found one by the other, so that each would be waited for alone.
   */
  warm(people: Int32Array, count: number): void {
    const { numbers, blockBits, mask } = this
    if (this.ahead.length < count) this.ahead = new Int32Array(count)
    let live = 0
    for (let index = 0; index < count; index++) live = this.keep(live, this.last[people[index]!]!)
    for (let round = 0; round < WARMED && live > 0; round++) {
      const found = live
      live = 0
      for (let index = 0; index < found; index++) {
        const touch = this.ahead[index]!
        live = this.keep(live, numbers[touch >> blockBits]![(touch & mask) * INTEGERS + 3]!)
      }
    }
  }

  private keep(live: number, touch: number): number {
    if (touch < 0) return live
    this.ahead[live] = touch
    return live + 1
  }

  /** Fills `into` with the person's touches by time, and answers whether two of them share an instant. */
  read(person: number, into: Journey): boolean {
    const { blockBits, mask } = this
    let count = 0
    for (let touch = this.last[person]!; touch >= 0; count++) {
      const index = touch & mask
      const block = touch >> blockBits
      const numbers = this.numbers[block]!
      into.reserve(count + 1)
      into.at[count] = this.times[block]![index * DOUBLES]!
      into.source[count] = numbers[index * INTEGERS + 2]!
      touch = numbers[index * INTEGERS + 3]!
    }
    into.count = count
    into.sort()
    for (let index = 1; index < count; index++) if (into.at[index] === into.at[index - 1]) return true
    return false
  }
}

export class Journey {
  count = 0
  at = new Float64Array(64)
  /** Number of what it names. */
  source = new Int32Array(64)

  reserve(length: number): void {
    if (length <= this.at.length) return
    const [at, source] = [new Float64Array(length * 2), new Int32Array(length * 2)]
    at.set(this.at)
    source.set(this.source)
    this.at = at
    this.source = source
  }

  /** By time; the chain gave the latest arrival first. */
  sort(): void {
    const { count, at, source } = this
    at.subarray(0, count).reverse()
    source.subarray(0, count).reverse()
    if (count > LONG) {
      this.sortLong()
      return
    }
    for (let index = 1; index < count; index++) {
      const [time, name] = [at[index]!, source[index]!]
      let place = index
      for (; place > 0 && at[place - 1]! > time; place--) {
        at[place] = at[place - 1]!
        source[place] = source[place - 1]!
      }
      at[place] = time
      source[place] = name
    }
  }

  private sortLong(): void {
    const { count } = this
    const [at, source] = [this.at.slice(0, count), this.source.slice(0, count)]
    const order = Int32Array.from(at, (_, index) => index).sort((a, b) => at[a]! - at[b]! || a - b)
    for (let index = 0; index < count; index++) {
      this.at[index] = at[order[index]!]!
      this.source[index] = source[order[index]!]!
    }
  }
}
