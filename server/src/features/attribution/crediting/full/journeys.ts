/** Touches of converted customers as linked lists: each touch refers to the previous one of its person. */
import { type Allocate, allocateAlone, allocateIntegers } from '../../../../platform/db/copy/column-memory.ts'

/**
 * A block has room for about eight touches per person, so a profile needs two or three blocks. V8 starts a garbage
 * collection after some ten megabytes of new buffers; pages of a block take memory only once they are written.
 */
const TOUCHES_EXPECTED = 8
const FEWEST_BITS = 12
const MAX_BITS = 22
/** A touch: its time (8 bytes), its source and the previous touch (4 bytes each). */
const INTEGERS = 4
const DOUBLES = 2

/** Longer journeys are sorted with the built-in sort instead of insertion sort. */
const LONG = 64
/** Touches per person that `prefetch` visits. */
const PREFETCHED = 16

export class Journeys {
  private readonly last: Int32Array
  private readonly times: Float64Array[] = []
  private readonly numbers: Int32Array[] = []
  private length = 0
  private pending = new Int32Array(1024)
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
   * Loads the touches of many people into the CPU caches, all lists in parallel. Following one person's list alone would
   * wait for memory at every touch.
   */
  prefetch(people: Int32Array, count: number): void {
    const { numbers, blockBits, mask } = this
    if (this.pending.length < count) this.pending = new Int32Array(count)
    let live = 0
    for (let index = 0; index < count; index++) live = this.pushPending(live, this.last[people[index]!]!)
    for (let round = 0; round < PREFETCHED && live > 0; round++) {
      const pendingCount = live
      live = 0
      for (let index = 0; index < pendingCount; index++) {
        const touch = this.pending[index]!
        live = this.pushPending(live, numbers[touch >> blockBits]![(touch & mask) * INTEGERS + 3]!)
      }
    }
  }

  private pushPending(live: number, touch: number): number {
    if (touch < 0) return live
    this.pending[live] = touch
    return live + 1
  }

  /** Fills `into` with the person's touches by time. Returns true if two of them have the same time. */
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
  /** Source number of each touch. */
  source = new Int32Array(64)

  reserve(length: number): void {
    if (length <= this.at.length) return
    const [at, source] = [new Float64Array(length * 2), new Int32Array(length * 2)]
    at.set(this.at)
    source.set(this.source)
    this.at = at
    this.source = source
  }

  /** Stable sort by time. The linked list yields the latest arrival first, so the columns are reversed before. */
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
      let slot = index
      for (; slot > 0 && at[slot - 1]! > time; slot--) {
        at[slot] = at[slot - 1]!
        source[slot] = source[slot - 1]!
      }
      at[slot] = time
      source[slot] = name
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
