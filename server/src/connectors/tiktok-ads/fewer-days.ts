/**
 * A report that would be too large (code 40067) is requested again with half the days, from its first page. The place in
 * the step remembers how many days fit.
 */
import { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import { ProviderError } from '../connector.ts'

type Range = { since: string; until: string }
type Part = Range & { days: number | null }

const Place = z.object({
  page: z.number().int().min(1),
  since: z.string().nullable(),
  days: z.number().int().min(1).nullable(),
})
type Place = z.infer<typeof Place>

const placeOf = (after: string | null): Place =>
  after === null ? { page: 1, since: null, days: null } : Place.parse(JSON.parse(after))

export const pageOf = (after: string | null): number => placeOf(after).page

/** The days that are read now. */
export function partOf(step: Range, after: string | null): Part {
  const { since: start, days } = placeOf(after)
  const since = start ?? step.since
  const end = days === null ? step.until : addDays(since, days - 1)
  return { since, until: end < step.until ? end : step.until, days }
}

/** Where the next page or the next days begin; null after the step's last. */
export function toAfter(step: Range, part: Part, nextPage: number | null): string | null {
  const place = (page: number, since: string): string => JSON.stringify({ page, since, days: part.days })
  if (nextPage !== null) return place(nextPage, part.since)
  return part.until < step.until ? place(1, addDays(part.until, 1)) : null
}

/** Half of the days where the platform asks for less; any other failure is thrown on. */
export function halveDays(part: Part, error: unknown): string {
  const days = listDays(part.since, part.until).length
  if (!(error instanceof ProviderError) || error.reason !== 'asks_for_less' || days === 1) throw error
  return JSON.stringify({ page: 1, since: part.since, days: Math.ceil(days / 2) })
}
