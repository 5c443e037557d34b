import { previousRange, today } from '../format/times.ts'
import type { Model, ReportSearch } from '../search.ts'
import { rangeOf } from './presets.ts'

/** The report's parameters from the URL, in the profile's time zone. */
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

/** Link to the report as shown. Presets become dates, so that "last 28 days" stays the same tomorrow. */
export function linkTo(href: string, { range, model }: Pick<Report, 'range' | 'model'>): string {
  const url = new URL(href)
  url.searchParams.delete('preset')
  url.searchParams.set('from', range.from)
  url.searchParams.set('to', range.to)
  url.searchParams.set('model', model)
  return url.href
}
