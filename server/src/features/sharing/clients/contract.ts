import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  Currency,
  CurrencyCode,
  FirstDay,
  Instant,
  LastDay,
  ProfileId,
  WorkspaceParams,
  ZoneName,
} from '../../../platform/contract/fields.ts'
import { ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

const tag = 'workspaces'
const money = z.number().nullable()
const Tag = z.string().trim().min(1).max(40)
const Tags = z.array(Tag).max(20)

const Figures = z.object({
  spend: money.describe('Ad spend; null if the exchange rate is missing'),
  revenue: money.describe('All cash payments of the days, less refunds; null if an exchange rate is missing'),
  credited_revenue: money.describe('Revenue credited to campaigns; null if an exchange rate is missing'),
  payments: z.int().describe('Number of payments'),
  total_roas: z.number().nullable().describe('Revenue divided by spend; null without spend'),
  roas: z.number().nullable().describe('Ad ROAS: credited revenue divided by spend; null without spend'),
})

const Client = z.object({
  profile_id: ProfileId,
  name: z.string().describe('Name of the profile'),
  is_demo: z.boolean().describe('True for sample data'),
  timezone: ZoneName,
  tags: Tags.describe('Tags of the client'),
  currency: z.string().describe('Currency of the amounts in this row'),
  ...Figures.shape,
  fx_missing: z
    .int()
    .describe('Number of facts or days left out of the amounts because an exchange rate is missing'),
  previous: Figures.describe('Figures of the preceding period of the same length'),
  pacing: z
    .object({
      status: z
        .enum(['under', 'on', 'over', 'no_budget'])
        .describe('Status of the platform that is furthest from its budget'),
      pacing_pct: money.describe(
        'Spend so far as a percentage of the planned spend to date; null without a budget',
      ),
      budget: money.describe('Budget of the month in the currency of the account; null without one'),
      spend_mtd: money.describe('Ad spend since the start of the month; null if an exchange rate is missing'),
    })
    .nullable()
    .describe('This month over all ad platforms, as in GET …/pacing; null without spend or budget'),
  health: z
    .object({
      status: z.enum(['ok', 'warning', 'problem', 'unknown']).describe('unknown: never checked'),
      connections: z.int().describe('Number of its connected accounts'),
      broken_connections: z.int().describe('Connections that need to be reconnected'),
      findings: z.int().describe('Open findings of the doctor'),
    })
    .describe('State of its data'),
  alerts: z.int().describe('Broken connections, open findings and firing alerts'),
  recommendations: z.int().describe('Number of open recommendations'),
  last_report: z
    .object({
      report_id: z.uuid().describe('Id of the report'),
      status: z.string().describe('How far the report is'),
      created_at: CreatedAt,
      sent_at: Instant.nullable().describe('When it was sent; null until then'),
    })
    .nullable()
    .describe('Latest report; null if there is none'),
})

export const listClients = endpoint({
  name: 'listClients',
  method: 'GET',
  path: '/workspaces/{workspaceId}/clients',
  summary: 'List the clients of a workspace with figures, pacing, health and last report',
  description:
    'One row per profile that you can open. Days are in each profile’s time zone. Amounts are in `currency` or else in the workspace’s reporting currency, converted at each day’s reference rate. Without either, each row is in its profile’s currency, and there are no totals across several currencies.',
  tag,
  access: { kind: 'user' },
  params: WorkspaceParams,
  query: z.object({ ...rangeQuery, model: ModelParam, currency: Currency.optional() }),
  reply: z.array(Client),
  extra: {
    totals: Figures.extend({
      currency: CurrencyCode,
      previous: Figures.describe('Figures of the preceding period of the same length'),
    })
      .nullable()
      .describe('Totals of all rows except the demo; null if the rows have several currencies'),
  },
  meta: {
    date_from: FirstDay,
    date_to: LastDay,
    previous_from: z.string().describe('Start of the previous range'),
    previous_to: z.string().describe('End of the previous range'),
  },
  errors: ['invalid_date_range', 'not_found'],
})

export const tagClients = endpoint({
  name: 'tagClients',
  method: 'POST',
  path: '/workspaces/{workspaceId}/clients/tags',
  summary: 'Add tags to clients or remove tags',
  description: 'Tags group the clients of a workspace; at most 20 per profile.',
  tag,
  access: { kind: 'workspace', role: 'editor' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_ids: z.array(z.uuid()).min(1).max(200).describe('Ids of profiles'),
    add: Tags.default([]).describe('Tags to add'),
    remove: Tags.default([]).describe('Tags to remove'),
  }),
  reply: z.array(z.object({ profile_id: ProfileId, tags: Tags.describe('Tags of the client') })),
  errors: ['not_found', 'validation_error'],
  example: { body: { profile_ids: ['0190a0b0-0000-7000-8000-000000000001'], add: ['retail'] } },
})
