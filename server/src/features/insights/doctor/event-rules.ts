/** Events that stop, have impossible timestamps or are sent by bots. Pure. */
import type { ExampleKind } from './contract.ts'
import type { BotCount, DayCount, SenderRow } from './queries/events.ts'
import { earliest, example, finding, notApplicable, ok, total, type Verdict } from './verdict-rules.ts'

const BASE_DAYS = 14
const MAX_DROP_DAYS = 7
/** Minimum on the weakest base day; smaller numbers may drop by chance. */
const MIN_EVENTS = 10
const REMAINING = 0.4

/** Names with fewer events in the window cannot meet MIN_EVENTS on every base day. */
export const MIN_COUNTED = BASE_DAYS * MIN_EVENTS

type Drop = { name: string; since: string; missing: number }

/**
 * The longest tail of the series, up to a week, whose best day is below two fifths of the weakest of the 14 days before
 * it. Comparing with the weakest day allows for weekends and other low days.
 */
export function findDrop(series: readonly number[]): { days: number; missing: number } | undefined {
  for (let days = Math.min(MAX_DROP_DAYS, series.length - BASE_DAYS); days >= 1; days -= 1) {
    const recent = series.slice(-days)
    const base = series.slice(-days - BASE_DAYS, -days)
    const weakest = Math.min(...base)
    if (weakest < MIN_EVENTS || Math.max(...recent) > weakest * REMAINING) continue
    const usual = Math.round(total(base, (count) => count) / BASE_DAYS)
    return { days, missing: usual * days - total(recent, (count) => count) }
  }
  return undefined
}

function findDrops(counts: readonly DayCount[], days: readonly string[]): Drop[] {
  return [...Map.groupBy(counts, ({ name }) => name)].flatMap(([name, rows]) => {
    const byDay = new Map(rows.map((row) => [row.day, row.events]))
    const drop = findDrop(days.map((day) => byDay.get(day) ?? 0))
    return drop === undefined ? [] : [{ name, since: days.at(-drop.days)!, missing: drop.missing }]
  })
}

/** `days`: complete days, in order. */
export function assessDrops(
  kind: ExampleKind,
  counts: readonly DayCount[],
  days: readonly string[],
): Verdict {
  if (counts.length === 0) return notApplicable
  const drops = findDrops(counts, days).sort((a, b) => b.missing - a.missing)
  if (drops.length === 0) return ok
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
