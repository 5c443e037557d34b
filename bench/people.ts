/** Customers of the big profile: when each converted, and the time and ad of each touch. */

export const ADS = 500
export const ADS_PER_CAMPAIGN = 20
export const DAYS = 300
/** Days that an ad runs; ads start one after another. */
export const AD_DAYS = 60
export const TOUCHES_EACH = 6
/** Number in place of an ad: a direct visit. */
export const DIRECT = -1

const DAY_MS = 86_400_000
const JOURNEY_MS = 35 * DAY_MS
const ONE_IN_DIRECT = 0.25

export type People = {
  count: number
  convertedAt: Float64Array
  /** `TOUCHES_EACH` entries per person, unsorted. */
  touchedAt: Float64Array
  ad: Int16Array
  random: Random
}

/** Fast random generator with a fixed seed. */
export class Random {
  private state = 0x2545f491
  word(): number {
    let x = this.state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.state = x
    return Math.imul(x, 0x9e3779b1)
  }
  unit(): number {
    return (this.word() >>> 0) / 4_294_967_296
  }
}

/** Conversions are in time order, spread evenly over the days. */
export function makePeople(count: number, firstMs: number): People {
  const random = new Random()
  const people: People = {
    count,
    convertedAt: new Float64Array(count),
    touchedAt: new Float64Array(count * TOUCHES_EACH),
    ad: new Int16Array(count * TOUCHES_EACH),
    random,
  }
  const slotMs = (DAYS * DAY_MS) / count
  for (let person = 0; person < count; person++) {
    const at = Math.floor(firstMs + (person + random.unit()) * slotMs)
    people.convertedAt[person] = at
    for (let touch = person * TOUCHES_EACH; touch < (person + 1) * TOUCHES_EACH; touch++) {
      const touchedAt = Math.floor(at - random.unit() * JOURNEY_MS)
      people.touchedAt[touch] = touchedAt
      people.ad[touch] = random.unit() < ONE_IN_DIRECT ? DIRECT : adAt((touchedAt - firstMs) / DAY_MS, random)
    }
  }
  return people
}

/** A random ad of those that run on the day. */
function adAt(day: number, random: Random): number {
  const perDay = ADS / (DAYS - AD_DAYS)
  const last = Math.min(ADS - 1, Math.floor(Math.max(0, day) * perDay))
  const first = Math.min(last, Math.max(0, Math.ceil((day - AD_DAYS) * perDay)))
  return first + Math.floor(random.unit() * (last - first + 1))
}
