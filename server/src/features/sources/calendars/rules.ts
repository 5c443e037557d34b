import { dayNumber } from '../../../platform/contract/dates.ts'
import { decodeCursor, invalidCursor } from '../../../platform/contract/page.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'

export const MAX_WINDOW_DAYS = 90

export type EventWindow = { from: string; to: string; after: string | null }

/** The requested days, and the cursor of the next page. */
export function readWindow(query: {
  from: string
  to: string
  cursor?: string | undefined
}): EventWindow | Refusal {
  const { from, to } = query
  const days = dayNumber(to) - dayNumber(from) + 1
  if (days < 1) return new Refusal('invalid_parameter', 'is before from.', { field: 'to' })
  if (days > MAX_WINDOW_DAYS)
    return new Refusal('invalid_window', `must be at most ${MAX_WINDOW_DAYS} days.`, { field: 'to' })
  if (query.cursor === undefined) return { from, to, after: null }
  const [after] = decodeCursor(query.cursor) ?? []
  return typeof after === 'string' ? { from, to, after } : invalidCursor()
}
