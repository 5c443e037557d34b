/** Touches of those who converted, as chains: a touch names the one that came before it. No touch is moved. */
const BLOCK_BITS = 16
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1
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

  constructor(people: number) {
    this.last = new Int32Array(people).fill(-1)
  }

  add(person: number, at: number, source: number): void {
    const touch = this.length++
    const index = touch & MASK
    if (index === 0) {
      const bytes = new ArrayBuffer(BLOCK * INTEGERS * 4)
      this.times.push(new Float64Array(bytes))
      this.numbers.push(new Int32Array(bytes))
    }
    const block = touch >> BLOCK_BITS
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
    if (this.ahead.length < count) this.ahead = new Int32Array(count)
    let live = 0
    for (let index = 0; index < count; index++) live = this.keep(live, this.last[people[index]!]!)
    for (let round = 0; round < WARMED && live > 0; round++) {
      const found = live
      live = 0
      for (let index = 0; index < found; index++) {
        const touch = this.ahead[index]!
        live = this.keep(live, this.numbers[touch >> BLOCK_BITS]![(touch & MASK) * INTEGERS + 3]!)
      }
    }
  }

  private keep(live: number, touch: number): number {
    if (touch < 0) return live
    this.ahead[live] = touch
    return live + 1
  }

  /** Fills `into` with the person's touches by time, and tells whether two of them share an instant. */
  read(person: number, into: Journey): boolean {
    let count = 0
    for (let touch = this.last[person]!; touch >= 0; count++) {
      const index = touch & MASK
      const block = touch >> BLOCK_BITS
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
