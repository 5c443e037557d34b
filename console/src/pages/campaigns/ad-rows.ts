import {
  type CampaignTotal,
  type comparePlatforms,
  comparePlatforms as comparison,
  type DataOf,
  listCampaigns,
} from '@whence/sdk'
import { useEffect, useMemo } from 'react'
import { inProfile, useProfileContext, useProfileRead } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import type { Level } from '../../names/levels.ts'
import { providerName } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'
import type { Model } from '../../search.ts'

const PAGE_SIZE = 100

export type Row = DataOf<typeof listCampaigns>[number]
type Compared = DataOf<typeof comparePlatforms>['rows'][number]

/** A report row with the platform's own figures. */
export type AdRow = Row & {
  platform: string | null
  campaign: string | null
  platform_conversions: number | null
  platform_value: number | null
}

/** Rows loaded for the previous period: the largest, because the others changed by little money. */
const MAX_ROWS_BEFORE = 500

type Range = { date_from: string; date_to: string; model: Model }

/** Loads page after page, up to `maxRows` rows. */
function useAllPages(
  level: Level,
  parentId: string | undefined,
  query: Range,
  { enabled = true, maxRows = Number.POSITIVE_INFINITY } = {},
) {
  const { profile } = useProfileContext()
  const parent = parentId ? { parent_id: parentId } : {}
  const pages = usePages(
    listCampaigns,
    inProfile({ query: { ...query, level, limit: PAGE_SIZE, ...parent } }, profile.id),
    { enabled },
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  const isFull = (pages.data?.pages.length ?? 0) * PAGE_SIZE >= maxRows
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && !isFull) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, isFull, fetchNextPage])
  return pages
}

export type RowsBefore = { byId: ReadonlyMap<string, Row>; total: CampaignTotal }

/** The same rows in the previous period; undefined while loading or if comparison is off. */
export function useRowsBefore(
  level: Level,
  parentId: string | undefined,
  isReady: boolean,
): RowsBefore | undefined {
  const { queryBefore, compare } = useReport()
  const pages = useAllPages(level, parentId, queryBefore, {
    enabled: compare && isReady,
    maxRows: MAX_ROWS_BEFORE,
  })
  return useMemo(() => {
    if (!compare || pages.data === undefined || pages.isPlaceholderData) return undefined
    const rows = pages.data.pages.flatMap((page) => page.data)
    return {
      byId: new Map(rows.map((row) => [row.campaign_id, row])),
      total: pages.data.pages[0]!.total as CampaignTotal,
    }
  }, [compare, pages.data, pages.isPlaceholderData])
}

/** All rows of the level, loaded page by page; loaded rows are shown while the rest load. */
export function useAdRows(level: Level, parentId?: string) {
  const { query } = useReport()
  const pages = useAllPages(level, parentId, query)
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
