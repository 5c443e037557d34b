import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ConversionId, OccurredAt } from '../../../../platform/contract/fields.ts'
import {
  AdLevel,
  comparisonMeasures,
  ModelParam,
  rangeQuery,
  refusesAsOf,
  reportMeta,
} from '../../../figures/definitions/fields.ts'

export const GapSide = z.object({
  conversions: z
    .number()
    .nullable()
    .describe('Number of conversions on this side; null if the platform reports none'),
  value: z
    .number()
    .nullable()
    .describe('Value of the conversions, in the profile’s currency; null if the platform reports none'),
})

const text = z.string().nullable()

/** Reply of GET /campaigns/platform-comparison. */
export const platformComparison = z.object({
  platforms: z
    .array(
      z.object({
        platform: z.string().describe('Ad platform, for example social_ads'),
        ...comparisonMeasures,
        compared: z
          .object({
            entities: z.int().describe('Campaigns, ad sets or ads with figures from both sides'),
            valued_entities: z.int().describe('Entities for which the platform reports a value'),
            ...comparisonMeasures,
          })
          .describe(
            'Totals of the entities of the level for which the platform reports conversions. Revenue, values and ROAS of both sides cover only the valued_entities, for which the platform also reports a value, if there are any. Null without such entities, and under linear and time_decay, where rows share conversions',
          )
          .nullable(),
        reported_basis: z.string().describe('How the platform assigns a conversion to a day'),
        has_delivery: z.boolean().describe('Whether the platform delivered ads in the range'),
        delivery_through: text.describe('Last day with data from the platform; null if there is none'),
        unassigned_conversions: z
          .int()
          .describe('Conversions credited to the platform but to none of its rows'),
        unassigned_cash_revenue: text.describe(
          'Cash credited to the platform but to none of its rows; null if an exchange rate is missing',
        ),
      }),
    )
    .describe('Figures of each ad platform'),
  rows: z
    .array(
      z.object({
        kind: z
          .enum(['entity', 'not_assigned'])
          .describe('Whether the row is an entity or the part without one'),
        entity_id: z
          .uuid()
          .nullable()
          .describe('Id of the campaign, ad set or ad; null for the part without one'),
        entity_level: AdLevel.describe('campaign, ad_set or ad'),
        platform: z.string().describe('Ad platform, for example social_ads'),
        platform_id: text.describe(
          'The platform’s id of the campaign, ad set or ad; null for the part without one',
        ),
        name: text.describe('Name of the campaign, ad set or ad; null if the platform has not reported it'),
        ...comparisonMeasures,
      }),
    )
    .describe('Figures of each campaign, ad set or ad'),
})

/** In the order of the steps. */
export const GapKind = z.enum([
  'not_seen',
  'untagged_click',
  'platform_modelled_or_delayed',
  'unexplained',
  'not_comparable',
  'different_day',
  'outside_our_lookback',
  'claimed_by_two_platforms',
  'credited_elsewhere',
  'outside_platform_window',
  'refunded',
  'currency',
])

export type GapKind = z.output<typeof GapKind>

export const explainPlatformGap = endpoint({
  name: 'explainPlatformGap',
  method: 'GET',
  path: '/campaigns/platform-comparison/explain',
  summary: 'Why a platform’s count of sales differs from ours, step by step',
  description:
    'Decomposes the difference between the platform’s figures and ours; the steps sum to the gap exactly. `measured` steps are sales we know of that only one side counts, assuming the platform’s usual rule (a click within `click_window_days`, counted on the day of the click); an account with another window counts others. `inferred` steps assign the rest of the platform’s count to the likeliest reasons: sales without a click of the platform (view-through or lost tracking), clicks without an ad, fractional (modelled) conversions, days not yet reported in full. `unexplained` is the remainder. With `entity_id`, one campaign, ad set or ad; with `platform`, all its entities of the level for which it reports conversions. Money of both sides is that of the `valued_entities`, for which it also reports a value, as in GET /campaigns/platform-comparison. A step has money only if its sign fits its conversions; the other money is `not_comparable`. If the platform reports no value, steps are compared by count only and have a value of 0.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  revalidates: true,
  refused: refusesAsOf,
  query: z
    .object({
      ...rangeQuery,
      model: ModelParam,
      level: AdLevel.default('campaign'),
      entity_id: z.uuid().optional().describe('Id of the campaign, ad set or ad'),
      platform: z.string().min(1).max(64).optional().describe('Ad platform, for example social_ads'),
      examples: z.coerce
        .number()
        .int()
        .min(1)
        .max(1000)
        .default(10)
        .describe('Sales listed per step, at most'),
    })
    .refine((query) => (query.entity_id === undefined) !== (query.platform === undefined), {
      message: 'give either entity_id or platform',
    }),
  reply: z.object({
    platform: z.string().describe('Ad platform, for example social_ads'),
    reported_basis: z.string().describe('How the platform assigns a conversion to a day'),
    click_window_days: z.int().describe('The platform’s click-through attribution window in days'),
    entities: z.int().describe('Number of compared entities'),
    valued_entities: z.int().describe('Those whose money is compared'),
    reported: GapSide.describe('Null if the platform reports no conversions'),
    credited: GapSide.describe('Cash that is credited to a campaign, ad set or ad'),
    gap: GapSide.describe('Difference between the platform’s figure and the credit here'),
    steps: z
      .array(
        z.object({
          kind: GapKind.describe('Reason that the step measures or infers'),
          label: z.enum(['measured', 'inferred']).describe('measured: from facts; inferred: by a rule'),
          conversions: z.number().describe('Difference added to the platform’s count; mostly negative'),
          value: z.number().describe('Value of the conversion, in the profile’s currency'),
          sales: z.int().describe('Sales behind the step; for an inferred step, candidate sales'),
          /** The first of `sales`, oldest first. */
          examples: z
            .array(
              z.object({
                conversion_id: ConversionId,
                occurred_at: OccurredAt,
                value: z
                  .number()
                  .nullable()
                  .describe(
                    'Value of the conversion, in the profile’s currency; null if the exchange rate is missing',
                  ),
              }),
            )
            .describe('A few examples'),
        }),
      )
      .describe('The parts of the gap, which add up to it'),
  }),
  meta: reportMeta,
  errors: ['invalid_date_range', 'campaign_not_found'],
  slow: true,
  example: { query: { date_from: '2026-01-01', date_to: '2026-01-31', platform: 'social' } },
})
