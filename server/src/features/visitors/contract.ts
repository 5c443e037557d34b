import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { Instant, RevenueType } from '../../contract/fields.ts'
import { Pagination, pageQuery } from '../../contract/page.ts'
import { ExplainedTouch } from '../attribution/contract.ts'

const tag = 'visitors'
const text = z.string().nullable()

export const Visitor = z.object({
  identifier_id: z.uuid().describe('The device or account that was seen'),
  customer_id: z.uuid().describe('Whom it belongs to; its own id while nobody else is known'),
  is_identified: z.boolean().describe('Whether more is known of the customer than a visitor id'),
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
  summary: 'Visitors, whoever came last first',
  description:
    'Each device or account once, at its last visit. Nobody is named: who a customer is tells GET /customers/{id}. Visits that a provider reported, and that nobody saw, are left out.',
  tag,
  access: { kind: 'profile', scopes: ['visitors:read'] },
  query: z.object({ ...pageQuery }),
  reply: z.array(Visitor),
  beside: { pagination: Pagination },
})

export const getRealtime = endpoint({
  name: 'getRealtime',
  method: 'GET',
  path: '/realtime',
  summary: 'What happens on the site now',
  description:
    'Of the last 30 minutes, from events as they arrive, before credit is given. Bots are left out. Where more than 20,000 events arrived, the newest of them are counted and `is_sampled` is true.',
  tag,
  access: { kind: 'profile', scopes: ['realtime:read'] },
  reply: z.object({
    as_of: Instant,
    window_minutes: z.int(),
    active_visitors: z.int().describe('Visitors with an event in the last 5 minutes'),
    events: z.int(),
    is_sampled: z.boolean(),
    minutes: z
      .array(z.object({ minute: Instant, events: z.int(), visitors: z.int() }))
      .describe('One entry per minute, the oldest first'),
    pages: z
      .array(z.object({ path: z.string(), views: z.int(), visitors: z.int() }))
      .describe('The ten most seen'),
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
