import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProfileContext } from '../api/profile.ts'
import type { ReportSearch } from '../search.ts'
import { reportOf } from './report.ts'

/** What the open report is about, from its address; changes go back into the address. */
export function useReport() {
  const { profile } = useProfileContext()
  const search = useSearch({ strict: false }) as ReportSearch
  const navigate = useNavigate()
  const change = (next: Partial<ReportSearch>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true })
  return { ...reportOf(search, profile.timezone), change }
}
