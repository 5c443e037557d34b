import { previousRange, today } from '../format/times.ts'
import type { Model, ReportSearch } from '../search.ts'
import { rangeOf } from './presets.ts'

/** What a report is about, by its address and the zone of its profile. */
export function reportOf(search: ReportSearch, timezone: string) {
  const { range, preset } = rangeOf(search, today(timezone))
  const previous = previousRange(range)
  const model: Model = search.model ?? 'last_touch'
  return {
    range,
    preset,
    previous,
    model,
    compare: search.compare ?? true,
    query: { date_from: range.from, date_to: range.to, model },
    queryBefore: { date_from: previous.from, date_to: previous.to, model },
  }
}

export type Report = ReturnType<typeof reportOf>

/** The address of what is on screen: days by their dates, so that "last 28 days" are the same tomorrow. */
export function linkTo(href: string, { range, model }: Pick<Report, 'range' | 'model'>): string {
  const url = new URL(href)
  url.searchParams.delete('preset')
  url.searchParams.set('from', range.from)
  url.searchParams.set('to', range.to)
  url.searchParams.set('model', model)
  return url.href
}
