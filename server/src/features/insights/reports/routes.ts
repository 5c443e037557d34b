import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { getAd, getUnattributed, listCampaigns } from './campaigns.ts'
import * as channels from './channels/contract.ts'
import { getChannels } from './channels/report.ts'
import { comparePlatforms, getAdIdQuality } from './comparison.ts'
import * as contract from './contract.ts'
import { cursorOf, listCampaignConversions, readCursor } from './conversions.ts'
import * as declared from './declared/contract.ts'
import { getDeclaredReport } from './declared/report.ts'
import { getCampaign } from './entity.ts'
import * as gap from './gap/contract.ts'
import { explainPlatformGap } from './gap/report.ts'
import * as journeys from './journeys/contract.ts'
import { getJourneys, listJourneyPayments } from './journeys/report.ts'
import { getOverview } from './overview.ts'
import { revalidating } from './revalidate.ts'
import { readAsOf, readRange } from './rules.ts'
import { adTrend, campaignTrend } from './trend.ts'
import * as unattributed from './unattributed/contract.ts'
import { listUnattributedConversions, listUnattributedReasons } from './unattributed/report.ts'

const judgeRange = ({ query }: { query: Parameters<typeof readRange>[0] }) => accepted(readRange(query))

const routes: readonly Route[] = [
  route(
    contract.listCampaigns,
    async (context, { query }) => {
      const scope = {
        range: accepted(readRange(query)),
        model: query.model,
        level: query.level ?? 'campaign',
        asOf: readAsOf(query.as_of),
      }
      const { data, meta, total, pagination, totalRows } = await listCampaigns(context, scope, {
        limit: query.limit,
        cursor: query.cursor,
        detailed: query.level !== undefined,
        parentId: query.parent_id,
      })
      const pageMeta = { total_rows: totalRows, truncated: data.length < totalRows }
      return { data, meta: { ...meta, ...pageMeta }, extra: { total, pagination } }
    },
    judgeRange,
  ),
  route(
    contract.campaignTrend,
    (context, { query }) =>
      campaignTrend(
        context,
        {
          range: accepted(readRange(query)),
          model: query.model,
          level: query.level,
          asOf: readAsOf(query.as_of),
        },
        query.entity_ids,
      ),
    judgeRange,
  ),
  route(
    contract.adTrend,
    (context, { query }) =>
      adTrend(
        context,
        { range: accepted(readRange(query)), model: query.model, asOf: readAsOf(query.as_of) },
        query.entity_ids,
      ),
    judgeRange,
  ),
  route(
    declared.getDeclaredReport,
    (context, { query }) =>
      getDeclaredReport(context, { range: accepted(readRange(query)), model: query.model }),
    judgeRange,
  ),
  route(
    contract.getUnattributed,
    (context, { query }) =>
      getUnattributed(context, {
        range: accepted(readRange(query)),
        model: query.model,
        level: query.level,
        asOf: readAsOf(query.as_of),
      }),
    judgeRange,
  ),
  route(
    unattributed.listUnattributedReasons,
    (context, { query }) =>
      listUnattributedReasons(context, { range: accepted(readRange(query)), model: query.model }),
    judgeRange,
  ),
  route(
    unattributed.listUnattributedConversions,
    async (context, { query }) => {
      const scope = { range: accepted(readRange(query)), model: query.model }
      const { data, meta, next } = await listUnattributedConversions(context, query.reason, scope, query)
      return { data, meta, extra: { pagination: { has_next: next !== null, cursor: cursorOf(next) } } }
    },
    ({ query }) => [accepted(readRange(query)), readCursor(query.cursor)],
  ),
  route(
    contract.listCampaignConversions,
    async (context, { params, query }) => {
      const scope = { range: accepted(readRange(query)), model: query.model }
      const { data, meta, next } = await listCampaignConversions(context, params.id, scope, query)
      return { data, meta, extra: { pagination: { has_next: next !== null, cursor: cursorOf(next) } } }
    },
    ({ query }) => [accepted(readRange(query)), readCursor(query.cursor)],
  ),
  route(
    contract.getCampaign,
    (context, { params, query }) =>
      getCampaign(context, params.id, { range: accepted(readRange(query)), model: query.model }),
    judgeRange,
  ),
  route(
    contract.getAd,
    (context, { params, query }) =>
      getAd(context, params.id, {
        range: accepted(readRange(query)),
        model: query.model,
        asOf: readAsOf(query.as_of),
      }),
    judgeRange,
  ),
  route(
    contract.comparePlatforms,
    (context, { query }) =>
      comparePlatforms(context, {
        range: accepted(readRange(query)),
        model: query.model,
        level: query.level,
        asOf: readAsOf(query.as_of),
      }),
    judgeRange,
  ),
  route(
    gap.explainPlatformGap,
    (context, { query }) =>
      explainPlatformGap(
        context,
        { range: accepted(readRange(query)), model: query.model, level: query.level },
        { entityId: query.entity_id, platform: query.platform },
      ),
    judgeRange,
  ),
  route(
    contract.getAdIdQuality,
    (context, { query }) =>
      getAdIdQuality(context, { range: accepted(readRange(query)), model: query.model }),
    judgeRange,
  ),
  route(
    channels.getChannels,
    async (context, { query }) => {
      const scope = {
        range: accepted(readRange(query)),
        model: query.model,
        asOf: readAsOf(query.as_of),
      }
      const { data, meta, total } = await getChannels(context, scope, query.by_day === 'true')
      return { data, meta, extra: { total } }
    },
    judgeRange,
  ),
  route(
    journeys.getJourneys,
    async (context, { query }) => {
      const { data, meta, total } = await getJourneys(context, accepted(readRange(query)), query.limit)
      return { data, meta, extra: { total } }
    },
    judgeRange,
  ),
  route(
    journeys.listJourneyPayments,
    async (context, { query }) => {
      const range = accepted(readRange(query))
      const { data, meta, next } = await listJourneyPayments(context, range, query.path, query)
      return { data, meta, extra: { pagination: { has_next: next !== null, cursor: cursorOf(next) } } }
    },
    ({ query }) => [accepted(readRange(query)), readCursor(query.cursor)],
  ),
  route(
    contract.getOverview,
    (context, { query }) =>
      getOverview(context, {
        range: accepted(readRange(query)),
        model: query.model,
        asOf: readAsOf(query.as_of),
      }),
    judgeRange,
  ),
]

export const reportRoutes: readonly Route[] = routes.map(revalidating)
