import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, RevenueType } from '../../../platform/contract/fields.ts'
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
  }).extend({ landing_path: text, referrer_host: text }),
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
    as_of: Instant,
    window_minutes: z.int(),
    active_visitors: z
      .int()
      .describe(
        'Visitors reported by the tracker, or by a server with a page, a click or an ad, in the last 5 minutes; an outcome alone is not a visit',
      ),
    events: z.int(),
    is_sampled: z.boolean(),
    minutes: z
      .array(z.object({ minute: Instant, events: z.int(), visitors: z.int() }))
      .describe('One entry per minute, oldest first'),
    pages: z
      .array(z.object({ path: z.string(), views: z.int(), visitors: z.int() }))
      .describe('The ten most viewed'),
    channels: z.array(z.object({ channel: z.string(), visits: z.int() })),
    conversions: z
      .array(
        z.object({
          conversion_id: z.uuid(),
          outcome_type: z.string(),
          revenue_type: RevenueType,
          occurred_at: Instant,
          value: z.number().nullable(),
          currency: text,
        }),
      )
      .describe('The ten newest of the window'),
  }),
})
