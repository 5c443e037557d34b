import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  ConversionId,
  Instant,
  OccurredAt,
  OutcomeType,
  RevenueType,
} from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'
import { ExplainedTouch } from '../../attribution/crediting/contract.ts'

const tag = 'visitors'
const text = z.string().nullable()

export const Visitor = z.object({
  identifier_id: z.uuid().describe('The device or account of the visitor'),
  customer_id: z.uuid().describe('The customer it belongs to; equal to identifier_id if none is known'),
  is_identified: z.boolean().describe('True if the customer has more than a visitor id'),
  last_visit: ExplainedTouch.pick({
    occurred_at: true,
    channel: true,
    origin: true,
    platform: true,
    is_direct: true,
    campaign: true,
    ad_set: true,
    ad: true,
  })
    .extend({
      landing_path: text.describe('Path of the first page; null if it is not known'),
      referrer_host: text.describe('Host of the page that linked here; null if there is none'),
    })
    .describe('The last visit'),
})

export const listVisitors = endpoint({
  name: 'listVisitors',
  method: 'GET',
  path: '/visitors',
  summary: 'Visitors, most recent first',
  description:
    'Each device or account once, with its last visit. No personal data: use `GET /customers/{id}` to see who a customer is. Visits known only from a provider’s record are not included.',
  tag,
  access: { kind: 'profile', scopes: ['visitors:read'] },
  query: z.object({ ...pageQuery }),
  reply: z.array(Visitor),
  extra: { pagination: Pagination },
})

export const getRealtime = endpoint({
  name: 'getRealtime',
  method: 'GET',
  path: '/realtime',
  summary: 'Live activity on the site',
  description:
    'Activity of the last 30 minutes from events as they arrive, before attribution. Bots are excluded. With more than 20,000 events, only the newest are counted and `is_sampled` is true.',
  tag,
  access: { kind: 'profile', scopes: ['realtime:read'] },
  reply: z.object({
    as_of: Instant.describe('Day or time to which the figures refer'),
    window_minutes: z.int().describe('Minutes that the figures cover'),
    active_visitors: z
      .int()
      .describe(
        'Visitors reported by the tracker, or by a server with a page, a click or an ad, in the last 5 minutes; an outcome alone is not a visit',
      ),
    events: z.int().describe('Number of events'),
    is_sampled: z.boolean().describe('Whether the figures come from a sample'),
    minutes: z
      .array(
        z.object({
          minute: Instant.describe('Start of the minute'),
          events: z.int().describe('Number of events'),
          visitors: z.int().describe('Number of visitors'),
        }),
      )
      .describe('One entry per minute, oldest first'),
    pages: z
      .array(
        z.object({
          path: z.string().describe('Path of the page'),
          views: z.int().describe('Number of page views'),
          visitors: z.int().describe('Number of visitors'),
        }),
      )
      .describe('The ten most viewed'),
    channels: z
      .array(
        z.object({
          channel: z.string().describe('Channel, for example paid_social'),
          visits: z.int().describe('Number of visits'),
        }),
      )
      .describe('Visits of the last 30 minutes by channel'),
    conversions: z
      .array(
        z.object({
          conversion_id: ConversionId,
          outcome_type: OutcomeType,
          revenue_type: RevenueType,
          occurred_at: OccurredAt,
          value: z
            .number()
            .nullable()
            .describe('Value of the conversion, in the profile’s currency; null if it has none'),
          currency: text.describe('ISO 4217 code of the currency; null if there is no amount'),
        }),
      )
      .describe('The ten newest of the window'),
  }),
})
