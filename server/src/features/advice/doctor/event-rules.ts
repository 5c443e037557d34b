/** Events that stop, have impossible timestamps or are sent by bots. Pure. */
import type { ExampleKind } from './contract.ts'
import type { BotCount, DayCount, SenderRow } from './queries/events.ts'
import { findDrop, wouldNoticeStop } from './stop-rules.ts'
import {
  earliest,
  example,
  finding,
  MAX_EXAMPLES,
  notApplicable,
  ok,
  total,
  type Verdict,
} from './verdict-rules.ts'

/** Rarer names are not read: there may be many of them, and none can be assessed. */
export const MIN_COUNTED = 5
/** Pages are more numerous than names. */
export const MIN_PAGE_VIEWS = 14
type Stopped = { name: string; since: string; missing: number }

const seriesOf = (rows: readonly DayCount[], days: readonly string[]) => {
  const byDay = new Map(rows.map((row) => [row.day, row.events]))
  return days.map((day) => byDay.get(day) ?? 0)
}

const byName = (counts: readonly DayCount[]) => [...Map.groupBy(counts, ({ name }) => name)]

function findDrops(counts: readonly DayCount[], days: readonly string[]): Stopped[] {
  return byName(counts).flatMap(([name, rows]) => {
    const drop = findDrop(seriesOf(rows, days))
    return drop === undefined ? [] : [{ name, since: days.at(-drop.days)!, missing: drop.missing }]
  })
}

/**
 * `days`: complete days, in order. Names with too few or too irregular events are the examples of a check without a
 * finding, which is not applicable if they are all there is.
 */
export function assessDrops(
  kind: ExampleKind,
  counts: readonly DayCount[],
  days: readonly string[],
): Verdict {
  const drops = findDrops(counts, days).sort((a, b) => b.missing - a.missing)
  if (drops.length === 0) {
    const names = byName(counts)
    const unseen = names
      .filter(([, rows]) => !wouldNoticeStop(seriesOf(rows, days)))
      .map(([name, rows]) => ({ name, events: total(rows, ({ events }) => events) }))
      .sort((a, b) => b.events - a.events)
    return {
      ...(unseen.length < names.length ? ok : notApplicable),
      examples: unseen
        .slice(0, MAX_EXAMPLES)
        .map(({ name, events }) =>
          example(kind, name, { count: events, detail: 'a stop would go unnoticed' }),
        ),
    }
  }
  return finding('problem', {
    count: total(drops, ({ missing }) => missing),
    valueMinor: null,
    since: earliest(drops.map(({ since }) => since)),
    examples: drops.map(({ name, since, missing }) =>
      example(kind, name, { count: missing, detail: `since ${since}` }),
    ),
  })
}

/** If all pages stop, the event itself has stopped, which is a separate finding. */
export function assessPages(counts: readonly DayCount[], days: readonly string[]): Verdict {
  const unnamedCounts = counts.map((row) => ({ ...row, name: '' }))
  const sums = [...Map.groupBy(unnamedCounts, ({ day }) => day)].map(([day, rows]) => ({
    name: '',
    day,
    events: total(rows, ({ events }) => events),
  }))
  return findDrops(sums, days).length > 0 ? ok : assessDrops('page', counts, days)
}

export const AHEAD_SECONDS = 120
const FEW_AHEAD = 5
const MIN_AHEAD = 0.01
const FEW_SENT = 20
/** A large, constant delay indicates a wrong clock or time zone, not a real delay. */
const CONSTANT_FROM = 15 * 60
const CONSTANT_WITHIN = 5 * 60

export function assessClocks(senders: readonly SenderRow[], dayOf: (instant: Date) => string): Verdict {
  if (senders.length === 0) return notApplicable
  const isAhead = (row: SenderRow) => row.ahead >= FEW_AHEAD && row.ahead >= row.events * MIN_AHEAD
  const isBehind = (row: SenderRow) =>
    row.events >= FEW_SENT &&
    row.low_delay >= CONSTANT_FROM &&
    row.high_delay - row.low_delay <= CONSTANT_WITHIN
  const affected = senders.filter((row) => isAhead(row) || isBehind(row))
  if (affected.length === 0) return ok
  return finding('problem', {
    count: total(affected, (row) => (isAhead(row) ? row.ahead : row.events)),
    valueMinor: null,
    since: earliest(affected.map(({ since }) => since && dayOf(since))),
    examples: affected.map((row) =>
      example('sender', row.sender, {
        count: isAhead(row) ? row.ahead : row.events,
        detail: isAhead(row)
          ? 'events are dated after their receipt'
          : `every event is dated about ${Math.round(row.low_delay / 60)} minutes before its receipt`,
      }),
    ),
  })
}

const FEW_BOTS = 50
const MIN_BOTS = 0.2

export function assessBots({ events, bots, since }: BotCount, dayOf: (instant: Date) => string): Verdict {
  if (events === 0) return notApplicable
  if (bots < FEW_BOTS || bots < events * MIN_BOTS) return ok
  return finding('warning', {
    count: bots,
    valueMinor: null,
    since: since && dayOf(since),
    examples: [example('sender', 'tracker', { count: bots, detail: `of ${events} browser events` })],
  })
}
