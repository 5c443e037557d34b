/** Names of scheduled backups, and which of them are kept. Pure. */
import { addDays, DAY_MS } from '../../platform/contract/dates.ts'

export type KeepRule = { days: number; weeks: number; months: number }

/** `whence-20261119T023000Z.backup`: the names of a folder sort by time. */
export function backupName(at: Date): string {
  return `whence-${at.toISOString().replace(/[-:]|\.\d{3}/g, '')}.backup`
}

/** Undefined for other files, which are never removed. */
export function timeOfBackup(name: string): Date | undefined {
  const parts = /^whence-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/.exec(name)?.slice(1)
  if (parts === undefined) return undefined
  const [year, month, day, hour, minute, second] = parts
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/**
 * Names to remove: all but the newest backup of each of the last days, weeks (from Monday) and months, in UTC. The
 * newest of all is kept in any case, because a service that was off for long would otherwise remove its only one.
 */
export function expiredBackups(names: readonly string[], keep: KeepRule, now: Date): string[] {
  const backups = names
    .flatMap((name) => {
      const at = timeOfBackup(name)
      return at === undefined || at > now ? [] : [{ name, at }]
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const kept = new Set(backups.slice(0, 1).map(({ name }) => name))
  const keepNewest = (periods: readonly string[], periodOf: (day: string) => string) => {
    for (const period of periods) {
      const newest = backups.find(({ at }) => periodOf(isoDay(at)) === period)
      if (newest) kept.add(newest.name)
    }
  }
  const today = isoDay(now)
  keepNewest(
    lastPeriods(keep.days, today, (day) => day),
    (day) => day,
  )
  keepNewest(lastPeriods(keep.weeks, today, mondayOf), mondayOf)
  keepNewest(lastPeriods(keep.months, today, monthOf), monthOf)
  return backups.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
}

const isoDay = (at: Date) => at.toISOString().slice(0, 10)
const monthOf = (day: string) => day.slice(0, 7)

function mondayOf(day: string): string {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getTime() / DAY_MS + 3) % 7
  return addDays(day, -sinceMonday)
}

/** The period of today and those before it, newest first. */
function lastPeriods(count: number, today: string, periodOf: (day: string) => string): string[] {
  const periods: string[] = []
  for (let day = today; periods.length < count; day = addDays(day, -1)) {
    const period = periodOf(day)
    if (periods.at(-1) !== period) periods.push(period)
  }
  return periods
}
