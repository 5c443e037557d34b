import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ModelParam, rangeQuery, refusesAsOf, reportMeta } from '../../figures/definitions/fields.ts'

export const CohortBy = z.enum(['month', 'campaign', 'channel'])

export const Cohort = z.object({
  key: z
    .string()
    .nullable()
    .describe('The month (YYYY-MM), campaign_id or channel; null for customers without a campaign'),
  name: z.string().nullable().describe('Name of the group; null for customers without one'),
  size: z
    .int()
    .describe(
      'Customers whose first payment is in the range and is credited to the cohort, at least in part',
    ),
  spend: z.number().nullable().describe('Spend in the range; null if no exchange rate is known'),
  cumulative_revenue: z
    .array(z.number().nullable())
    .describe(
      'Cumulative payments of these customers less refunds at the end of each month; index 0 is the month of the first payment',
    ),
  paying_customers: z.array(z.int().nullable()).describe('Number of them who paid in that month'),
  payback_month: z
    .int()
    .nullable()
    .describe('First index at which cumulative revenue reaches spend; null if it has not, and without spend'),
})
export type Cohort = z.output<typeof Cohort>

export const CohortTotal = Cohort.omit({ key: true, name: true }).extend({
  size: z
    .int()
    .describe(
      'Customers whose first payment is in the range, each once; rows that share a customer add up to more',
    ),
})

export const getCohorts = endpoint({
  name: 'getCohorts',
  method: 'GET',
  path: '/reports/cohorts',
  summary: 'Revenue of new customers over the months, and when it pays back the ad spend',
  description:
    'Groups customers with their first payment in the range by its month, or by the campaign or channel credited with it under `model` (divided among several if the model does). All later payments count towards the same cohort. Months are calendar months in the profile’s time zone. A cell is null until its month is over for every customer of the cohort.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  refused: refusesAsOf,
  query: z.object({
    ...rangeQuery,
    by: CohortBy.default('month').describe('How customers are grouped into cohorts'),
    model: ModelParam,
    horizon: z.coerce.number().int().min(1).max(24).default(12).describe('Number of months after the first'),
  }),
  reply: z.array(Cohort),
  extra: { total: CohortTotal.describe('All customers of the range, followed like a row') },
  meta: reportMeta,
  revalidates: true,
  errors: ['invalid_date_range', 'service_unavailable'],
})
