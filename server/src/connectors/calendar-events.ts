import { isDay } from '../platform/contract/dates.ts'
import type { LiveEvent, MeetingTime } from './calendars.ts'
import { ProviderError } from './connector.ts'

/** Null if one of the dates is invalid. */
export const wholeDays = (startDay: string, endDay: string): MeetingTime | null =>
  isDay(startDay) && isDay(endDay) ? { startDay, endDay } : null

/** Events without a readable time are omitted from a live list; a sync sets them aside. */
export function liveEvents<T>(items: readonly T[], toEvent: (item: T) => LiveEvent): LiveEvent[] {
  return items.flatMap((item) => {
    try {
      return [toEvent(item)]
    } catch (error) {
      if (error instanceof ProviderError && error.reason === 'malformed') return []
      throw error
    }
  })
}
