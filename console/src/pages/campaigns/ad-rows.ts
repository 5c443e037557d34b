import {
  type CampaignTotal,
  type comparePlatforms,
  comparePlatforms as comparison,
  type DataOf,
  listCampaigns,
} from '@whence/sdk'
import { useEffect, useMemo } from 'react'
import { inProfile, usePlace, useProfileRead } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import type { Level } from '../../names/levels.ts'
import { providerName } from '../../names/providers.ts'
import { useReport } from '../../report/use-report.ts'
import type { Model } from '../../search.ts'

const ROWS_AT_ONCE = 100

export type Row = DataOf<typeof listCampaigns>[number]
type Compared = DataOf<typeof comparePlatforms>['rows'][number]

/** A row of the report with what the platform itself says about it. */
export type AdRow = Row & {
  platform: string | null
  campaign: string | null
  platform_conversions: number | null
  platform_value: number | null
}

/** So many rows of the period before are read: the largest, since others changed by little money. */
const MAX_BEFORE = 500

type Range = { date_from: string; date_to: string; model: Model }

/** Page after page, up to `most` rows. */
function useAllPages(
  level: Level,
  parentId: string | undefined,
  query: Range,
  { enabled = true, most = Number.POSITIVE_INFINITY } = {},
) {
  const { profile } = usePlace()
  const parent = parentId ? { parent_id: parentId } : {}
  const pages = usePages(
    listCampaigns,
    inProfile({ query: { ...query, level, limit: ROWS_AT_ONCE, ...parent } }, profile.id),
    { enabled },
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  const isFull = (pages.data?.pages.length ?? 0) * ROWS_AT_ONCE >= most
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && !isFull) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, isFull, fetchNextPage])
  return pages
}

export type RowsBefore = { byId: ReadonlyMap<string, Row>; total: CampaignTotal }

/** The same rows in the period before; undefined while they are not known or not wanted. */
export function useRowsBefore(
  level: Level,
  parentId: string | undefined,
  isReady: boolean,
): RowsBefore | undefined {
  const { queryBefore, compare } = useReport()
  const pages = useAllPages(level, parentId, queryBefore, { enabled: compare && isReady, most: MAX_BEFORE })
  return useMemo(() => {
    if (!compare || pages.data === undefined || pages.isPlaceholderData) return undefined
    const rows = pages.data.pages.flatMap((page) => page.data)
    return {
      byId: new Map(rows.map((row) => [row.campaign_id, row])),
      total: pages.data.pages[0]!.total as CampaignTotal,
    }
  }, [compare, pages.data, pages.isPlaceholderData])
}

/** All rows of the level, page after page; those so far are shown while the others come. */
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
