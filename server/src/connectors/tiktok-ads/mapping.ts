/** Maps TikTok's responses to records. Pure. Fields that the platform omits become null, never zero. */
import type { z } from 'zod'
import {
  type AdAttentionDetail,
  type AdCreativeDetail,
  type AdTargetingDetail,
  aspectRatioMilli,
  hostOf,
} from '../ad-details.ts'
import { currencyExponent } from '../amounts.ts'
import {
  type Account,
  type AdEntityRecord,
  type DeliveryRecord,
  ProviderError,
  type SyncRecord,
} from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { fieldsAside } from '../provider-http.ts'
import { newAdEntity } from '../records.ts'
import {
  Ad,
  AdGroup,
  type Advertiser,
  Campaign,
  GmvMaxMetrics,
  type GmvMaxRow,
  type Image,
  Metrics,
  type ReportRow,
  type Video,
} from './replies.ts'

type Level = 'campaign' | 'ad_set' | 'ad'

export const toAccount = (advertiser: Advertiser): Account => ({
  id: advertiser.advertiser_id,
  name: advertiser.name ?? advertiser.advertiser_id,
  kind: 'ad_account',
  currency: advertiser.currency,
  // `timezone` may be an offset (`Etc/GMT+5`); `display_timezone` is the zone that the account chose.
  timezone: advertiser.display_timezone ?? advertiser.timezone,
})

/** Converts a decimal amount to minor units; digits beyond the currency's exponent are rounded half up. */
export function toMinor(amount: string | number, currency: string): number {
  return toUnits(String(amount), currencyExponent(currency))
}

function toUnits(value: string, digits: number): number {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/.exec(value.trim())
  if (match === null) throw new ProviderError('malformed', 'An amount or a count is not a decimal number')
  const fraction = (match[3] ?? '').padEnd(digits + 1, '0')
  const units = BigInt(`${match[2]}${fraction.slice(0, digits)}`) + (fraction[digits]! >= '5' ? 1n : 0n)
  const signed = Number(units) * (match[1] ? -1 : 1)
  if (!Number.isSafeInteger(signed)) throw new ProviderError('malformed', 'An amount is out of range')
  return signed
}

/** Reports write a hyphen where a metric does not apply. */
const isAbsent = (value: string | null): value is null => value === null || value === '-'
const toCount = (value: string | null): number | null => (isAbsent(value) ? null : toUnits(value, 0))
const toMilli = (value: string | null): number | null => (isAbsent(value) ? null : toUnits(value, 3))

/** Purchases of website, TikTok Shop and app are reported separately and do not overlap. */
function toValue(values: readonly (string | null)[], currency: string): number | null {
  const reported = values.filter((value) => !isAbsent(value))
  return reported.length === 0 ? null : reported.reduce((sum, value) => sum + toMinor(value!, currency), 0)
}

type Switchable = { operation_status: string | null; secondary_status: string | null }
const statuses: Record<string, string> = { ENABLE: 'ACTIVE', DISABLE: 'PAUSED', DELETE: 'DELETED' }
/** Maps to the status values shared by all platforms; unknown values pass unchanged. */
export function toStatus({
  operation_status: operation,
  secondary_status: effective,
}: Switchable): string | null {
  if (/^(CAMPAIGN|ADGROUP|AD)_STATUS_DELETE$/.test(effective ?? '')) return 'DELETED'
  return lookUp(statuses, operation) ?? operation
}

const dailyModes = new Set(['BUDGET_MODE_DAY', 'BUDGET_MODE_DYNAMIC_DAILY_BUDGET'])
export function toBudget(
  source: { budget?: number | null | undefined; budget_mode: string | null },
  currency: string,
): Pick<AdEntityRecord, 'dailyBudgetMinor' | 'lifetimeBudgetMinor'> {
  const amount = source.budget ? toMinor(source.budget, currency) : null
  return {
    dailyBudgetMinor: dailyModes.has(source.budget_mode ?? '') ? amount : null,
    lifetimeBudgetMinor: source.budget_mode === 'BUDGET_MODE_TOTAL' ? amount : null,
  }
}

const objectives: Record<string, string> = {
  LEAD_GENERATION: 'leads',
  WEB_CONVERSIONS: 'sales',
  CONVERSIONS: 'sales',
  PRODUCT_SALES: 'sales',
  CATALOG_SALES: 'sales',
  SHOP_PURCHASES: 'sales',
  TRAFFIC: 'traffic',
  REACH: 'awareness',
  RF_REACH: 'awareness',
  VIDEO_VIEWS: 'awareness',
}

export function toCampaign(source: Campaign, currency: string): SyncRecord {
  const objective = source.objective_type
  return {
    ...newAdEntity('campaign', source.campaign_id, currency, source.campaign_name),
    status: toStatus(source),
    objective: lookUp(objectives, objective) ?? objective?.toLowerCase() ?? null,
    ...toBudget(source, currency),
    aside: fieldsAside(Campaign, source),
  }
}

export function toAdGroupRecords(source: AdGroup, currency: string): SyncRecord[] {
  const targeting: AdTargetingDetail = {
    type: 'ad_detail',
    kind: 'targeting',
    level: 'ad_set',
    externalId: source.adgroup_id,
    // The kind of a targeted audience is not part of the list.
    audienceWarmth: source.audience_ids.length === 0 ? 'cold' : null,
    geo: [...source.location_ids].sort().join('+') || null,
    placement: toPlacement(source),
  }
  return [
    {
      ...newAdEntity('ad_set', source.adgroup_id, currency, source.adgroup_name),
      campaignExternalId: source.campaign_id,
      status: toStatus(source),
      ...toBudget(source, currency),
      aside: fieldsAside(AdGroup, source),
    },
    targeting,
  ]
}

function toPlacement({ placement_type: type, placements }: AdGroup): string | null {
  if (type === 'PLACEMENT_TYPE_AUTOMATIC') return 'automatic'
  const names = placements.map((placement) => placement.replace(/^PLACEMENT_/, '').toLowerCase()).sort()
  return names.join('+') || null
}

/** Covers and sizes by image or video id. */
export type Media = {
  videos: ReadonlyMap<string, z.infer<typeof Video>>
  images: ReadonlyMap<string, z.infer<typeof Image>>
}

function toFormat({ ad_format: format, video_id: video, image_ids: images }: Ad): string | null {
  if (format?.startsWith('CAROUSEL') || (video === null && images.length > 1)) return 'carousel'
  if (format?.includes('VIDEO') || video !== null) return 'video'
  if (format?.includes('IMAGE') || images.length === 1) return 'static'
  return format?.toLowerCase() ?? null
}

export function toAdRecords(source: Ad, currency: string, media: Media): SyncRecord[] {
  const video = source.video_id === null ? undefined : media.videos.get(source.video_id)
  const image = media.images.get(source.image_ids[0] ?? '')
  const size = video ?? image
  const format = toFormat(source)
  const creative = {
    thumbnailUrl: video?.video_cover_url ?? image?.image_url ?? null,
    videoId: source.video_id,
    format,
    title: null,
    body: source.ad_text,
    ctaType: source.call_to_action,
  }
  const tags = new URLSearchParams(
    (source.utm_params ?? []).map(({ key, value }): [string, string] => [key, value]),
  ).toString()
  const detail: AdCreativeDetail = {
    type: 'ad_detail',
    kind: 'creative',
    externalId: source.ad_id,
    ...creative,
    aspectRatioMilli: aspectRatioMilli(size?.width ?? null, size?.height ?? null),
    durationMs: video?.duration ? Math.round(video.duration * 1000) : null,
    cardCount: format === 'carousel' ? source.image_ids.length || null : null,
    landingHost: hostOf(source.landing_page_url),
    destinationUrl: source.landing_page_url,
    urlTags: tags || null,
  }
  return [
    {
      ...newAdEntity('ad', source.ad_id, currency, source.ad_name),
      campaignExternalId: source.campaign_id,
      adSetExternalId: source.adgroup_id,
      status: toStatus(source),
      creative,
      aside: fieldsAside(Ad, source),
    },
    detail,
  ]
}

export function toDelivery({ dimensions, metrics }: ReportRow, level: Level, fallback: string): SyncRecord[] {
  const currency = metrics.currency ?? fallback
  const ids = { campaign: dimensions.campaign_id, ad_set: dimensions.adgroup_id, ad: dimensions.ad_id }
  const externalId = ids[level]
  if (externalId === undefined) throw new ProviderError('malformed', `A delivery row has no ${level} id`)
  const names = { campaign: metrics.campaign_name, ad_set: metrics.adgroup_name, ad: metrics.ad_name }
  const record: DeliveryRecord = {
    type: 'delivery',
    level,
    externalId,
    day: dimensions.stat_time_day,
    spendMinor: toMinor(metrics.spend, currency),
    currency,
    impressions: toCount(metrics.impressions),
    clicks: toCount(metrics.clicks),
    reach: toCount(metrics.reach),
    platformConversionsMilli: toMilli(metrics.conversion),
    platformConversionValueMinor: toValue(
      [
        metrics.total_complete_payment_rate,
        metrics.total_onsite_shopping_value,
        metrics.total_purchase_value,
      ],
      currency,
    ),
    messagingConversationsStarted7d: null,
    entity: {
      name: names[level],
      campaignExternalId: level === 'campaign' ? externalId : idOf(metrics.campaign_id),
      adSetExternalId: level === 'ad_set' ? externalId : idOf(metrics.adgroup_id),
    },
  }
  const attention: AdAttentionDetail = {
    type: 'ad_detail',
    kind: 'attention',
    externalId,
    day: record.day,
    linkClicks: record.clicks,
    // The platform's shortest view is two seconds.
    videoViews: toCount(metrics.video_watched_2s),
    thruplays: null,
    videoP25: toCount(metrics.video_views_p25),
    videoP50: toCount(metrics.video_views_p50),
    videoP75: toCount(metrics.video_views_p75),
    videoP100: toCount(metrics.video_views_p100),
    qualityRanking: null,
  }
  return [{ ...record, aside: fieldsAside(Metrics, metrics) }, ...(level === 'ad' ? [attention] : [])]
}

const idOf = (value: string | null): string | null => (/^\d{1,25}$/.test(value ?? '') ? value : null)

/** GMV Max has no ads; its spend belongs to the campaign. */
export function toGmvMaxDelivery({ dimensions, metrics }: GmvMaxRow, fallback: string): SyncRecord {
  const currency = metrics.currency ?? fallback
  const record: DeliveryRecord = {
    type: 'delivery',
    level: 'campaign',
    externalId: dimensions.campaign_id,
    day: dimensions.stat_time_day,
    spendMinor: toMinor(metrics.cost, currency),
    currency,
    impressions: null,
    clicks: null,
    reach: null,
    platformConversionsMilli: toMilli(metrics.orders),
    platformConversionValueMinor: toValue([metrics.gross_revenue], currency),
    messagingConversationsStarted7d: null,
    entity: { name: null, campaignExternalId: dimensions.campaign_id, adSetExternalId: null },
  }
  return { ...record, aside: fieldsAside(GmvMaxMetrics, metrics) }
}
