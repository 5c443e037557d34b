import { z } from 'zod'
import { adProviders } from '../../../platform/contract/ad-providers.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CurrencyCode,
  ProfileId,
  ProfileIds,
  ProviderName,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const tag = 'insights'
const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11')

export const PacingRow = z.object({
  profile_id: ProfileId,
  provider: ProviderName,
  currency: CurrencyCode,
  month: z.string().describe('Month, YYYY-MM, in the time zone of the profile'),
  budget: z
    .number()
    .nullable()
    .describe('Budget of the month in the currency of the account; null without one'),
  budget_source: z
    .enum(['target', 'platform', 'none'])
    .describe(
      '`target`: set by PUT …/pacing/targets; `platform`: the daily budgets of the campaigns that ran on each day of the month',
    ),
  spend_mtd: z.number().describe('Ad spend since the start of the month'),
  outcomes_mtd: z.int().describe('Payments credited to campaigns of the provider by last touch'),
  revenue_mtd: z
    .number()
    .describe('Cash credited to the provider since the start of the month, less refunds'),
  expected_share: z
    .number()
    .describe('Share of the month’s usual spend that falls on its settled days, by weekday'),
  pacing_pct: z
    .number()
    .nullable()
    .describe(
      'Spend of the settled days relative to the budgeted spend; 100 is on budget. Null without a budget',
    ),
  projected_spend: z.number().nullable().describe('Null with fewer than 14 settled days of history'),
  low: z
    .number()
    .nullable()
    .describe('Lower bound of the 80 % prediction interval; null if the interval is withheld'),
  high: z
    .number()
    .nullable()
    .describe('Upper bound of the 80 % prediction interval; null if the interval is withheld'),
  interval: z
    .object({
      status: z.enum(['shown', 'withheld']).describe('Whether `low` and `high` are shown'),
      reason: z
        .enum(['insufficient_history', 'backtest_failed'])
        .nullable()
        .describe('Why the interval is withheld; null if it is shown'),
      backtest: z
        .object({
          tried: z.int().describe('Number of intervals that were compared with the result'),
          held: z.int().describe('Number of intervals that contained the result'),
        })
        .describe('How often earlier intervals contained the actual figure'),
    })
    .describe(
      'Whether low and high are shown. `backtest`: number of intervals tried on this account’s past, and of those that contained the result; withheld if fewer than half of at least four did',
    ),
  required_daily: z
    .number()
    .nullable()
    .describe('Spend per remaining day needed to meet the budget; null without a budget'),
  status: z.enum(['under', 'on', 'over', 'no_budget']).describe('Whether the spend is on budget'),
  complete_through: z.iso.date().describe('Last settled day; platforms still restate later days'),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
        spend: z.number().nullable().describe('Ad spend; null if the exchange rate is missing'),
        expected: z.number().nullable().describe('Expected spend of the day; null if the day is settled'),
      }),
    )
    .describe('Every day of the month: its spend, and the expected spend of days that are not settled'),
})

export const getPacing = endpoint({
  name: 'getPacing',
  mcp: {
    description: 'Spend of the month against its budget with a forecast, per ad platform.',
    concise: 'provider currency month budget spend_mtd projected_spend low high required_daily status',
  },
  method: 'GET',
  path: '/workspaces/{workspaceId}/pacing',
  summary: 'Month-to-date spend and outcomes against budget, with a forecast',
  description:
    'One row per profile and provider, in the profile’s currency. The forecast averages models with a constant, drifting, random-walk or autocorrelated level, weighted by their fit to up to 84 settled days of the account, with weekday effects and off days. Today and the two days before are excluded, because platforms still restate them. The forecast never exceeds what the platforms can spend given their budgets. The status tolerates 25 % at the beginning of the month and 1 % at its end.',
  tag,
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({
    month: Month.optional().describe('Default: the current month'),
    profile_ids: ProfileIds,
  }),
  reply: z.array(PacingRow),
  errors: ['invalid_parameter', 'not_found'],
})

export const PacingTarget = z.object({
  profile_id: ProfileId,
  provider: ProviderName,
  month: z.string().describe('Month, YYYY-MM, in the time zone of the profile'),
  budget: z
    .number()
    .nullable()
    .describe('Budget of the month in the currency of the account; null without one'),
  currency: CurrencyCode,
})

export const setPacingTarget = endpoint({
  name: 'setPacingTarget',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/pacing/targets',
  summary: 'Set the budget of a profile at a provider for a month',
  description:
    'In the profile’s currency. `budget: null` removes the target, so that the daily budgets at the platform are used again. Needs `campaigns:apply` on the profile.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_id: ProfileId,
    provider: z.enum(adProviders).describe('Provider of the account, for example social_ads'),
    month: Month.describe('Month, YYYY-MM, in the time zone of the profile'),
    budget: z
      .union([z.number(), z.string().max(40)])
      .nullable()
      .describe('Budget of the month in the currency of the account; null without one'),
  }),
  reply: PacingTarget,
  errors: ['forbidden', 'not_found', 'validation_error'],
  example: {
    body: {
      profile_id: '0190a0b0-0000-7000-8000-000000000001',
      provider: 'social_ads',
      month: '2026-11',
      budget: 6000,
    },
  },
})
