import { rangeBounds } from '@whence/server/platform/contract/zones.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useReport } from '../../report/use-report.ts'

/** The chosen days as instants: start of the first to end of the last day. */
export function useTimes(): { from: string; to: string } {
  const { profile } = useProfileContext()
  const { range } = useReport()
  const { start, end } = rangeBounds(range.from, range.to, profile.timezone)
  return { from: start.toISOString(), to: new Date(end.getTime() - 1).toISOString() }
}
