/**
 * Objective, targeting, creative and attention of a customer's ads. The API has no objective of a
 * campaign: it is derived from the campaign's biddable conversion goals. Field names from the reference
 * of v26 (developers.google.com/google-ads/api/fields), video views by their name since v22
 * (`video_trueview_views`); read on 2026-11-16.
 */
import { z } from 'zod'
import {
  type AdAttentionDetail,
  type AdCreativeDetail,
  type AdTargetingDetail,
  aspectRatioMilli,
  hostOf,
} from '../ad-details.ts'
import { ProviderError, type Session, type SyncRecord } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { numericId, searchStream } from './calls.ts'
import { type Row, toAd, toAdGroup, toCampaign } from './mapping.ts'

export const campaignFields = 'campaign.bidding_strategy_type'
export const adFields =
  'ad_group_ad.ad.image_ad.pixel_width, ad_group_ad.ad.image_ad.pixel_height, ad_group_ad.ad.video_ad.video.asset, ad_group_ad.ad.final_url_suffix, ad_group.final_url_suffix, campaign.final_url_suffix, customer.id, customer.final_url_suffix'
/** Requested at the ad level only. */
export const attentionMetrics =
  'metrics.video_trueview_views, metrics.video_quartile_p25_rate, metrics.video_quartile_p50_rate, metrics.video_quartile_p75_rate, metrics.video_quartile_p100_rate'

const CampaignRow = z.looseObject({
  campaign: z.looseObject({ id, advertisingChannelType: text, biddingStrategyType: text }),
  campaignConversionGoal: z.looseObject({ category: text }).nullish(),
  campaignCriterion: z
    .looseObject({ location: z.looseObject({ geoTargetConstant: text }).nullish() })
    .nullish(),
})

export type CampaignExtras = { goals: Map<string, string[]>; locations: Map<string, string[]> }

/** Conversion goals and locations of the page's campaigns. */
export async function readCampaignExtras(session: Session, rows: readonly Row[]): Promise<CampaignExtras> {
  const extra: CampaignExtras = { goals: new Map(), locations: new Map() }
  const ids = rows.flatMap((row) => row.campaign?.id ?? [])
  const range = idRange('campaign.id', ids)
  if (range === null) return extra
  const goals = await readOrEmpty(() =>
    searchStream(
      session,
      session.accountId,
      `SELECT campaign.id, campaign_conversion_goal.category FROM campaign_conversion_goal WHERE campaign_conversion_goal.biddable = TRUE AND ${range}`,
    ),
  )
  for (const row of goals) add(extra.goals, row, (goal) => goal.campaignConversionGoal?.category ?? null)
  const locations = await readOrEmpty(() =>
    searchStream(
      session,
      session.accountId,
      `SELECT campaign.id, campaign_criterion.location.geo_target_constant FROM campaign_criterion WHERE campaign_criterion.type = LOCATION AND campaign_criterion.negative = FALSE AND ${range}`,
    ),
  )
  for (const row of locations)
    add(extra.locations, row, (criterion) => criterion.campaignCriterion?.location?.geoTargetConstant ?? null)
  return extra
}

function add(
  map: Map<string, string[]>,
  row: Row,
  pick: (row: z.infer<typeof CampaignRow>) => string | null,
): void {
  const read = CampaignRow.safeParse(row).data
  const value = read && pick(read)
  if (read && value) map.set(read.campaign.id, [...(map.get(read.campaign.id) ?? []), value])
}

function idRange(field: string, ids: readonly string[]): string | null {
  if (ids.length === 0) return null
  const sorted = [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  return `${field} >= ${numericId(sorted[0]!)} AND ${field} <= ${numericId(sorted.at(-1)!)}`
}

async function readOrEmpty(read: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ProviderError && ['permission_missing', 'rejected'].includes(error.reason)) return []
    throw error
  }
}

const goalObjectives: Record<string, string> = {
  PURCHASE: 'sales',
  ADD_TO_CART: 'sales',
  BEGIN_CHECKOUT: 'sales',
  SUBSCRIBE_PAID: 'sales',
  STORE_SALE: 'sales',
  SUBMIT_LEAD_FORM: 'leads',
  PHONE_CALL_LEAD: 'leads',
  IMPORTED_LEAD: 'leads',
  QUALIFIED_LEAD: 'leads',
  CONVERTED_LEAD: 'leads',
  BOOK_APPOINTMENT: 'leads',
  REQUEST_QUOTE: 'leads',
  SIGNUP: 'leads',
  CONTACT: 'leads',
  PAGE_VIEW: 'traffic',
  OUTBOUND_CLICK: 'traffic',
  GET_DIRECTIONS: 'traffic',
}
/** Priority among several goals: closest to revenue first. */
const objectivePriority = ['sales', 'leads', 'traffic']
/** Strategies that buy clicks or views regardless of the goals. */
const strategyObjectives: Record<string, string> = {
  TARGET_SPEND: 'traffic',
  TARGET_CPM: 'awareness',
  FIXED_CPM: 'awareness',
  TARGET_CPV: 'awareness',
}

export function toObjective(goals: readonly string[], strategy: string | null): string | null {
  const bought = lookUp(strategyObjectives, strategy)
  if (bought !== undefined) return bought
  const goalObjectiveSet = new Set(goals.map((goal) => lookUp(goalObjectives, goal)))
  return objectivePriority.find((objective) => goalObjectiveSet.has(objective)) ?? null
}

export function toCampaignRecords(row: Row, currency: string, extra: CampaignExtras): SyncRecord[] {
  const record = toCampaign(row, currency)
  const { campaign } = CampaignRow.parse(row)
  const objective = toObjective(extra.goals.get(campaign.id) ?? [], campaign.biddingStrategyType)
  const targeting: AdTargetingDetail = {
    type: 'ad_detail',
    kind: 'targeting',
    level: 'campaign',
    externalId: campaign.id,
    audienceWarmth: null,
    geo:
      [...(extra.locations.get(campaign.id) ?? [])]
        .map((name) => name.split('/').at(-1)!)
        .sort()
        .join('+') || null,
    placement: campaign.advertisingChannelType?.toLowerCase() ?? null,
  }
  return [{ ...record, objective } as SyncRecord, targeting]
}

/** Ad groups of the page that target lists of known people. */
export async function readWarmAdGroups(session: Session, rows: readonly Row[]): Promise<Set<string>> {
  const range = idRange(
    'ad_group.id',
    rows.flatMap((row) => row.adGroup?.id ?? []),
  )
  if (range === null) return new Set()
  const listed = await readOrEmpty(() =>
    searchStream(
      session,
      session.accountId,
      `SELECT ad_group.id, ad_group_criterion.criterion_id FROM ad_group_criterion WHERE ad_group_criterion.type = USER_LIST AND ad_group_criterion.negative = FALSE AND ${range}`,
    ),
  )
  return new Set(listed.flatMap((row) => row.adGroup?.id ?? []))
}

export function toAdGroupRecords(row: Row, currency: string, warm: ReadonlySet<string>): SyncRecord[] {
  const record = toAdGroup(row, currency)
  const externalId = row.adGroup!.id
  return [
    record,
    {
      type: 'ad_detail',
      kind: 'targeting',
      level: 'ad_set',
      externalId,
      audienceWarmth: warm.has(externalId) ? 'warm' : 'cold',
      geo: null,
      placement: null,
    },
  ]
}

const Suffix = z.looseObject({ finalUrlSuffix: text }).nullish()
const AdRow = z.looseObject({
  adGroupAd: z.looseObject({
    ad: z.looseObject({
      id,
      finalUrls: z.array(z.string()).nullish(),
      finalUrlSuffix: text,
      imageAd: z.looseObject({ pixelWidth: maybeId, pixelHeight: maybeId }).nullish(),
    }),
  }),
  adGroup: Suffix,
  campaign: Suffix,
  customer: Suffix,
})

export function toAdRecords(row: Row, currency: string): SyncRecord[] {
  const record = toAd(row, currency)
  if (record.type !== 'ad_entity' || record.creative === null) return [record]
  const { adGroupAd, adGroup, campaign, customer } = AdRow.parse(row)
  const { ad } = adGroupAd
  const detail: AdCreativeDetail = {
    type: 'ad_detail',
    kind: 'creative',
    externalId: record.externalId,
    format: record.creative.format,
    title: record.creative.title,
    body: record.creative.body,
    ctaType: null,
    aspectRatioMilli: aspectRatioMilli(toNumber(ad.imageAd?.pixelWidth), toNumber(ad.imageAd?.pixelHeight)),
    durationMs: null,
    cardCount: null,
    thumbnailUrl: record.creative.thumbnailUrl,
    videoId: record.creative.videoId,
    landingHost: hostOf(ad.finalUrls?.[0]),
    destinationUrl: ad.finalUrls?.[0] ?? null,
    // The most specific level with a suffix applies, as for tracking templates
    // (developers.google.com/google-ads/api/docs/ads/upgraded-urls/serving-url-rules, read 2026-11-17).
    urlTags:
      ad.finalUrlSuffix ??
      adGroup?.finalUrlSuffix ??
      campaign?.finalUrlSuffix ??
      customer?.finalUrlSuffix ??
      null,
  }
  return [record, detail]
}

const toNumber = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const rate = z.number().nullish()
const AttentionRow = z.looseObject({
  metrics: z.looseObject({
    impressions: maybeId,
    clicks: maybeId,
    videoTrueviewViews: maybeId,
    videoQuartileP25Rate: rate,
    videoQuartileP50Rate: rate,
    videoQuartileP75Rate: rate,
    videoQuartileP100Rate: rate,
  }),
})

/** Every click of this platform is a link click. Video quartiles are shares of the impressions. */
export function toAttentionDetail(row: Row): AdAttentionDetail[] {
  const read = AttentionRow.safeParse(row).data
  const externalId = row.adGroupAd?.ad.id
  const day = row.segments?.date
  if (read === undefined || externalId === undefined || day === undefined) return []
  const { metrics } = read
  const views = toNumber(metrics.videoTrueviewViews)
  const isWatched = views !== null && views > 0
  const reached = (share: number | null | undefined) =>
    isWatched && typeof share === 'number' && metrics.impressions !== null
      ? Math.round(share * Number(metrics.impressions))
      : null
  return [
    {
      type: 'ad_detail',
      kind: 'attention',
      externalId,
      day,
      linkClicks: toNumber(metrics.clicks),
      videoViews: isWatched ? views : null,
      thruplays: reached(metrics.videoQuartileP100Rate),
      videoP25: reached(metrics.videoQuartileP25Rate),
      videoP50: reached(metrics.videoQuartileP50Rate),
      videoP75: reached(metrics.videoQuartileP75Rate),
      videoP100: reached(metrics.videoQuartileP100Rate),
      qualityRanking: null,
    },
  ]
}
