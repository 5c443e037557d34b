import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { Instant } from '../../../../platform/contract/fields.ts'
import {
  AdLevel,
  ModelParam,
  rangeQuery,
  refusesAsOf,
  reportMeta,
} from '../../../figures/definitions/fields.ts'

export const GapSide = z.object({
  conversions: z.number().nullable(),
  value: z.number().nullable(),
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
      entity_id: z.uuid().optional(),
      platform: z.string().min(1).max(64).optional(),
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
    platform: z.string(),
    reported_basis: z.string(),
    click_window_days: z.int(),
    entities: z.int().describe('Number of compared entities'),
    valued_entities: z.int().describe('Those whose money is compared'),
    reported: GapSide.describe('Null if the platform reports no conversions'),
    credited: GapSide,
    gap: GapSide,
    steps: z.array(
      z.object({
        kind: GapKind,
        label: z.enum(['measured', 'inferred']),
        conversions: z.number().describe('Difference added to the platform’s count; mostly negative'),
        value: z.number(),
        sales: z.int().describe('Sales behind the step; for an inferred step, candidate sales'),
        /** The first of `sales`, oldest first. */
        examples: z.array(
          z.object({ conversion_id: z.uuid(), occurred_at: Instant, value: z.number().nullable() }),
        ),
      }),
    ),
  }),
  meta: reportMeta,
  errors: ['invalid_date_range', 'campaign_not_found'],
  slow: true,
  example: { query: { date_from: '2026-01-01', date_to: '2026-01-31', platform: 'social' } },
})
