import type { comparePlatforms } from '@whence/server/features/insights/reports/contract.ts'
import {
  comparePlatforms as comparison,
  listCampaigns,
} from '@whence/server/features/insights/reports/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { useEffect, useMemo } from 'react'
import { inProfile, usePlace, useProfileRead } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import type { Level } from '../../names/levels.ts'
import { providerName } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'

const ROWS_AT_ONCE = 100

export type Row = ReplyOf<typeof listCampaigns>[number]
type Compared = ReplyOf<typeof comparePlatforms>['rows'][number]

/** A row of the report with what the platform itself says about it. */
export type AdRow = Row & {
  platform: string | null
  campaign: string | null
  platform_conversions: number | null
  platform_value: number | null
}

/** All rows of the level, page after page; those so far are shown while the others come. */
export function useAdRows(level: Level, parentId?: string) {
  const { profile } = usePlace()
  const { query } = useReport()
  const parent = parentId ? { parent_id: parentId } : {}
  const pages = usePages(
    listCampaigns,
    inProfile({ query: { ...query, level, limit: String(ROWS_AT_ONCE), ...parent } }, profile.id),
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const compared = useProfileRead(comparison, { query: { ...query, level } }, { keep: true }).data?.data.rows
  const campaigns = useProfileRead(
    comparison,
    { query: { ...query, level: 'campaign' } },
    { enabled: level === 'ad', keep: true },
  ).data?.data.rows
  const rows = useMemo(() => {
    const byId = new Map(compared?.map((row) => [row.entity_id, row]))
    const campaignNames = new Map(campaigns?.map((row) => [row.platform_id, row.name]))
    return (pages.data?.pages ?? [])
      .flatMap((page) => page.data)
      .map((row) => withPlatform(row, byId.get(row.campaign_id), campaignNames))
  }, [pages.data, compared, campaigns])
  const first = pages.data?.pages[0]
  return { pages, rows, first, rowCount: first ? Number(first.meta?.total_rows) : 0 }
}

function withPlatform(
  row: Row,
  compared: Compared | undefined,
  campaignNames: ReadonlyMap<string | null, string | null>,
): AdRow {
  return {
    ...row,
    platform: compared ? providerName(compared.platform) : null,
    campaign: campaignNames.get(row.campaign_external_id ?? null) ?? null,
    platform_conversions: compared?.platform_conversions ?? null,
    platform_value:
      compared?.platform_conversion_value == null ? null : Number(compared.platform_conversion_value),
  }
}
