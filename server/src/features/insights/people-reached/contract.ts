import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Country,
  EventId,
  FirstDay,
  KEY_TEXTS,
  LastDay,
  ZoneName,
} from '../../../platform/contract/fields.ts'
import { limitParam } from '../../../platform/contract/page.ts'
import { type ReachOrigin, reachChannels, reachOrigins } from '../../attribution/crediting/reach/rules.ts'
import { rangeQuery, reportMeta } from '../../figures/definitions/fields.ts'

const tag = 'attribution'

const originTexts: Record<ReachOrigin, string> = {
  partner_ad_referral: 'Origin: an ad that a partner reported',
  conversation_referral: 'Origin: a conversation that started from an ad',
  web: 'Origin: a visit to the website',
  other: 'Origin: none of the others',
}
const byOrigin = <S extends z.ZodType>(schema: S) =>
  z.record(z.enum(reachOrigins), schema).meta({ [KEY_TEXTS]: originTexts })
const ByOrigin = byOrigin(
  z.object({
    people: z.int().describe('Number of people'),
    touches: z.int().describe('Number of visits and clicks'),
  }),
)

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
    group_by: z
      .enum(['month', 'day', 'ad'])
      .default('month')
      .describe('What a bucket is: a month, a day or an ad'),
    channel: z.enum(reachChannels).optional().describe('Only touches of this channel'),
    first_only: z.enum(['true', 'false']).default('false').describe('First payments of customers only'),
    limit: limitParam(100, 1000).describe('Rows per page'),
  }),
  reply: z.object({
    date_from: FirstDay,
    date_to: LastDay,
    group_by: z.enum(['month', 'day', 'ad']).describe('What a bucket is: a month, a day or an ad'),
    channel: z
      .enum(reachChannels)
      .nullable()
      .describe('Channel of the touches that are counted; null for all'),
    first_only: z.boolean().describe('First payments of customers only'),
    timezone: ZoneName,
    totals: z
      .object({
        ad_people: z.int().describe('People with an ad touch'),
        ad_touches: z.int().describe('Number of visits and clicks from ads'),
        by_origin: ByOrigin.describe('The figures of each origin'),
        meta_messaging_conversations_started: z
          .int()
          .nullable()
          .describe('Conversations started, as the platform reports them; null if it does not'),
      })
      .describe('Sums of all rows'),
    buckets: z
      .array(
        z.object({
          key: z.string().describe('The bucket: a month, a day or the id of an ad'),
          start: z.string().describe('Start of the bucket'),
          end: z.string().describe('End of the bucket'),
          ad_id: z
            .string()
            .nullable()
            .describe('Id of the ad of the bucket; null if the buckets are months or days'),
          ad_name: z
            .string()
            .nullable()
            .describe('Name of the ad of the bucket; null if the buckets are months or days'),
          ad_people: z.int().describe('People with an ad touch'),
          ad_touches: z.int().describe('Number of visits and clicks from ads'),
          by_origin: ByOrigin.describe('The figures of each origin'),
          meta_messaging_conversations_started: z
            .int()
            .nullable()
            .describe('Conversations started, as the platform reports them; null if it does not'),
        }),
      )
      .describe('Days, weeks or months of the range'),
    buckets_total: z.int().describe('How many buckets the range has'),
    buckets_truncated: z.boolean().describe('Whether buckets were omitted'),
    origin_labels: byOrigin(
      z.object({
        label_en: z.string().describe('Display label in English'),
        label_es: z.string().describe('Display label in Spanish'),
        description: z.string().describe('What the origin means'),
      }),
    ).describe('Names of the origins'),
  }),
  meta: {
    date_from: reportMeta.date_from.describe(
      'First day of the range, YYYY-MM-DD, in the time zone of the profile',
    ),
    date_to: reportMeta.date_to.describe('Last day of the range, inclusive, YYYY-MM-DD'),
    freshness: reportMeta.freshness.describe('How current the figures are'),
    result_hash: reportMeta.result_hash.describe('Hash of the figures: equal hashes mean equal figures'),
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
  noPage: 'programs',
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({
    ad_id: z.string().trim().min(1).max(128).describe('Id of the ad'),
    channel: z
      .enum(['chatapp', 'photoapp', 'pagechat'])
      .describe('Messaging channel in which the person answered the ad'),
    occurred_at: z.iso.datetime({ offset: true }).describe('When it happened'),
    customer: z
      .strictObject({
        external_ref: z
          .string()
          .min(1)
          .max(320)
          .nullish()
          .describe('The sender’s own id of the customer; null if there is none'),
        email: z.string().max(320).nullish().describe('Email address of the person; null if it is not known'),
        phone: z
          .string()
          .max(64)
          .nullish()
          .describe('Phone number with country code; null if it is not known'),
        country: Country.nullish().describe(
          'ISO 3166 code of the country of `phone`; null or absent: the profile’s country',
        ),
        first_name: z
          .string()
          .max(200)
          .nullish()
          .describe('First name of the person; null if it is not known'),
        last_name: z.string().max(200).nullish().describe('Last name of the person; null if it is not known'),
      })
      .describe('The person who answered the ad, by at least one identifier'),
    conversation_id: z.string().min(1).max(200).optional().describe('Id of the conversation'),
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('An event with the same key updates the stored event instead of adding one'),
  }),
  reply: z.object({
    event_id: EventId,
    status: z
      .enum(['accepted', 'updated', 'unchanged'])
      .describe('Whether the referral was stored or already known'),
  }),
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
