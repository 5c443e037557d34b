import type { SyncWindow } from '../../connectors/connector.ts'
import { addDays } from '../../contract/dates.ts'
import { isTimeZone, localDay } from '../../contract/zones.ts'

/** What a first sync reads. */
export const HISTORY_DAYS = 365
/** Platforms restate recent days, so each later sync reads them again. */
export const RESTATED_DAYS = 7
export const RESYNC_AFTER_MS = 6 * 3_600_000

export function syncWindow(args: {
  asked: string | null
  lastSuccessAt: Date | null
  /** The account's own, where the provider said it. */
  timezone: string | null
  now: Date
}): SyncWindow {
  const zone = args.timezone !== null && isTimeZone(args.timezone) ? args.timezone : 'UTC'
  const untilDay = localDay(args.now, zone)
  const sinceDay =
    args.asked ??
    (args.lastSuccessAt === null
      ? addDays(untilDay, -HISTORY_DAYS)
      : addDays(localDay(args.lastSuccessAt, zone), -RESTATED_DAYS))
  return { sinceDay: sinceDay < untilDay ? sinceDay : untilDay, untilDay }
}
