/** Maps Graph API responses to records. Pure. Fields that the platform omits become null, never zero. */
import { currencyExponent, decimalToMinor, rescaleMinor } from '../amounts.ts'
import {
  type Account,
  type DeliveryRecord,
  type LeadRecord,
  type Pixel,
  ProviderError,
  type SyncRecord,
} from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { fieldsAside } from '../provider-http.ts'
import { newAdEntity } from '../records.ts'
import { toInstant } from '../window.ts'
import {
  Ad,
  type AdAccount,
  AdSet,
  Campaign,
  type Creative,
  type GraphPixel,
  Insight,
  Lead,
} from './replies.ts'

export type Level = 'campaign' | 'ad_set' | 'ad'

export const toAccount = (account: AdAccount): Account => ({
  id: account.id,
  name: account.name ?? account.id,
  kind: 'ad_account',
  currency: account.currency,
  timezone: account.timezone_name,
})

/** Currencies whose budgets the platform counts in whole units, regardless of ISO 4217. */
const wholeUnitCurrencies = new Set('CLP COP CRC HUF ISK IDR JPY KRW PYG TWD VND'.split(' '))
const budgetExponent = (currency: string) => (wholeUnitCurrencies.has(currency) ? 0 : 2)

export function budgetToMinor(budget: string | null, currency: string): number | null {
  // The platform writes "0" for the kind of budget that the entity does not have.
  if (budget === null || Number(budget) === 0) return null
  return rescaleMinor(Number(budget), budgetExponent(currency), currency)
}

/** Inverse of `budgetToMinor`. An amount more precise than the platform's unit is rounded down. */
export function minorToBudget(amountMinor: number, currency: string): number {
  const shift = currencyExponent(currency) - budgetExponent(currency)
  return shift >= 0 ? Math.floor(amountMinor / 10 ** shift) : amountMinor * 10 ** -shift
}

const objectives: Record<string, string> = {
  OUTCOME_LEADS: 'leads',
  LEAD_GENERATION: 'leads',
  OUTCOME_SALES: 'sales',
  CONVERSIONS: 'sales',
  PRODUCT_CATALOG_SALES: 'sales',
  OUTCOME_ENGAGEMENT: 'messaging',
  MESSAGES: 'messaging',
  OUTCOME_TRAFFIC: 'traffic',
  LINK_CLICKS: 'traffic',
  OUTCOME_AWARENESS: 'awareness',
  BRAND_AWARENESS: 'awareness',
  REACH: 'awareness',
}

export function toCampaign(source: Campaign, currency: string): SyncRecord {
  return {
    ...newAdEntity('campaign', source.id, currency, source.name),
    status: source.status,
    objective: lookUp(objectives, source.objective) ?? source.objective?.toLowerCase() ?? null,
    dailyBudgetMinor: budgetToMinor(source.daily_budget, currency),
    lifetimeBudgetMinor: budgetToMinor(source.lifetime_budget, currency),
    aside: fieldsAside(Campaign, source),
  }
}

export function toAdSet(source: AdSet, currency: string): SyncRecord {
  return {
    ...newAdEntity('ad_set', source.id, currency, source.name),
    status: source.status,
    campaignExternalId: source.campaign_id,
    dailyBudgetMinor: budgetToMinor(source.daily_budget, currency),
    lifetimeBudgetMinor: budgetToMinor(source.lifetime_budget, currency),
    aside: fieldsAside(AdSet, source),
  }
}

export function toAd(source: Ad, currency: string): SyncRecord {
  const { creative } = source
  return {
    ...newAdEntity('ad', source.id, currency, source.name),
    status: source.status,
    campaignExternalId: source.campaign_id,
    adSetExternalId: source.adset_id,
    creative: creative
      ? {
          thumbnailUrl: creative.thumbnail_url,
          videoId: creative.video_id,
          format: creativeFormat(creative),
          title: creative.title,
          body: creative.body,
          ctaType: creative.call_to_action_type,
        }
      : null,
    aside: fieldsAside(Ad, source),
  }
}

export function creativeFormat(creative: Creative): string | null {
  if ((creative.object_story_spec?.link_data?.child_attachments?.length ?? 0) > 0) return 'carousel'
  if (creative.video_id !== null || creative.object_type === 'VIDEO') return 'video'
  return creative.object_type === null ? null : 'static'
}

// The platform reports the same action under several names. The first one present is used, the broadest first; a sum would count twice.
const purchaseActions = ['omni_purchase', 'purchase', 'offsite_conversion.fb_pixel_purchase']
const leadActions = ['lead', 'onsite_conversion.lead_grouped', 'offsite_conversion.fb_pixel_lead']
const messagingAction = 'onsite_conversion.messaging_conversation_started_7d'

type Actions = Insight['actions']
const firstAction = (actions: Actions, names: string[]): string | null => {
  for (const name of names) {
    const action = actions?.find(({ action_type }) => action_type === name)
    if (action) return action.value
  }
  return null
}

export function toDelivery(
  source: Insight,
  level: Level,
  fallbackCurrency: string,
  isDeleted = false,
): SyncRecord {
  const currency = source.account_currency ?? fallbackCurrency
  const externalId = { campaign: source.campaign_id, ad_set: source.adset_id, ad: source.ad_id }[level]
  if (externalId === null) throw new ProviderError('malformed', `A delivery row has no ${level} id`)
  const counts = [purchaseActions, leadActions].flatMap((names) => firstAction(source.actions, names) ?? [])
  const value = firstAction(source.action_values, purchaseActions)
  const started = firstAction(source.actions, [messagingAction])
  const record: DeliveryRecord = {
    type: 'delivery',
    level,
    externalId,
    day: source.date_start,
    spendMinor: decimalToMinor(source.spend, currency),
    currency,
    impressions: toCount(source.impressions),
    clicks: toCount(source.clicks),
    reach: toCount(source.reach),
    platformConversionsMilli:
      counts.length === 0 ? null : counts.reduce((sum, count) => sum + roundedUnits(count, 3), 0),
    platformConversionValueMinor: value === null ? null : roundedUnits(value, currencyExponent(currency)),
    messagingConversationsStarted7d: toCount(started),
    entity: {
      name: { campaign: source.campaign_name, ad_set: source.adset_name, ad: source.ad_name }[level],
      campaignExternalId: source.campaign_id,
      adSetExternalId: source.adset_id,
      ...(isDeleted ? { isDeleted: true as const } : {}),
    },
  }
  return { ...record, aside: fieldsAside(Insight, source) }
}

const toCount = (value: string | null): number | null => (value === null ? null : Math.round(Number(value)))

/** Rounds a decimal of any length half up to `digits` decimals, as an integer in units of the last digit. */
export function roundedUnits(value: string, digits: number): number {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value.trim())
  if (!match) return Math.round(Number(value) * 10 ** digits)
  const fraction = (match[3] ?? '').padEnd(digits + 1, '0')
  const units = BigInt(`${match[2]}${fraction.slice(0, digits)}`) + (fraction[digits]! >= '5' ? 1n : 0n)
  return Number(units) * (match[1] ? -1 : 1)
}

export const toPixel = (source: GraphPixel): Pixel => ({
  id: source.id,
  name: source.name,
  created_at: source.creation_time,
  last_fired_at: source.last_fired_time,
  is_unavailable: source.is_unavailable,
  owner_business: source.owner_business
    ? { id: source.owner_business.id, name: source.owner_business.name }
    : null,
})

export function toLead(source: Lead, pageId: string): SyncRecord {
  const occurredAt = toInstant(source.created_time)
  if (occurredAt === null) throw new ProviderError('malformed', 'The lead has no valid time')
  const record: LeadRecord = {
    type: 'lead',
    pageId,
    leadgenId: source.id,
    formId: source.form_id,
    adId: source.ad_id,
    campaignId: source.campaign_id,
    occurredAt,
    fieldData: (source.field_data ?? []).map(({ name, values }) => ({
      name,
      values: /phone|whatsapp/i.test(name) ? values.map(markPhone) : values,
    })),
  }
  return { ...record, aside: fieldsAside(Lead, source) }
}

/** Phone answers get the prefix `p:`, so that spreadsheets do not parse them as numbers. */
const markPhone = (value: string) => (value.startsWith('p:') ? value : `p:${value}`)
