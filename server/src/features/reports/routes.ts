import { type Route, route } from '../../http/route.ts'
import { getAd, listCampaigns, readUnattributed } from './campaigns.ts'
import { comparePlatformReports, readAdIdQuality } from './comparison.ts'
import * as contract from './contract.ts'
import { cursorOf, listConversions, readCursor } from './conversions.ts'
import { readOverview } from './overview.ts'
import { readRange } from './rules.ts'
import { readAdTrend, readTrend } from './trend.ts'

const judgeRange = ({ query }: { query: Parameters<typeof readRange>[0] }) => readRange(query)

export const reportRoutes: readonly Route[] = [
  route(
    contract.listCampaigns,
    async (context, { query }) => {
      const scope = { range: readRange(query), model: query.model, level: query.level ?? 'campaign' }
      const { data, meta, total, pagination, totalRows } = await listCampaigns(context, scope, {
        limit: query.limit,
        cursor: query.cursor,
        detailed: query.level !== undefined,
        parentId: query.parent_id,
      })
      const pageMeta = { total_rows: totalRows, truncated: data.length < totalRows }
      return { data, meta: { ...meta, ...pageMeta }, beside: { total, pagination } }
    },
    judgeRange,
  ),
  route(
    contract.campaignTrend,
    (context, { query }) =>
      readTrend(
        context,
        { range: readRange(query), model: query.model, level: query.level },
        query.entity_ids,
      ),
    judgeRange,
  ),
  route(
    contract.adTrend,
    (context, { query }) =>
      readAdTrend(context, { range: readRange(query), model: query.model }, query.entity_ids),
    judgeRange,
  ),
  route(
    contract.getUnattributed,
    (context, { query }) =>
      readUnattributed(context, { range: readRange(query), model: query.model, level: query.level }),
    judgeRange,
  ),
  route(
    contract.listCampaignConversions,
    async (context, { params, query }) => {
      const scope = { range: readRange(query), model: query.model }
      const { data, meta, next } = await listConversions(context, params.id, scope, query)
      return { data, meta, beside: { pagination: { has_next: next !== null, cursor: cursorOf(next) } } }
    },
    ({ query }) => [readRange(query), readCursor(query.cursor)],
  ),
  route(
    contract.getAd,
    (context, { params, query }) =>
      getAd(context, params.id, { range: readRange(query), model: query.model }),
    judgeRange,
  ),
  route(
    contract.comparePlatforms,
    (context, { query }) =>
      comparePlatformReports(context, { range: readRange(query), model: query.model, level: query.level }),
    judgeRange,
  ),
  route(
    contract.getAdIdQuality,
    (context, { query }) => readAdIdQuality(context, { range: readRange(query), model: query.model }),
    judgeRange,
  ),
  route(
    contract.getOverview,
    (context, { query }) => readOverview(context, { range: readRange(query), model: query.model }),
    judgeRange,
  ),
]
