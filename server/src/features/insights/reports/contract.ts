import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CampaignId } from '../../../platform/contract/fields.ts'
import { limitParam, Pagination, pageQuery } from '../../../platform/contract/page.ts'
import {
  AdLevel,
  asOfQuery,
  Calibration,
  CreativeOfAd,
  cac,
  creditMeasures,
  ModelParam,
  newCustomers,
  overviewMeasures,
  rangeQuery,
  refusesAsOf,
  reportMeta,
} from '../../figures/definitions/fields.ts'
import { CampaignRow, CampaignTotal, CreditedConversion, DetailedRow, TrendRow } from './fields.ts'
import { platformComparison } from './gap/contract.ts'

const tag = 'reports'
const access = { kind: 'profile', scopes: ['campaigns:read'] } as const
const errors = ['invalid_date_range'] as const
const text = z.string().nullable()
const number = z.number().nullable()

export const listCampaigns = endpoint({
  name: 'listCampaigns',
  mcp: {
    description:
      'Spend, credited conversions, revenue, ROAS and CAC per campaign, ad set or ad (level), best first. Use parent_id to drill down a level.',
    concise: 'campaign_id platform_id campaign_name status spend outcome_count outcome_value roas cac',
  },
  method: 'GET',
  path: '/campaigns',
  summary: 'Spend, return and credited conversions per campaign, ad set or ad',
  description:
    'Ranked by attributed outcome value. With `level` each row has the detail fields, and campaign_id is the id of the entity at that level. Under `linear` and `time_decay` a payment counts in the outcome_count of every row that has a part of it; outcome_credit is the sum of the parts.',
  tag,
  access,
  revalidates: true,
  query: z.object({
    ...rangeQuery,
    ...asOfQuery,
    model: ModelParam,
    limit: limitParam(10, 100).describe('Rows per page'),
    cursor: pageQuery.cursor.describe('Cursor of the next page, as returned by the previous page'),
    level: AdLevel.optional(),
    parent_id: z.uuid().optional().describe('Only children of this campaign or ad set, by its campaign_id'),
  }),
  reply: z.array(DetailedRow.partial().extend(CampaignRow.shape)),
  extra: { total: CampaignTotal, pagination: Pagination },
  meta: {
    ...reportMeta,
    total_rows: z.int().describe('Number of rows on all pages'),
    truncated: z.boolean().describe('True if this page does not contain all rows'),
  },
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

export const campaignTrend = endpoint({
  name: 'campaignTrend',
  mcp: {
    description:
      'Daily spend, impressions and clicks of up to 10 entity_ids: campaign_id values of list_campaigns, comma-separated.',
  },
  method: 'GET',
  path: '/campaigns/trend',
  summary: 'Daily spend, impressions and clicks of up to 10 entities',
  description: "One row per entity and day, in the profile's time zone; days without delivery are omitted.",
  tag,
  access,
  revalidates: true,
  query: z.object({
    ...rangeQuery,
    ...asOfQuery,
    entity_ids: entityIds.describe('Ids of campaigns, ad sets or ads, separated by commas'),
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
  summary: 'Daily delivery of up to 10 ads, with conversations started',
  description: "One row per ad and day, in the profile's time zone; days without delivery are omitted.",
  tag,
  access,
  revalidates: true,
  query: z.object({
    ...rangeQuery,
    ...asOfQuery,
    entity_ids: entityIds.describe('Ids of campaigns, ad sets or ads, separated by commas'),
    model: ModelParam,
  }),
  reply: z.array(
    TrendRow.extend({
      messaging_conversations_started_7d: z
        .int()
        .nullable()
        .describe(
          'Conversations started within 7 days of a click, as the platform reports them; null if it does not',
        ),
    }),
  ),
  meta: reportMeta,
  errors: [...errors],
})

export const getUnattributed = endpoint({
  name: 'getUnattributed',
  method: 'GET',
  path: '/campaigns/unattributed',
  summary: 'Conversions without credit to a campaign, ad set or ad',
  description: 'The rows of GET /campaigns plus this add up to all conversions of the range.',
  tag,
  access,
  revalidates: true,
  query: z.object({ ...rangeQuery, ...asOfQuery, model: ModelParam, level: AdLevel.default('campaign') }),
  reply: z.object({ ...creditMeasures, ...newCustomers }),
  meta: reportMeta,
  errors: [...errors],
})

export const listCampaignConversions = endpoint({
  name: 'listCampaignConversions',
  method: 'GET',
  path: '/campaigns/{id}/conversions',
  summary: 'Conversions credited to a campaign, ad set or ad',
  description:
    '`id` is the campaign_id of a GET /campaigns row at any level, or a platform_id (campaigns take precedence). Newest first. A refund is a separate row on its own day, with negative amounts. `value` is in the row’s `currency`; `credited_value` is in the reporting currency, or null if the exchange rate is missing. Over the same range and model the `credited_value` of all rows with `revenue_type` cash adds up to the `outcome_value` of the GET /campaigns row.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  revalidates: true,
  params: z.object({
    id: z.string().min(1).max(200).describe('Id of the campaign, or the platform’s id of it'),
  }),
  query: z.object({ ...rangeQuery, model: ModelParam, ...pageQuery }),
  refused: refusesAsOf,
  reply: z.array(CreditedConversion),
  extra: { pagination: Pagination },
  meta: reportMeta,
  errors: [...errors, 'campaign_not_found'],
})

export const getCampaign = endpoint({
  name: 'getCampaign',
  mcp: {
    description:
      'One campaign, ad set or ad in detail. by_model compares its credit under the attribution models; days is its trend.',
    concise: 'campaign_id campaign_name platform status spend outcome_count outcome_value roas by_model',
  },
  method: 'GET',
  path: '/campaigns/{id}',
  summary: 'One campaign, ad set or ad in a range of days',
  description:
    'Its row under `model`, its credit under every model, the platform’s own count for comparison, its parents, and the days with delivery or credit. `id` is the campaign_id of a GET /campaigns row at any level, or a platform_id (campaigns take precedence).',
  tag,
  access,
  revalidates: true,
  params: z.object({
    id: z.string().min(1).max(200).describe('Id of the campaign, or the platform’s id of it'),
  }),
  query: z.object({
    ...rangeQuery,
    ...asOfQuery,
    model: ModelParam.describe('Attribution model of these figures'),
  }),
  reply: DetailedRow.extend({
    platform: z.string().describe('Ad platform, for example social_ads'),
    parents: z
      .array(
        z.object({
          entity_level: AdLevel.describe('campaign, ad_set or ad'),
          campaign_id: CampaignId,
          name: text.describe('Name of the campaign, ad set or ad; null if the platform has not reported it'),
        }),
      )
      .describe('The campaign, then the ad set'),
    platform_conversions: number.describe('Conversions that the platform reports; null if it reports none'),
    platform_conversion_value: text.describe(
      'Value of the conversions that the platform reports; null if it reports none',
    ),
    by_model: z
      .array(
        z.object({
          model: z.enum(models).describe('Attribution model of these figures'),
          outcome_count: creditMeasures.outcome_count,
          outcome_credit: creditMeasures.outcome_credit,
          outcome_value: creditMeasures.outcome_value,
          roas: number.describe('Return on ad spend: credited cash / spend; null without spend'),
          cac,
        }),
      )
      .describe('The figures of each model'),
    days: z
      .array(
        z.object({
          date: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
          spend: number.describe('Ad spend; null if the exchange rate is missing'),
          impressions: z.int().describe('Impressions, as the platform reports them'),
          clicks: z.int().describe('Clicks, as the platform reports them'),
          outcome_count: z.int().describe('Payments that the row has credit for'),
          outcome_value: number.describe('Credited cash, less refunds; null if an exchange rate is missing'),
        }),
      )
      .describe('Figures of each day of the range'),
    creatives: z
      .array(CreativeOfAd)
      .describe(
        'Creative of the ad; for a campaign or ad set, of its six ads with the highest spend. Empty with as_of',
      ),
    calibration: Calibration.nullable().describe(
      'From its latest valid lift or geo study; null without one, and with as_of',
    ),
  }),
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
  revalidates: true,
  params: z.object({ id: z.string().min(1).max(200).describe('Id of the ad, or the platform’s id of it') }),
  query: z.object({ ...rangeQuery, ...asOfQuery, model: ModelParam }),
  reply: DetailedRow,
  meta: reportMeta,
  errors: [...errors, 'not_found'],
})

export const comparePlatforms = endpoint({
  name: 'comparePlatforms',
  mcp: {
    description: 'Conversions claimed by each ad platform next to our credit. Never add the two.',
    concise: 'platforms',
  },
  method: 'GET',
  path: '/campaigns/platform-comparison',
  summary: 'Conversions reported by the ad platforms next to ours; the two are never added',
  description:
    'What a platform reports under its own rules, next to our credit. A platform’s total is the same at every level. One `not_assigned` row per platform contains what does not belong to an entity of the level, such as credit with a campaign and no ad. unassigned_* is credit of paid clicks without an ad, as in GET /quality/ad-ids. delivery_through is the last day with delivery up to date_to, even if before the range.',
  tag,
  access,
  revalidates: true,
  query: z.object({ ...rangeQuery, ...asOfQuery, model: ModelParam, level: AdLevel.default('campaign') }),
  reply: platformComparison,
  meta: reportMeta,
  errors: [...errors],
})

export const getAdIdQuality = endpoint({
  name: 'getAdIdQuality',
  method: 'GET',
  path: '/quality/ad-ids',
  summary: 'Paid clicks with and without an ad id, and the credit lost without one',
  description:
    'A paid click without an ad id is not credited to any ad; usually its tracking template lacks the ad id macro. `unknown_ads` is always current, even with `as_of`, and is not part of `result_hash`.',
  tag,
  access,
  revalidates: true,
  query: z.object({ ...rangeQuery, model: ModelParam, ...asOfQuery }),
  reply: z.object({
    platforms: z
      .array(
        z.object({
          platform: z.string().describe('Ad platform, for example social_ads'),
          paid_clicks: z.int().describe('Visits from paid clicks'),
          with_ad_id: z.int().describe('Paid clicks that named their ad'),
          without_ad_id: z.int().describe('Paid clicks that did not name their ad'),
          with_ad_id_pct: number.describe('Visits that name an ad, in percent; null without visits'),
          unassigned_conversions: z
            .int()
            .describe('Conversions credited to the platform but to none of its rows'),
          unassigned_cash_revenue: text.describe(
            'Cash credited to the platform but to none of its rows; null if an exchange rate is missing',
          ),
        }),
      )
      .describe('Figures of each ad platform'),
    /** Ads that touches of the range name but no platform has listed, at most 100. */
    unknown_ads: z
      .array(
        z.object({
          ad_id: z.string().describe('Id of the ad'),
          entity_id: z.uuid().describe('Id of the campaign, ad set or ad'),
        }),
      )
      .describe('Ad ids in visits that belong to no connected account'),
    unknown_ads_total: z.int().describe('Total number of such ids'),
  }),
  meta: reportMeta,
  errors: [...errors],
})

export const getOverview = endpoint({
  name: 'getOverview',
  mcp: {
    description:
      'Spend, revenue, ROAS and CAC of the whole business in a range of days. Start here for a summary.',
    concise: 'totals',
  },
  method: 'GET',
  path: '/reports/overview',
  summary: 'Spend and revenue of the whole profile, in total and per day',
  description:
    'The totals equal the total row of GET /campaigns: `credited_payments` are payments in which a campaign has a part, `outcome_credit` is the sum of the parts, `roas` is credited revenue over spend (ad ROAS), `total_roas` is all revenue over spend, `cac` is spend over credited payments.',
  tag,
  access,
  revalidates: true,
  query: z.object({ ...rangeQuery, ...asOfQuery, model: ModelParam }),
  reply: z.object({
    totals: z
      .object({
        ...overviewMeasures,
        total_roas: number.describe('Revenue divided by spend; null without spend'),
        credited_payments: z.int().describe('Payments that have credit'),
        outcome_credit: creditMeasures.outcome_credit,
        roas: number.describe('Return on ad spend: credited cash / spend; null without spend'),
        cac: number.describe('Spend per payment; null without payments'),
      })
      .describe('Sums of all rows'),
    days: z
      .array(
        z.object({
          date: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
          ...overviewMeasures,
        }),
      )
      .describe('Figures of each day of the range'),
  }),
  meta: reportMeta,
  errors: [...errors],
})
