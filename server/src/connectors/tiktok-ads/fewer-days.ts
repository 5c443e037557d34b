/**
 * A report that would be too large (code 40067) is requested again with half the days, from its first page. The cursor of
 * the step stores how many days fit.
 */
import { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import { ProviderError } from '../connector.ts'

type Range = { since: string; until: string }
type Part = Range & { days: number | null }

const Position = z.object({
  page: z.number().int().min(1),
  since: z.string().nullable(),
  days: z.number().int().min(1).nullable(),
})
type Position = z.infer<typeof Position>

const parsePosition = (after: string | null): Position =>
  after === null ? { page: 1, since: null, days: null } : Position.parse(JSON.parse(after))

export const pageOf = (after: string | null): number => parsePosition(after).page

/** The part of the step's days that is read now. */
export function partOf(step: Range, after: string | null): Part {
  const { since: start, days } = parsePosition(after)
  const since = start ?? step.since
  const end = days === null ? step.until : addDays(since, days - 1)
  return { since, until: end < step.until ? end : step.until, days }
}

/** Cursor of the next page or the next days; null at the end of the step. */
export function toAfter(step: Range, part: Part, nextPage: number | null): string | null {
  const position = (page: number, since: string): string => JSON.stringify({ page, since, days: part.days })
  if (nextPage !== null) return position(nextPage, part.since)
  return part.until < step.until ? position(1, addDays(part.until, 1)) : null
}

/** Cursor with half of the days if the response was too large; rethrows any other error. */
export function halveDays(part: Part, error: unknown): string {
  const days = listDays(part.since, part.until).length
  if (!(error instanceof ProviderError) || error.reason !== 'asks_for_less' || days === 1) throw error
  return JSON.stringify({ page: 1, since: part.since, days: Math.ceil(days / 2) })
}
