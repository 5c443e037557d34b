import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Country } from '../../../platform/contract/fields.ts'
import { limitParam } from '../../../platform/contract/page.ts'
import { reachChannels, reachOrigins } from '../../attribution/crediting/reach/rules.ts'
import { rangeQuery, reportMeta } from '../../figures/definitions/fields.ts'

const tag = 'attribution'

const ByOrigin = z.record(z.enum(reachOrigins), z.object({ people: z.int(), touches: z.int() }))

export const listAdPeople = endpoint({
  name: 'listAdPeople',
  mcp: {
    description: 'People reached by ads, by month, day or ad. Totals are not the sum of the buckets.',
    concise: 'totals buckets buckets_total buckets_truncated',
  },
  method: 'GET',
  path: '/attribution/ad-people',
  summary: 'Number of people reached by ads, without personal data',
  description:
    'A person counts once per bucket and once in totals, so totals are not the sum of buckets. With first_only each person counts only in the bucket of their first ad touch in the range.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  revalidates: true,
  query: z.object({
    ...rangeQuery,
    group_by: z.enum(['month', 'day', 'ad']).default('month'),
    channel: z.enum(reachChannels).optional(),
    first_only: z.enum(['true', 'false']).default('false'),
    limit: limitParam(100, 1000),
  }),
  reply: z.object({
    date_from: z.string(),
    date_to: z.string(),
    group_by: z.enum(['month', 'day', 'ad']),
    channel: z.enum(reachChannels).nullable(),
    first_only: z.boolean(),
    timezone: z.string(),
    totals: z.object({
      ad_people: z.int(),
      ad_touches: z.int(),
      by_origin: ByOrigin,
      meta_messaging_conversations_started: z.int().nullable(),
    }),
    buckets: z.array(
      z.object({
        key: z.string(),
        start: z.string(),
        end: z.string(),
        ad_id: z.string().nullable(),
        ad_name: z.string().nullable(),
        ad_people: z.int(),
        ad_touches: z.int(),
        by_origin: ByOrigin,
        meta_messaging_conversations_started: z.int().nullable(),
      }),
    ),
    buckets_total: z.int(),
    buckets_truncated: z.boolean(),
    origin_labels: z.record(
      z.enum(reachOrigins),
      z.object({ label_en: z.string(), label_es: z.string(), description: z.string() }),
    ),
  }),
  meta: {
    date_from: reportMeta.date_from,
    date_to: reportMeta.date_to,
    freshness: reportMeta.freshness,
    result_hash: reportMeta.result_hash,
  },
  errors: ['invalid_date_range'],
})

export const sendAdReferral = endpoint({
  name: 'sendAdReferral',
  method: 'POST',
  path: '/partner/ad-referrals',
  summary: 'Report the ad behind a conversation that was not received live',
  description:
    'Creates a touch with the origin partner_ad_referral. Deduplicated by idempotency_key, or else by person, ad and time.',
  tag,
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({
    ad_id: z.string().trim().min(1).max(128),
    channel: z.enum(['chatapp', 'photoapp', 'pagechat']),
    occurred_at: z.iso.datetime({ offset: true }),
    customer: z.strictObject({
      external_ref: z.string().min(1).max(320).nullish(),
      email: z.string().max(320).nullish(),
      phone: z.string().max(64).nullish(),
      country: Country.nullish().describe('ISO 3166 code of the country of `phone`; default: the profile’s'),
      first_name: z.string().max(200).nullish(),
      last_name: z.string().max(200).nullish(),
    }),
    conversation_id: z.string().min(1).max(200).optional(),
    idempotency_key: z.string().min(1).max(255).optional(),
  }),
  reply: z.object({ event_id: z.uuid(), status: z.enum(['accepted', 'updated', 'unchanged']) }),
  statuses: [202],
  errors: ['unknown_ad', 'unknown_customer_ref', 'service_unavailable'],
  idempotent: false,
  example: {
    body: {
      ad_id: '120210',
      channel: 'chatapp',
      occurred_at: '2026-03-01T10:00:00Z',
      customer: { phone: '+34600111222' },
    },
  },
})
