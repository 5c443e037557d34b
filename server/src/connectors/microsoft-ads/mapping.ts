/** Maps campaigns, ad groups, ads and report rows to records. Pure. */
import { z } from 'zod'
import { isDay } from '../../platform/contract/dates.ts'
import { hostOf } from '../ad-details.ts'
import { currencyExponent } from '../amounts.ts'
import { type DeliveryRecord, ProviderError, type SyncRecord } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { fieldsAside } from '../provider-http.ts'
import { newAdEntity } from '../records.ts'
import { maybeId, text } from '../reply-fields.ts'
import type { ReportRow } from './reports.ts'

/** 64-bit ids, which the platform sends as text. */
export const isLongId = (value: string | undefined): value is string => /^[1-9]\d{0,18}$/.test(value ?? '')
const longId = z.union([z.string(), z.number()]).transform(String).refine(isLongId)

const urlOptions = { FinalUrlSuffix: text, TrackingUrlTemplate: text }
export const Campaign = z.looseObject({
  Id: longId,
  Name: text,
  Status: text,
  CampaignType: text,
  DailyBudget: z.number().nullish(),
  BudgetType: text,
  /** Id of a shared budget; 0 or absent if the campaign has its own. */
  BudgetId: maybeId,
  ...urlOptions,
})
export const AdGroup = z.looseObject({ Id: longId, Name: text, Status: text, ...urlOptions })

/** Link to a headline, a description or an image; for images only the link is available. */
const AssetLink = z.looseObject({ Asset: z.looseObject({ Text: text }).nullish() })
const assets = z.array(AssetLink.nullable()).nullish()
export const Ad = z.looseObject({
  Id: longId,
  Type: text,
  Status: text,
  FinalUrls: z.array(z.string()).nullish(),
  Headlines: assets,
  LongHeadlines: assets,
  Descriptions: assets,
  /** Expanded text ads. */
  TitlePart1: text,
  TitlePart2: text,
  TitlePart3: text,
  Text: text,
  TextPart2: text,
  /** Older text ads and app install ads. */
  Title: text,
  /** Older audience ads. */
  Headline: text,
  PromotionalText: text,
  CallToAction: text,
  ...urlOptions,
})
export type Campaign = z.infer<typeof Campaign>
export type AdGroup = z.infer<typeof AdGroup>
export type Ad = z.infer<typeof Ad>

const statuses: Record<string, string> = {
  Active: 'ACTIVE',
  Paused: 'PAUSED',
  BudgetPaused: 'PAUSED',
  BudgetAndManualPaused: 'PAUSED',
  Inactive: 'PAUSED',
  Deleted: 'DELETED',
}
/** Maps to the status values shared by all platforms; unknown values pass unchanged. */
export const toStatus = (status: string | null): string | null => lookUp(statuses, status) ?? status

/** `DailyBudget` is also the amount of a lifetime budget. A shared budget is not reported as the campaign's. */
export function toBudget({ DailyBudget, BudgetType, BudgetId }: Campaign, currency: string) {
  const isShared = BudgetId !== null && BudgetId !== '0'
  const amount =
    DailyBudget == null || DailyBudget <= 0 || isShared ? null : toMinor(String(DailyBudget), currency)
  const isLifetime = BudgetType?.startsWith('Lifetime') === true
  return {
    dailyBudgetMinor: isLifetime ? null : amount,
    lifetimeBudgetMinor: isLifetime ? amount : null,
  }
}

export const toCampaign = (campaign: Campaign, currency: string): SyncRecord => ({
  ...newAdEntity('campaign', campaign.Id, currency, campaign.Name),
  status: toStatus(campaign.Status),
  ...toBudget(campaign, currency),
  aside: fieldsAside(Campaign, campaign),
})

export const toAdGroup = (adGroup: AdGroup, campaignId: string, currency: string): SyncRecord => ({
  ...newAdEntity('ad_set', adGroup.Id, currency, adGroup.Name),
  campaignExternalId: campaignId,
  status: toStatus(adGroup.Status),
  aside: fieldsAside(AdGroup, adGroup),
})

export type UrlOptions = { FinalUrlSuffix: string | null; TrackingUrlTemplate: string | null }
type Parents = { account: UrlOptions; campaign: Campaign; adGroup: AdGroup }

export function toAdRecords(ad: Ad, { account, campaign, adGroup }: Parents, currency: string): SyncRecord[] {
  const headlines = [
    ...textsOf(ad.Headlines),
    ...textsOf(ad.LongHeadlines),
    ...[ad.TitlePart1, ad.TitlePart2, ad.TitlePart3, ad.Title, ad.Headline].filter(isText),
  ]
  const descriptions = [
    ...textsOf(ad.Descriptions),
    ...[ad.Text, ad.TextPart2, ad.PromotionalText].filter(isText),
  ]
  const creative = {
    format: toFormat(ad.Type),
    title: joined(headlines, ' | '),
    body: joined(descriptions, ' '),
    ctaType: ad.CallToAction,
    thumbnailUrl: null,
    videoId: null,
  }
  const destinationUrl = ad.FinalUrls?.[0] ?? null
  return [
    {
      ...newAdEntity('ad', ad.Id, currency),
      campaignExternalId: campaign.Id,
      adSetExternalId: adGroup.Id,
      // Ads have no name; people recognise them by the first headline.
      name: headlines[0] ?? descriptions[0] ?? ad.Id,
      status: toStatus(ad.Status),
      creative,
      aside: fieldsAside(Ad, ad),
    },
    {
      type: 'ad_detail',
      kind: 'creative',
      externalId: ad.Id,
      ...creative,
      aspectRatioMilli: null,
      durationMs: null,
      cardCount: null,
      landingHost: hostOf(destinationUrl),
      destinationUrl,
      urlTags: urlTagsOf([ad, adGroup, campaign, account]),
    },
  ]
}

const isText = (value: string | null): value is string => value !== null
const textsOf = (links: z.infer<typeof assets>): string[] =>
  (links ?? []).map((link) => link?.Asset?.Text ?? null).filter(isText)
const joined = (parts: string[], separator: string): string | null =>
  parts.length === 0 ? null : parts.join(separator)

const formats: Record<string, string> = {
  ResponsiveSearch: 'search',
  ExpandedText: 'search',
  DynamicSearch: 'search',
  Text: 'search',
  ResponsiveAd: 'static',
  Image: 'static',
}
const toFormat = (type: string | null): string | null => lookUp(formats, type) ?? type?.toLowerCase() ?? null

/** The most specific level wins. Parameters of a tracking template are treated like a suffix. */
function urlTagsOf(levels: readonly UrlOptions[]): string | null {
  const suffix = levels.map((level) => level.FinalUrlSuffix).find(isText)
  const template = levels.map((level) => level.TrackingUrlTemplate).find(isText)
  return suffix ?? template?.split('?').slice(1).join('?') ?? null
}

const reportNumber = /^(-?)(\d+)(?:\.(\d+))?$/
const withoutCommas = (value: string) => value.replaceAll(',', '').trim()

/** Parses a decimal to units of `digits` decimals, rounded half up. */
function toUnits(value: string, digits: number): number {
  const match = reportNumber.exec(withoutCommas(value))
  if (match === null) throw new ProviderError('malformed', 'A figure is not a decimal number')
  const [, sign, whole, fraction = ''] = match
  const truncated = BigInt(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)
  const units = Number(truncated + (Number(fraction[digits] ?? 0) >= 5 ? 1n : 0n))
  if (!Number.isSafeInteger(units)) throw new ProviderError('malformed', 'A figure is out of range')
  return sign === '-' ? -units : units
}

export const toMinor = (value: string, currency: string): number => toUnits(value, currencyExponent(currency))

/** Empty and `--` mean that there is no value. */
const orNull = (value: string | undefined, digits: number): number | null =>
  value === undefined || ['', '--', 'null'].includes(value.trim()) ? null : toUnits(value, digits)

export type DeliveryColumns = { level: DeliveryRecord['level']; idColumn: string; nameColumn: string | null }

export function toDelivery(
  row: ReportRow,
  columns: DeliveryColumns,
  accountCurrency: string,
): DeliveryRecord[] {
  const externalId = row[columns.idColumn]
  // Campaigns without ad groups or ads have rows without their id; the spend is in the campaign's row.
  if (externalId === undefined || externalId === '' || externalId === '0') return []
  if (!isLongId(externalId)) throw new ProviderError('malformed', 'A row has no valid entity id')
  const day = row.TimePeriod ?? ''
  if (!isDay(day)) throw new ProviderError('malformed', 'A row has no valid day')
  const currency = row.CurrencyCode || accountCurrency
  const isReported = (value: string | undefined): string | null => (isLongId(value) ? value : null)
  return [
    {
      type: 'delivery',
      level: columns.level,
      externalId,
      day,
      spendMinor: toMinor(row.Spend ?? '', currency),
      currency,
      impressions: orNull(row.Impressions, 0),
      clicks: orNull(row.Clicks, 0),
      reach: null,
      platformConversionsMilli: orNull(row.ConversionsQualified ?? row.Conversions, 3),
      platformConversionValueMinor: orNull(row.Revenue, currencyExponent(currency)),
      messagingConversationsStarted7d: null,
      entity: {
        name: (columns.nameColumn === null ? '' : row[columns.nameColumn]) || null,
        campaignExternalId: isReported(row.CampaignId),
        adSetExternalId: columns.level === 'ad' ? isReported(row.AdGroupId) : null,
      },
    },
  ]
}

const sum = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b)

/** Reports have one row per combination of all attributes: rows of the same entity and day are merged. */
export function mergeDelivery(records: readonly DeliveryRecord[]): DeliveryRecord[] {
  const merged = new Map<string, DeliveryRecord>()
  for (const record of records) {
    const key = `${record.externalId} ${record.day}`
    const before = merged.get(key)
    merged.set(
      key,
      before === undefined
        ? record
        : {
            ...record,
            spendMinor: before.spendMinor + record.spendMinor,
            impressions: sum(before.impressions, record.impressions),
            clicks: sum(before.clicks, record.clicks),
            platformConversionsMilli: sum(before.platformConversionsMilli, record.platformConversionsMilli),
            platformConversionValueMinor: sum(
              before.platformConversionValueMinor,
              record.platformConversionValueMinor,
            ),
          },
    )
  }
  return [...merged.values()]
}
