import { isDay } from '../platform/contract/dates.ts'
import type { LiveEvent, MeetingTime } from './calendars.ts'
import { ProviderError } from './connector.ts'

/** Null where a date is none. */
export const wholeDays = (startDay: string, endDay: string): MeetingTime | null =>
  isDay(startDay) && isDay(endDay) ? { startDay, endDay } : null

/** An event without a readable time is left out of a live list; a sync sets it aside. */
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
