import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ModelParam, rangeQuery, refusesAsOf, reportMeta } from '../reports/fields.ts'

export const CohortBy = z.enum(['month', 'campaign', 'channel'])

export const Cohort = z.object({
  key: z
    .string()
    .nullable()
    .describe('The month (YYYY-MM), campaign_id or channel; null for customers without a campaign'),
  name: z.string().nullable(),
  size: z
    .int()
    .describe(
      'Customers whose first payment is in the range and is credited to the cohort, at least in part',
    ),
  spend: z.number().nullable().describe('In the range; null where no exchange rate is known'),
  cumulative_revenue: z
    .array(z.number().nullable())
    .describe(
      'All that these customers paid until the end of each month, refunds subtracted; the first is the month of the first payment',
    ),
  paying_customers: z.array(z.int().nullable()).describe('How many of them paid in that month'),
  payback_month: z
    .int()
    .nullable()
    .describe(
      'The first place at which the revenue has reached the spend; null until then, and without spend',
    ),
})
export type Cohort = z.output<typeof Cohort>

export const getCohorts = endpoint({
  name: 'getCohorts',
  method: 'GET',
  path: '/reports/cohorts',
  summary: 'What new customers pay over the months, and when they have paid back their ads',
  description:
    'Customers by their first payment in the range: by its month, or by the campaign or channel that `model` credits with it, in parts where it divides. All that they ever pay is counted to that cohort. Months are calendar months of the profile. A cell is null until its month is over for every customer of the cohort.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  refused: refusesAsOf,
  query: z.object({
    ...rangeQuery,
    by: CohortBy.default('month'),
    model: ModelParam,
    horizon: z.coerce.number().int().min(1).max(24).default(12).describe('Months after the first'),
  }),
  reply: z.array(Cohort),
  meta: reportMeta,
  revalidates: true,
  errors: ['invalid_date_range', 'service_unavailable'],
})
