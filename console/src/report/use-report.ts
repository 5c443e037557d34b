import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProfileContext } from '../api/profile.ts'
import type { ReportSearch } from '../search.ts'
import { reportOf } from './report.ts'

/** The open report's parameters from the URL; `change` writes them back. */
export function useReport() {
  const { profile } = useProfileContext()
  const search = useSearch({ strict: false }) as ReportSearch
  const navigate = useNavigate()
  const change = (next: Partial<ReportSearch>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true })
  return { ...reportOf(search, profile.timezone), change }
}
