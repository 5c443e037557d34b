import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'

const short = (max: number) => z.string().min(1).max(max)
const tags = z.record(z.string().max(40), z.string().max(512)).default({})

/** Keys a sender may choose freely; `value`, `currency`, `order_id` and `subject_ref` have a meaning. */
const Properties = z
  .looseObject({
    value: z.union([z.number(), z.string().max(40)]).nullish(),
    currency: z.string().max(10).nullish(),
    order_id: z.union([z.string().max(200), z.number()]).nullish(),
    subject_ref: z.string().max(200).nullish(),
  })
  .default({})

export const UserTraits = z
  .strictObject({
    email: z.string().max(320).nullish(),
    phone: z.string().max(64).nullish(),
    external_id: z.string().max(320).nullish(),
    first_name: z.string().max(200).nullish(),
    last_name: z.string().max(200).nullish(),
  })
  .default({})

export const EventInput = z.strictObject({
  event_name: short(100).optional(),
  event_type: short(100).optional(),
  anonymous_id: short(200).nullish(),
  session_id: short(200).nullish(),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  properties: Properties,
  user_traits: UserTraits,
  utm: tags,
  click_ids: tags,
  ad: z
    .strictObject({
      ad_id: z.string().max(128).nullish(),
      ad_set_id: z.string().max(128).nullish(),
      campaign_id: z.string().max(128).nullish(),
    })
    .default({}),
  page: z
    .strictObject({
      url: z.string().max(2048),
      referrer: z.string().max(2048).nullish(),
      title: z.string().max(512).nullish(),
    })
    .nullish()
    .describe('The page that was visited: its referrer makes organic and referral touches.'),
  session_start: z
    .boolean()
    .nullish()
    .describe('The first event of a visit; without anything that brought it, the visit is direct.'),
  idempotency_key: z.string().min(1).max(255).optional(),
})
export type EventInput = z.output<typeof EventInput>

export const EventResult = z.object({
  event_id: z.uuid(),
  status: z.enum(['accepted', 'updated', 'unchanged']),
})

const EVENT_BODY_LIMIT = 256 * 1024

export const sendEvent = endpoint({
  name: 'sendEvent',
  method: 'POST',
  path: '/events',
  summary: 'Report one outcome from a server',
  description:
    'The answer comes after the event is committed. Re-sending with the same idempotency_key updates the stored event; the Idempotency-Key header is an alias of the body field.',
  tag: 'events',
  access: { kind: 'profile', scopes: ['events:write'] },
  headers: { 'Idempotency-Key': 'Alias of idempotency_key in the body, which wins where both are given' },
  body: EventInput,
  reply: EventResult,
  statuses: [202],
  errors: ['invalid_state', 'service_unavailable'],
  bodyLimit: EVENT_BODY_LIMIT,
  idempotent: false,
  limit: 'ingest',
  example: {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'invoice-1042',
      properties: { value: 129.9, currency: 'EUR' },
      user_traits: { email: 'ana@example.com' },
    },
  },
})

export const sendEvents = endpoint({
  name: 'sendEvents',
  method: 'POST',
  path: '/events/batch',
  summary: 'Report up to 1000 outcomes; the good ones are kept',
  description:
    'One result per event, in the order sent. An event that is refused says why and refuses no other; the answer comes after the good ones are committed.',
  tag: 'events',
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({ events: z.array(z.unknown()).min(1).max(1000) }),
  batch: 'events',
  reply: z.object({
    results: z.array(
      z.object({
        index: z.int(),
        event_id: z.uuid().nullable(),
        status: z.enum(['accepted', 'updated', 'unchanged', 'refused']),
        error: z
          .object({ code: z.string(), message: z.string(), status: z.int(), reason: z.string().optional() })
          .nullable(),
      }),
    ),
    accepted: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  }),
  statuses: [202],
  errors: ['service_unavailable'],
  idempotent: false,
  limit: 'ingest',
})
