/**
 * Maps LinkedIn's accounts, structure and delivery to records. A campaign group is our campaign, a campaign our ad set, a
 * creative our ad. Pure. Fields that LinkedIn omits become null, never zero.
 */
import { z } from 'zod'
import { decimalToNearestMinor } from '../amounts.ts'
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
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { idIn } from './restli.ts'

export type Level = 'campaign' | 'ad_set' | 'ad'

/** Ids are inserted into later queries and paths, so only digits are accepted. */
const entityId = id.refine((value) => /^\d{1,19}$/.test(value), 'not an id')
const urnOf = (kind: string) =>
  z.string().transform((value, context) => {
    const parsedId = idIn(value, kind)
    if (parsedId === null) context.addIssue({ code: 'custom', message: `not a ${kind}` })
    return parsedId ?? ''
  })

export const AdAccount = z.looseObject({
  id: entityId,
  name: text,
  currency: text,
  status: text,
  test: flag,
})
export type AdAccount = z.infer<typeof AdAccount>

const Amount = z.looseObject({ amount: maybeId, currencyCode: text }).nullish()

const groupFields = z.looseObject({
  id: entityId,
  name: text,
  status: text,
  /** Set if the group has the budget instead of its campaigns. */
  dailyBudget: Amount,
  totalBudget: Amount,
})
export const CampaignGroup = groupFields
const campaignFields = z.looseObject({
  id: entityId,
  name: text,
  status: text,
  campaignGroup: urnOf('sponsoredCampaignGroup'),
  objectiveType: text,
  format: text,
  dailyBudget: Amount,
  totalBudget: Amount,
})
export const Campaign = campaignFields

const InlineAd = z.looseObject({ headline: text, description: text, landingPage: text }).nullish()
const creativeFields = z.looseObject({
  /** LinkedIn's pages show a URN; some recorded responses have the number. */
  id: z.union([entityId, urnOf('sponsoredCreative')]),
  name: text,
  campaign: urnOf('sponsoredCampaign'),
  intendedStatus: text,
  /** A reference to a post for most formats; text and spotlight ads are inline. Broken creatives have neither. */
  content: z.looseObject({ reference: text, textAd: InlineAd, spotlight: InlineAd }).nullish(),
  leadgenCallToAction: z.looseObject({ label: text }).nullish(),
})
export const Creative = creativeFields
export type Creative = z.infer<typeof Creative>

const count = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
const DayParts = z.looseObject({ year: z.number().int(), month: z.number().int(), day: z.number().int() })
const decimal = z.union([z.string(), z.number()])

/** Together with `dateRange` and `pivotValues` below the limit of 20 fields per call. */
export const metrics = [
  'costInLocalCurrency',
  'impressions',
  'clicks',
  'externalWebsiteConversions',
  'oneClickLeads',
  'conversionValueInLocalCurrency',
  'landingPageClicks',
  'videoViews',
  'videoFirstQuartileCompletions',
  'videoMidpointCompletions',
  'videoThirdQuartileCompletions',
  'videoCompletions',
] as const

export const AnalyticsRow = z.looseObject({
  dateRange: z.looseObject({ start: DayParts, end: DayParts.nullish() }),
  pivotValues: z.array(z.string()).min(1),
  costInLocalCurrency: decimal,
  impressions: count,
  clicks: count,
  externalWebsiteConversions: count,
  oneClickLeads: count,
  conversionValueInLocalCurrency: decimal.nullish(),
  landingPageClicks: count,
  videoViews: count,
  videoFirstQuartileCompletions: count,
  videoMidpointCompletions: count,
  videoThirdQuartileCompletions: count,
  videoCompletions: count,
})
export type AnalyticsRow = z.infer<typeof AnalyticsRow>

export const toAccount = (account: AdAccount): Account => ({
  id: account.id,
  name: account.name ?? account.id,
  kind: 'ad_account',
  currency: account.currency,
  // Accounts have no time zone; report days are assumed to be in UTC.
  timezone: 'UTC',
})

const statuses: Record<string, string> = { REMOVED: 'DELETED', PENDING_DELETION: 'DELETED' }
export const toStatus = (status: string | null): string | null => lookUp(statuses, status) ?? status

function toMinor(amount: z.infer<typeof Amount>, currency: string): number | null {
  if (amount == null || amount.amount === null) return null
  const minor = decimalToNearestMinor(amount.amount, amount.currencyCode ?? currency)
  return minor === 0 ? null : minor
}

type Budgets = { dailyBudget?: z.infer<typeof Amount>; totalBudget?: z.infer<typeof Amount> }
export const toBudget = ({ dailyBudget, totalBudget }: Budgets, currency: string) => ({
  dailyBudgetMinor: toMinor(dailyBudget, currency),
  lifetimeBudgetMinor: toMinor(totalBudget, currency),
})

export const toCampaignRecord = (group: z.infer<typeof CampaignGroup>, currency: string): SyncRecord => ({
  ...newAdEntity('campaign', group.id, currency, group.name),
  status: toStatus(group.status),
  ...toBudget(group, currency),
  aside: fieldsAside(groupFields, group),
})

export const toAdSetRecord = (campaign: z.infer<typeof Campaign>, currency: string): SyncRecord => ({
  ...newAdEntity('ad_set', campaign.id, currency, campaign.name),
  campaignExternalId: campaign.campaignGroup,
  status: toStatus(campaign.status),
  objective: campaign.objectiveType,
  ...toBudget(campaign, currency),
  aside: fieldsAside(campaignFields, campaign),
})

/** Content of an ad, from its post or from the creative itself. */
export type ShownCreative = NonNullable<AdEntityRecord['creative']> & { destinationUrl: string | null }

/** Without a campaign group: it is taken from the campaign, which was listed before. */
export const toAdRecord = (creative: Creative, shown: ShownCreative | null, currency: string): SyncRecord => {
  const { destinationUrl: _, ...shownFields } = shown ?? { destinationUrl: null }
  return {
    ...newAdEntity('ad', creative.id, currency, creative.name ?? shown?.title ?? shown?.body?.slice(0, 80)),
    adSetExternalId: creative.campaign,
    status: toStatus(creative.intendedStatus),
    creative: shown === null ? null : (shownFields as NonNullable<AdEntityRecord['creative']>),
    aside: fieldsAside(creativeFields, creative),
  }
}

const pivotKinds = {
  campaign: 'sponsoredCampaignGroup',
  ad_set: 'sponsoredCampaign',
  ad: 'sponsoredCreative',
} as const

export function idOfRow(row: AnalyticsRow, level: Level): string {
  const entityId = idIn(row.pivotValues[0], pivotKinds[level])
  if (entityId === null) throw new ProviderError('malformed', 'A row has no entity of its level')
  return entityId
}

export function dayOf({ dateRange }: AnalyticsRow): string {
  const { year, month, day } = dateRange.start
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
    throw new ProviderError('malformed', 'A row has no day')
  return text
}

/** Website conversions and form leads do not overlap; a campaign has one or the other. */
function conversionsMilli(row: AnalyticsRow): number | null {
  const { externalWebsiteConversions: website, oneClickLeads: leads } = row
  return website === null && leads === null ? null : ((website ?? 0) + (leads ?? 0)) * 1000
}

export function toDelivery(row: AnalyticsRow, level: Level, currency: string): SyncRecord {
  const value = row.conversionValueInLocalCurrency
  const record: DeliveryRecord = {
    type: 'delivery',
    level,
    externalId: idOfRow(row, level),
    day: dayOf(row),
    spendMinor: decimalToNearestMinor(row.costInLocalCurrency, currency),
    currency,
    impressions: row.impressions,
    clicks: row.clicks,
    // Reach is not reported by day.
    reach: null,
    platformConversionsMilli: conversionsMilli(row),
    platformConversionValueMinor: value == null ? null : decimalToNearestMinor(value, currency),
    messagingConversationsStarted7d: null,
  }
  return { ...record, aside: fieldsAside(AnalyticsRow, row) }
}

export const toAttention = (row: AnalyticsRow): SyncRecord => ({
  type: 'ad_detail',
  kind: 'attention',
  externalId: idOfRow(row, 'ad'),
  day: dayOf(row),
  linkClicks: row.landingPageClicks,
  videoViews: row.videoViews,
  thruplays: row.videoCompletions,
  videoP25: row.videoFirstQuartileCompletions,
  videoP50: row.videoMidpointCompletions,
  videoP75: row.videoThirdQuartileCompletions,
  videoP100: row.videoCompletions,
  qualityRanking: null,
})
