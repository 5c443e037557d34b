import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { RevenueType } from '../../contract/fields.ts'
import { limitParam, Pagination, pageQuery } from '../../contract/page.ts'
import { AdLevel, ModelParam, OutcomesByType, rangeQuery, reportMeta } from './fields.ts'

const tag = 'reports'
const access = { kind: 'profile', scopes: ['campaigns:read'] } as const
const errors = ['invalid_date_range'] as const
const text = z.string().nullable()
const number = z.number().nullable()

export const CampaignRow = z.object({
  campaign_id: z.uuid(),
  platform_id: z.string(),
  campaign_name: text,
  spend: z.number(),
  outcome_count: z.int(),
  outcome_value: z.number(),
  roas: number,
  attributed_outcome_count: z.int(),
  attributed_outcomes_by_type: OutcomesByType,
})

export const DetailedRow = CampaignRow.extend({
  entity_level: AdLevel,
  parent_name: text,
  impressions: z.int(),
  clicks: z.int(),
  reach: z
    .int()
    .nullable()
    .describe('Unique accounts as the platform reports them; null where it reports none'),
  ctr: number,
  avg_cpm: number,
  avg_cpc: number,
  cac: number,
  status: text,
  objective: text,
  daily_budget: number,
  campaign_external_id: text,
  ad_set_external_id: text,
  messaging_conversations_started_7d: z.int().nullable(),
})

export const listCampaigns = endpoint({
  name: 'listCampaigns',
  method: 'GET',
  path: '/campaigns',
  summary: 'Spend, return and credited conversions per campaign, ad set or ad',
  description:
    'Ranked by attributed outcome value. With `level` each row carries the detail fields; campaign_id is then the id of the entity at that level.',
  tag,
  access,
  query: z.object({
    ...rangeQuery,
    model: ModelParam,
    limit: limitParam(10, 100),
    level: AdLevel.optional(),
    parent_id: z.uuid().optional().describe('Only what lies in this campaign or ad set, by its campaign_id'),
  }),
  reply: z.array(DetailedRow.partial().extend(CampaignRow.shape)),
  meta: reportMeta,
  errors: [...errors],
})

const entityIds = z
  .string()
  .max(1000)
  .transform((value) => value.split(',').map((id) => id.trim().toLowerCase()))
  .pipe(
    z.array(z.uuid('must be internal ids, the campaign_id values of GET /campaigns')).min(1).max(10, {
      error: 'at most 10 ids',
    }),
  )

export const TrendRow = z.object({
  entity_id: z.uuid(),
  date: z.string(),
  spend: z.number(),
  impressions: z.int(),
  clicks: z.int(),
})

export const campaignTrend = endpoint({
  name: 'campaignTrend',
  method: 'GET',
  path: '/campaigns/trend',
  summary: 'Daily spend, impressions and clicks of some entities',
  description: "One row per entity and day, in the profile's time zone; days without delivery are left out.",
  tag,
  access,
  query: z.object({
    ...rangeQuery,
    entity_ids: entityIds,
    level: AdLevel.default('campaign'),
    model: ModelParam,
  }),
  reply: z.array(TrendRow),
  meta: reportMeta,
  errors: [...errors],
})

export const adTrend = endpoint({
  name: 'adTrend',
  method: 'GET',
  path: '/ads/trend',
  summary: 'Daily delivery of some ads, with conversations started',
  description: "One row per ad and day, in the profile's time zone; days without delivery are left out.",
  tag,
  access,
  query: z.object({ ...rangeQuery, entity_ids: entityIds, model: ModelParam }),
  reply: z.array(TrendRow.extend({ messaging_conversations_started_7d: z.int().nullable() })),
  meta: reportMeta,
  errors: [...errors],
})

export const getUnattributed = endpoint({
  name: 'getUnattributed',
  method: 'GET',
  path: '/campaigns/unattributed',
  summary: 'What no campaign, ad set or ad was credited with',
  description: 'Rows of the report plus this equal all conversions of the range.',
  tag,
  access,
  query: z.object({ ...rangeQuery, model: ModelParam, level: AdLevel.default('campaign') }),
  reply: z.object({
    outcome_count: z.int(),
    outcome_value: z.number(),
    attributed_outcome_count: z.int(),
    attributed_outcomes_by_type: OutcomesByType,
  }),
  meta: reportMeta,
  errors: [...errors],
})

export const listCampaignConversions = endpoint({
  name: 'listCampaignConversions',
  method: 'GET',
  path: '/campaigns/{id}/conversions',
  summary: 'The conversions that a campaign, ad set or ad was credited with',
  description:
    '`id` is the campaign_id of a GET /campaigns row at any level, or a campaign’s platform_id. Newest first. A refund is a row of its own on its own day, with negative amounts. `value` is in the row’s own `currency`, `credited_value` in the reporting currency and null where its exchange rate is missing. Over the same range and model the `credited_value` of all rows with `revenue_type` cash adds up to the `outcome_value` of the GET /campaigns row.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  params: z.object({ id: z.string().min(1).max(200) }),
  query: z.object({ ...rangeQuery, model: ModelParam, ...pageQuery }),
  reply: z.array(
    z.object({
      kind: z.enum(['conversion', 'refund']),
      conversion_id: z.uuid(),
      refund_id: z
        .uuid()
        .nullable()
        .describe('Set on a refund; conversion_id is the conversion it takes money back from'),
      outcome_event_id: z.uuid(),
      outcome_type: z.string(),
      revenue_type: RevenueType,
      occurred_at: z.iso.datetime(),
      value: number,
      currency: text,
      credit: z.number().describe('The share of the conversion that was credited, from 0 to 1'),
      credited_value: number,
    }),
  ),
  beside: { pagination: Pagination },
  meta: reportMeta,
  errors: [...errors, 'campaign_not_found'],
})

export const getAd = endpoint({
  name: 'getAd',
  method: 'GET',
  path: '/ads/{id}',
  summary: 'One ad in a range of days',
  description: '`id` is the campaign_id of a row at the level `ad`, or the ad’s platform_id.',
  tag,
  access,
  params: z.object({ id: z.string().min(1).max(200) }),
  query: z.object({ ...rangeQuery, model: ModelParam }),
  reply: DetailedRow,
  meta: reportMeta,
  errors: [...errors, 'not_found'],
})

const comparisonMeasures = {
  spend: z.number(),
  platform_conversions: number,
  platform_conversion_value: text,
  atribu_conversions: z.int(),
  atribu_cash_conversions: z.int(),
  atribu_cash_revenue: z.string(),
  conversion_gap: number,
  conversion_gap_pct: number,
  value_gap: text,
  platform_roas: number,
  atribu_roas: number,
}

export const comparePlatforms = endpoint({
  name: 'comparePlatforms',
  method: 'GET',
  path: '/campaigns/platform-comparison',
  summary: 'The ad platforms’ own conversions beside ours; the two are never added',
  description: 'What a platform claims under its own rules beside what was credited here.',
  tag,
  access,
  query: z.object({ ...rangeQuery, model: ModelParam, level: AdLevel.default('campaign') }),
  reply: z.object({
    platforms: z.array(
      z.object({
        platform: z.string(),
        ...comparisonMeasures,
        reported_basis: z.string(),
        has_delivery: z.boolean(),
        delivery_through: text,
        unassigned_conversions: z.int(),
        unassigned_cash_revenue: z.string(),
      }),
    ),
    rows: z.array(
      z.object({
        entity_id: z.uuid(),
        entity_level: AdLevel,
        platform: z.string(),
        platform_id: z.string(),
        name: text,
        ...comparisonMeasures,
      }),
    ),
  }),
  meta: reportMeta,
  errors: [...errors],
})

export const getAdIdQuality = endpoint({
  name: 'getAdIdQuality',
  method: 'GET',
  path: '/quality/ad-ids',
  summary: 'How many paid clicks named their ad, and what the others cost in credit',
  description:
    "A paid click that names no ad can be credited to no ad: its tracking template lacks the ad's macro.",
  tag,
  access,
  query: z.object({ ...rangeQuery, model: ModelParam }),
  reply: z.object({
    platforms: z.array(
      z.object({
        platform: z.string(),
        paid_clicks: z.int(),
        with_ad_id: z.int(),
        without_ad_id: z.int(),
        with_ad_id_pct: number,
        unassigned_conversions: z.int(),
        unassigned_cash_revenue: z.string(),
      }),
    ),
    /** Ads that touches of the range named and no platform has told of, at most 100. */
    unknown_ads: z.array(z.object({ ad_id: z.string(), entity_id: z.uuid() })),
    unknown_ads_total: z.int(),
  }),
  meta: reportMeta,
  errors: [...errors],
})

const overviewMeasures = {
  spend: z.number(),
  revenue: z.number().describe('All cash of the profile, refunds subtracted'),
  credited_revenue: z.number().describe('The part of the revenue that campaigns were credited with'),
  payments: z.int(),
}

export const getOverview = endpoint({
  name: 'getOverview',
  method: 'GET',
  path: '/reports/overview',
  summary: 'Spend and revenue of the whole profile, in total and per day',
  description:
    '`roas` is credited revenue over spend; `cac` is spend over credited payments, those with no part outside the campaigns.',
  tag,
  access,
  query: z.object({ ...rangeQuery, model: ModelParam }),
  reply: z.object({
    totals: z.object({ ...overviewMeasures, credited_payments: z.int(), roas: number, cac: number }),
    days: z.array(z.object({ date: z.string(), ...overviewMeasures })),
  }),
  meta: reportMeta,
  errors: [...errors],
})
