import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readAsOf, readRange } from '../../figures/definitions/rules.ts'
import type { Reported } from '../../figures/snapshot/snapshot.ts'
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
import { withRevalidation } from './revalidate.ts'
import { adTrend, campaignTrend } from './trend.ts'
import * as unattributed from './unattributed/contract.ts'
import { listUnattributedConversions, listUnattributedReasons } from './unattributed/report.ts'

type Days = Parameters<typeof readRange>[0]
const scopeOf = <M>(query: Days & { model: M; as_of?: string | undefined }) => ({
  range: accepted(readRange(query)),
  model: query.model,
  asOf: readAsOf(query.as_of),
})
const toPageOf = <T>({ next, ...reported }: Reported<T> & { next: Parameters<typeof cursorOf>[0] }) => ({
  ...reported,
  extra: { pagination: { has_next: next !== null, cursor: cursorOf(next) } },
})
const checkRange = ({ query }: { query: Days }) => accepted(readRange(query))
const checkPage = ({ query }: { query: Days & { cursor?: string | undefined } }) => [
  accepted(readRange(query)),
  readCursor(query.cursor),
]

const routes: readonly Route[] = [
  route(
    contract.listCampaigns,
    async (context, { query }) => {
      const scope = { ...scopeOf(query), level: query.level ?? 'campaign' }
      const { data, meta, total, pagination, totalRows } = await listCampaigns(context, scope, {
        limit: query.limit,
        cursor: query.cursor,
        detailed: query.level !== undefined,
        parentId: query.parent_id,
      })
      const pageMeta = { total_rows: totalRows, truncated: data.length < totalRows }
      return { data, meta: { ...meta, ...pageMeta }, extra: { total, pagination } }
    },
    checkRange,
  ),
  route(
    contract.campaignTrend,
    (context, { query }) =>
      campaignTrend(context, { ...scopeOf(query), level: query.level }, query.entity_ids),
    checkRange,
  ),
  route(
    contract.adTrend,
    (context, { query }) => adTrend(context, scopeOf(query), query.entity_ids),
    checkRange,
  ),
  route(
    declared.getDeclaredReport,
    (context, { query }) => getDeclaredReport(context, scopeOf(query)),
    checkRange,
  ),
  route(
    contract.getUnattributed,
    (context, { query }) => getUnattributed(context, { ...scopeOf(query), level: query.level }),
    checkRange,
  ),
  route(
    unattributed.listUnattributedReasons,
    (context, { query }) => listUnattributedReasons(context, scopeOf(query)),
    checkRange,
  ),
  route(
    unattributed.listUnattributedConversions,
    async (context, { query }) =>
      toPageOf(await listUnattributedConversions(context, query.reason, scopeOf(query), query)),
    checkPage,
  ),
  route(
    contract.listCampaignConversions,
    async (context, { params, query }) =>
      toPageOf(await listCampaignConversions(context, params.id, scopeOf(query), query)),
    checkPage,
  ),
  route(
    contract.getCampaign,
    (context, { params, query }) => getCampaign(context, params.id, scopeOf(query)),
    checkRange,
  ),
  route(
    contract.getAd,
    (context, { params, query }) => getAd(context, params.id, scopeOf(query)),
    checkRange,
  ),
  route(
    contract.comparePlatforms,
    (context, { query }) => comparePlatforms(context, { ...scopeOf(query), level: query.level }),
    checkRange,
  ),
  route(
    gap.explainPlatformGap,
    (context, { query }) =>
      explainPlatformGap(
        context,
        { ...scopeOf(query), level: query.level },
        { entityId: query.entity_id, platform: query.platform, examples: query.examples },
      ),
    checkRange,
  ),
  route(contract.getAdIdQuality, (context, { query }) => getAdIdQuality(context, scopeOf(query)), checkRange),
  route(
    channels.getChannels,
    async (context, { query }) => {
      const { data, meta, total } = await getChannels(context, scopeOf(query), query.by_day === 'true')
      return { data, meta, extra: { total } }
    },
    checkRange,
  ),
  route(
    journeys.getJourneys,
    async (context, { query }) => {
      const { data, meta, total } = await getJourneys(context, accepted(readRange(query)), query.limit)
      return { data, meta, extra: { total } }
    },
    checkRange,
  ),
  route(
    journeys.listJourneyPayments,
    async (context, { query }) =>
      toPageOf(await listJourneyPayments(context, accepted(readRange(query)), query.path, query)),
    checkPage,
  ),
  route(contract.getOverview, (context, { query }) => getOverview(context, scopeOf(query)), checkRange),
]

export const reportRoutes: readonly Route[] = routes.map(withRevalidation)
