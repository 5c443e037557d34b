/** Aggregates visits into cells for the data-driven model: channels seen so far, and whether a payment followed. Pure. */
import { DAY_MS, MAX_CHANNELS, PERSON_GROUPS, type Transition, type VisitCell } from '@whence/engine'
import { addDays } from '../../../platform/contract/dates.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'

/** Number of days whose payments are credited. */
export const CREDITED_DAYS = 90

export type Window = {
  from: string
  to: string
  start: Date
  end: Date
  lookbackMs: number
  /** Start of the test period, and end of the training period. */
  testStart: number
  trainEnd: number
}

/** Includes one lookback until a visit's outcome is known, and one as a gap between training and test period. */
export function windowOf(today: string, zone: string, lookbackDays: number): Window {
  const from = addDays(today, -(4 * lookbackDays + 60))
  const lookbackMs = lookbackDays * DAY_MS
  const [start, end] = [dayBounds(from, zone).start, dayBounds(today, zone).start]
  const compared = end.getTime() - start.getTime() - 2 * lookbackMs
  const trainEnd = start.getTime() + Math.floor((compared * 2) / 3)
  return {
    from,
    to: addDays(today, -1),
    start,
    end,
    lookbackMs,
    trainEnd,
    testStart: trainEnd + lookbackMs,
  }
}

const periods: readonly VisitCell['period'][] = ['train', 'gap', 'test']

/** Input must be ordered by person and time. A journey ends with a payment or after one lookback without a visit. */
export class VisitCounter {
  readonly cells = new Map<number, VisitCell>()
  readonly transitions = new Map<number, Transition>()
  private readonly window: Window
  private person = ''
  private set = 0
  private visitedAt = Number.NEGATIVE_INFINITY
  private latest: VisitCell | undefined
  private lastChannel = 0
  private hasPaid = false
  constructor(window: Window) {
    this.window = window
  }

  visit(person: string, group: number, at: number, channel: number): void {
    this.begin(person, at)
    if (this.set !== 0) this.addTransition(group, at, channel)
    this.set |= 1 << channel
    this.lastChannel = channel
    this.visitedAt = at
    this.latest = this.isKnown(at) ? this.cellOf(group, at, channel) : undefined
    if (this.latest !== undefined) this.latest.visits += 1
  }

  payment(person: string, at: number): void {
    this.begin(person, at)
    if (this.latest !== undefined) this.latest.conversions += 1
    this.set = 0
    this.latest = undefined
    this.hasPaid = true
  }

  private begin(person: string, at: number): void {
    if (person === this.person && at - this.visitedAt <= this.window.lookbackMs) return
    if (person !== this.person) this.hasPaid = false
    this.person = person
    this.set = 0
    this.latest = undefined
  }

  /** The outcome of a visit is known after one lookback. */
  private isKnown(at: number): boolean {
    return at < this.window.end.getTime() - this.window.lookbackMs
  }

  private periodAt(at: number): VisitCell['period'] {
    const { trainEnd, testStart } = this.window
    return at < trainEnd ? 'train' : at < testStart ? 'gap' : 'test'
  }

  private addTransition(group: number, at: number, to: number): void {
    const { lastChannel: from, hasPaid } = this
    const period = this.periodAt(at)
    const key =
      (((from * MAX_CHANNELS + to) * PERSON_GROUPS + group) * 3 + periods.indexOf(period)) * 2 +
      Number(hasPaid)
    const transition = this.transitions.get(key) ?? { group, period, from, to, hasPaid, visits: 0 }
    this.transitions.set(key, transition)
    transition.visits += 1
  }

  private cellOf(group: number, at: number, last: number): VisitCell {
    const period = this.periodAt(at)
    const key = ((this.set * MAX_CHANNELS + last) * PERSON_GROUPS + group) * 3 + periods.indexOf(period)
    const cell = this.cells.get(key) ?? { group, period, set: this.set, last, visits: 0, conversions: 0 }
    this.cells.set(key, cell)
    return cell
  }
}

export type LearnedPath = { channels: string[]; last: string; visits: number; payments: number }

/** Summed over people and days, by visits, highest first. */
export function toPaths(cells: Iterable<VisitCell>, channels: readonly string[]): LearnedPath[] {
  const paths = new Map<string, LearnedPath>()
  for (const { set, last, visits, conversions } of cells) {
    const key = `${set} ${last}`
    const path = paths.get(key) ?? {
      channels: channels.filter((_, at) => (set >> at) & 1),
      last: channels[last]!,
      visits: 0,
      payments: 0,
    }
    paths.set(key, path)
    path.visits += visits
    path.payments += conversions
  }
  return [...paths.values()].sort(
    (a, b) =>
      b.visits - a.visits ||
      (a.channels.join() < b.channels.join() ? -1 : a.channels.join() > b.channels.join() ? 1 : 0) ||
      (a.last < b.last ? -1 : 1),
  )
}
