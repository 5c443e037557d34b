import { z } from 'zod'
import { adProviders } from '../../../platform/contract/ad-providers.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'

const tag = 'insights'
const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11')

export const PacingRow = z.object({
  profile_id: z.uuid(),
  provider: z.string(),
  currency: z.string(),
  month: z.string(),
  budget: z.number().nullable(),
  budget_source: z
    .enum(['target', 'platform', 'none'])
    .describe(
      'A target that was set, else the daily budgets of the campaigns that ran on each day of the month',
    ),
  spend_mtd: z.number(),
  outcomes_mtd: z.int().describe('Payments credited to campaigns of the provider by last touch'),
  revenue_mtd: z.number(),
  expected_share: z
    .number()
    .describe('Part of the month’s usual spend that its settled days hold, by weekday'),
  pacing_pct: z
    .number()
    .nullable()
    .describe('Spend of the settled days over what the budget expects of them; 100 is on budget'),
  projected_spend: z.number().nullable().describe('Null where fewer than 14 settled days are known'),
  low: z
    .number()
    .nullable()
    .describe('About 80 of 100 such months end between low and high; null where the interval is withheld'),
  high: z.number().nullable(),
  interval: z
    .object({
      status: z.enum(['shown', 'withheld']),
      reason: z.enum(['insufficient_history', 'backtest_failed']).nullable(),
      backtest: z.object({ tried: z.int(), held: z.int() }),
    })
    .describe(
      'Whether low and high are shown. `backtest`: how often such an interval held on past days of this account; withheld where it held in less than half of four or more',
    ),
  required_daily: z.number().nullable().describe('Per remaining day, to end on the budget'),
  status: z.enum(['under', 'on', 'over', 'no_budget']),
  complete_through: z.iso.date().describe('The last day that platforms no longer restate'),
  days: z
    .array(z.object({ day: z.iso.date(), spend: z.number().nullable(), expected: z.number().nullable() }))
    .describe('Every day of the month: what was spent, and what is expected of days that are not settled'),
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
    'One row per profile and provider, each in its profile’s currency. The forecast averages models of a level that is frozen, wanders, drifts or has moods, weighed by how well they fit up to 84 settled days of the account, with weekday effects and weekdays that are off; today and the two days before it, which platforms still restate, are left out, and it stays within what the platforms can spend of their budgets. The status allows 25 % either way at the month’s beginning and 1 % at its end.',
  tag,
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({ month: Month.optional().describe('This month unless given'), profile_ids: ProfileIds }),
  reply: z.array(PacingRow),
  errors: ['invalid_parameter', 'not_found'],
})

export const PacingTarget = z.object({
  profile_id: z.uuid(),
  provider: z.string(),
  month: z.string(),
  budget: z.number().nullable(),
  currency: z.string(),
})

export const setPacingTarget = endpoint({
  name: 'setPacingTarget',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/pacing/targets',
  summary: 'Set what a profile means to spend at a provider in a month',
  description:
    'In the profile’s currency. `budget: null` takes the target away, and the daily budgets at the platform count again. Needs `campaigns:apply` on the profile.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_id: z.uuid(),
    provider: z.enum(adProviders),
    month: Month,
    budget: z.union([z.number(), z.string().max(40)]).nullable(),
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
