import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Currency, Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

const tag = 'workspaces'
const money = z.number().nullable()
const Tag = z.string().trim().min(1).max(40)
const Tags = z.array(Tag).max(20)

const Figures = z.object({
  spend: money,
  revenue: money.describe('All cash payments of the days, less refunds'),
  credited_revenue: money.describe('The part of the revenue credited to campaigns'),
  payments: z.int(),
  total_roas: z.number().nullable().describe('Revenue divided by spend'),
  roas: z.number().nullable().describe('Ad ROAS: credited revenue divided by spend'),
})

const Client = z.object({
  profile_id: z.uuid(),
  name: z.string(),
  is_demo: z.boolean(),
  timezone: z.string(),
  tags: Tags,
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
      pacing_pct: money,
      budget: money,
      spend_mtd: money,
    })
    .nullable()
    .describe('This month over all ad platforms, as in GET …/pacing; null without spend or budget'),
  health: z.object({
    status: z.enum(['ok', 'warning', 'problem', 'unknown']).describe('unknown: never checked'),
    connections: z.int(),
    broken_connections: z.int(),
    findings: z.int().describe('Open findings of the doctor'),
  }),
  alerts: z.int().describe('Broken connections, open findings and firing alerts'),
  recommendations: z.int().describe('Open recommendations'),
  last_report: z
    .object({ report_id: z.uuid(), status: z.string(), created_at: Instant, sent_at: Instant.nullable() })
    .nullable(),
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
    totals: Figures.extend({ currency: z.string(), previous: Figures })
      .nullable()
      .describe('Totals of all rows except the demo; null if the rows have several currencies'),
  },
  meta: {
    date_from: z.string(),
    date_to: z.string(),
    previous_from: z.string(),
    previous_to: z.string(),
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
    profile_ids: z.array(z.uuid()).min(1).max(200),
    add: Tags.default([]),
    remove: Tags.default([]),
  }),
  reply: z.array(z.object({ profile_id: z.uuid(), tags: Tags })),
  errors: ['not_found', 'validation_error'],
  example: { body: { profile_ids: ['0190a0b0-0000-7000-8000-000000000001'], add: ['retail'] } },
})
