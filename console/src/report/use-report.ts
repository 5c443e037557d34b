import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePlace } from '../api/profile.ts'
import { previousRange, today } from '../format/times.ts'
import type { Model, ReportSearch } from '../search.ts'
import { rangeOf } from './presets.ts'

/** What the open report is about, from its address; changes go back into the address. */
export function useReport() {
  const { profile } = usePlace()
  const search = useSearch({ strict: false }) as ReportSearch
  const navigate = useNavigate()
  const { range, preset } = rangeOf(search, today(profile.timezone))
  const change = (next: Partial<ReportSearch>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true })
  const model: Model = search.model ?? 'last_touch'
  return {
    range,
    preset,
    previous: previousRange(range),
    model,
    compare: search.compare ?? true,
    change,
    query: { date_from: range.from, date_to: range.to, model },
  }
}
