/** Schedules, retries and permissions of data exports. Pure. */
import type { DestinationTarget } from './queries.ts'

const everyMs = { hourly: 3_600_000, daily: 86_400_000, on_demand: null } as const
type DataSchedule = keyof typeof everyMs

/** Null if the destination is disabled or its runs are only started on demand. */
export function nextRunAt(row: { schedule: string; enabled: boolean }, now: Date): Date | null {
  const every = everyMs[row.schedule as DataSchedule]
  return !row.enabled || every === null ? null : new Date(now.getTime() + every)
}

const FIRST_BACKOFF_MS = 600_000

/** Exponential backoff after consecutive failures: ten minutes, doubled each time, at most a day. */
export function nextTryAt(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), everyMs.daily))
}

type Changes = {
  name?: string | undefined
  tables?: readonly string[] | undefined
  include_identifiers?: boolean | undefined
  schedule?: string | undefined
  enabled?: boolean | undefined
  keys?: unknown
}

/** True for every change except disabling, which needs no owner or admin. */
export function isDecision(changes: Changes): boolean {
  return Object.entries(changes).some(
    ([name, value]) => value !== undefined && !(name === 'enabled' && value === false),
  )
}

export function describeTarget(target: DestinationTarget): string {
  if ('folder' in target) return `the folder ${target.folder}`
  return `the bucket ${target.bucket} at ${new URL(target.endpoint).host}`
}
