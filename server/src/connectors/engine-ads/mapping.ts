/** Maps Ads API rows to records. Pure. Fields that the platform omits become null, never zero. */
import { z } from 'zod'
import { currencyExponent } from '../amounts.ts'
import { type Account, type DeliveryRecord, ProviderError, type SyncRecord } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { fieldsAside } from '../provider-http.ts'
import { newAdEntity } from '../records.ts'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { parsedOrSetAside } from '../set-aside.ts'

export type Level = 'campaign' | 'ad_set' | 'ad'

const AdText = z.looseObject({ text })
export const Customer = z.looseObject({
  id,
  descriptiveName: text,
  currencyCode: text,
  timeZone: text,
  manager: flag,
})
/** Ids are inserted into later queries, so only digits are accepted. */
const entityId = id.refine((value) => /^\d{1,19}$/.test(value), 'not an id')
const Campaign = z.looseObject({ id: entityId, name: text, status: text })
const Budget = z.looseObject({ resourceName: text, amountMicros: maybeId, totalAmountMicros: maybeId })
const AdGroup = z.looseObject({ id: entityId, name: text, status: text })
const AdGroupAd = z.looseObject({
  status: text,
  ad: z.looseObject({
    id: entityId,
    name: text,
    type: text,
    imageAd: z.looseObject({ imageUrl: text }).nullish(),
    videoAd: z.looseObject({ video: z.looseObject({ asset: text }).nullish() }).nullish(),
    responsiveSearchAd: z
      .looseObject({ headlines: z.array(AdText).nullish(), descriptions: z.array(AdText).nullish() })
      .nullish(),
  }),
})
const Metrics = z.looseObject({
  costMicros: id,
  impressions: maybeId,
  clicks: maybeId,
  conversions: z.number().nullish(),
  conversionsValue: z.number().nullish(),
})

/** A row contains only the resources that its query selects. */
export const Row = z.looseObject({
  customer: Customer.nullish(),
  customerClient: Customer.nullish(),
  campaign: Campaign.nullish(),
  campaignBudget: Budget.nullish(),
  adGroup: AdGroup.nullish(),
  adGroupAd: AdGroupAd.nullish(),
  metrics: Metrics.nullish(),
  segments: z.looseObject({ date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) }).nullish(),
})
export type Row = z.infer<typeof Row>

/** The stream is one list of batches; a batch without rows has no `results`. */
export const Stream = z.array(
  z.looseObject({ results: z.array(parsedOrSetAside('row', Row)).nullish(), error: z.unknown().optional() }),
)

function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new ProviderError('malformed', `A row has no ${name}`)
  return value
}

export const toAccount = (customer: z.infer<typeof Customer>): Account => ({
  id: customer.id,
  name: customer.descriptiveName ?? customer.id,
  kind: 'ad_account',
  currency: customer.currencyCode,
  timezone: customer.timeZone,
})

/** Converts millionths of the currency's unit to minor units, rounded half up. */
export function microsToMinor(micros: string, currency: string): number {
  if (!/^-?\d+$/.test(micros)) throw new ProviderError('malformed', 'An amount is not a whole number')
  const divisor = 10n ** BigInt(6 - currencyExponent(currency))
  const value = BigInt(micros)
  const rounded = (value * 2n + divisor) / (divisor * 2n)
  const exact = value >= 0n ? rounded : -((-value * 2n + divisor) / (divisor * 2n))
  return Number(exact)
}

export const minorToMicros = (amountMinor: number, currency: string): string =>
  String(BigInt(amountMinor) * 10n ** BigInt(6 - currencyExponent(currency)))

const statuses: Record<string, string> = { ENABLED: 'ACTIVE', PAUSED: 'PAUSED', REMOVED: 'DELETED' }
/** Maps to the status values shared by all platforms; unknown values pass unchanged. */
export const toStatus = (status: string | null): string | null => lookUp(statuses, status) ?? status

const budgetMinor = (micros: string | null | undefined, currency: string): number | null =>
  micros === null || micros === undefined || micros === '0' ? null : microsToMinor(micros, currency)

export function toBudget(row: Row, currency: string) {
  return {
    dailyBudgetMinor: budgetMinor(row.campaignBudget?.amountMicros, currency),
    lifetimeBudgetMinor: budgetMinor(row.campaignBudget?.totalAmountMicros, currency),
  }
}

export function toCampaign(row: Row, currency: string): SyncRecord {
  const campaign = required(row.campaign, 'campaign')
  return {
    ...newAdEntity('campaign', campaign.id, currency, campaign.name),
    status: toStatus(campaign.status),
    ...toBudget(row, currency),
    aside: fieldsAside(Campaign, campaign),
  }
}

export function toAdGroup(row: Row, currency: string): SyncRecord {
  const adGroup = required(row.adGroup, 'ad group')
  return {
    ...newAdEntity('ad_set', adGroup.id, currency, adGroup.name),
    campaignExternalId: required(row.campaign, 'campaign').id,
    status: toStatus(adGroup.status),
    aside: fieldsAside(AdGroup, adGroup),
  }
}

export function toAd(row: Row, currency: string): SyncRecord {
  const { ad, status } = required(row.adGroupAd, 'ad')
  const headline = ad.responsiveSearchAd?.headlines?.[0]?.text ?? null
  return {
    ...newAdEntity('ad', ad.id, currency),
    campaignExternalId: required(row.campaign, 'campaign').id,
    adSetExternalId: required(row.adGroup, 'ad group').id,
    // Search ads seldom have a name; people recognise them by the first headline.
    name: ad.name ?? headline ?? ad.id,
    status: toStatus(status),
    creative: {
      thumbnailUrl: ad.imageAd?.imageUrl ?? null,
      videoId: ad.videoAd?.video?.asset ?? null,
      format: toFormat(ad.type),
      title: headline,
      body: ad.responsiveSearchAd?.descriptions?.[0]?.text ?? null,
      ctaType: null,
    },
    aside: fieldsAside(AdGroupAd.shape.ad, ad),
  }
}

function toFormat(type: string | null): string | null {
  if (type === null) return null
  if (type.includes('VIDEO')) return 'video'
  if (type.includes('IMAGE')) return 'static'
  return type.toLowerCase()
}

export function toDelivery(row: Row, level: Level, currency: string): SyncRecord {
  const campaign = required(row.campaign, 'campaign')
  const metrics = required(row.metrics, 'metrics')
  const entity = {
    campaign: () => campaign,
    ad_set: () => required(row.adGroup, 'ad group'),
    ad: () => required(row.adGroupAd, 'ad').ad,
  }[level]()
  const exponent = currencyExponent(currency)
  const record: DeliveryRecord = {
    type: 'delivery',
    level,
    externalId: entity.id,
    day: required(row.segments, 'date').date,
    spendMinor: microsToMinor(metrics.costMicros, currency),
    currency,
    impressions: toCount(metrics.impressions),
    clicks: toCount(metrics.clicks),
    // The platform reports no reach by day.
    reach: null,
    platformConversionsMilli: toUnits(metrics.conversions, 3),
    platformConversionValueMinor: toUnits(metrics.conversionsValue, exponent),
    messagingConversationsStarted7d: null,
    entity: {
      name: entity.name,
      campaignExternalId: campaign.id,
      adSetExternalId: row.adGroup?.id ?? null,
    },
  }
  return { ...record, aside: fieldsAside(Metrics, metrics) }
}

const toCount = (value: string | null): number | null => (value === null ? null : Number(value))

/** The platform sends binary floating-point numbers; they are rounded to the nearest whole unit. */
const toUnits = (value: number | null | undefined, digits: number): number | null =>
  typeof value === 'number' ? Math.round(Number(`${value}e${digits}`)) : null
