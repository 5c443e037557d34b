import { useQueries } from '@tanstack/react-query'
import { campaignTrend, type DataOf } from '@whence/sdk'
import { dayNumber } from '@whence/server/platform/contract/dates.ts'
import { useMemo } from 'react'
import { inProfile, useProfileContext } from '../../api/profile.ts'
import { readOptions } from '../../api/queries.ts'
import type { Level } from '../../names/levels.ts'
import { useReport } from '../../report/use-report.ts'

type Trend = DataOf<typeof campaignTrend>

/** Entities per request; and rows with a sparkline: further down, no one compares shapes. */
const PER_REQUEST = 10
const MAX_LINES = 50

const rowsOf = (results: readonly { data?: { data: Trend } | undefined }[]) =>
  results.flatMap(({ data }) => data?.data ?? [])

/** Spend per day of the entities with the highest spend, oldest day first. Empty while loading and for a range of one day. */
export function useSpendDays(
  level: Level,
  rows: readonly { campaign_id: string; spend: number | null }[],
): ReadonlyMap<string, readonly number[]> {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const days = dayNumber(query.date_to) - dayNumber(query.date_from) + 1
  const parts = useMemo(() => {
    const ids = rows
      .filter(({ spend }) => (spend ?? 0) > 0)
      .toSorted((a, b) => b.spend! - a.spend!)
      .slice(0, days > 1 ? MAX_LINES : 0)
      .map(({ campaign_id }) => campaign_id)
    return Array.from({ length: Math.ceil(ids.length / PER_REQUEST) }, (_, index) =>
      ids.slice(index * PER_REQUEST, (index + 1) * PER_REQUEST),
    )
  }, [rows, days])
  const replies = useQueries({
    queries: parts.map((part) =>
      readOptions(
        campaignTrend,
        inProfile({ query: { ...query, level, entity_ids: part.join() } }, profile.id),
      ),
    ),
    combine: rowsOf,
  })
  return useMemo(() => {
    const lines = new Map<string, number[]>()
    for (const row of replies) {
      const line = lines.get(row.entity_id) ?? Array<number>(days).fill(0)
      line[dayNumber(row.date) - dayNumber(query.date_from)] = row.spend ?? 0
      lines.set(row.entity_id, line)
    }
    return lines
  }, [replies, days, query.date_from])
}
