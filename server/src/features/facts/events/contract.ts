import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Country, Instant, RevenueType } from '../../../platform/contract/fields.ts'

const short = (max: number) => z.string().min(1).max(max)
const tags = z.record(z.string().max(40), z.string().max(512)).default({})

/** Free-form keys; `value`, `currency`, `order_id` and `subject_ref` have a meaning. */
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
    phone: z
      .string()
      .max(64)
      .nullish()
      .describe('With a country code (+34…), or in the national format of `country`'),
    country: Country.nullish().describe('ISO 3166 code; default: the country of the profile'),
    external_id: z.string().max(320).nullish(),
    first_name: z.string().max(200).nullish(),
    last_name: z.string().max(200).nullish(),
    city: z.string().max(200).nullish(),
    region: z.string().max(200).nullish().describe('State or province, such as `CA`'),
    postal_code: z.string().max(32).nullish(),
  })
  .default({})

const eventNameText = `Required. Every profile counts these as conversions: payment_received (cash), order_placed (gross), lead_created, dm_started, appointment_booked, appointment_attended, quote_presented and closed_won (pipeline). page_view, visit, identify, session_start, form_submit, click and ad_referral create visits and identities. refund reduces the payments of its order_id by its value, or without a value by all that is left. Events with any other name are stored; a goal (POST /goals) counts them as conversions.`

export const EventInput = z.strictObject({
  event_name: short(100).optional().describe(eventNameText),
  event_type: short(100).optional(),
  anonymous_id: short(200).nullish(),
  session_id: short(200).nullish(),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  occurred_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Alias of timestamp, under the name of responses'),
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
    .describe('The visited page. Its referrer creates organic and referral touches.'),
  session_start: z
    .boolean()
    .nullish()
    .describe('True for the first event of a visit. A visit without any source is direct.'),
  idempotency_key: z.string().min(1).max(255).optional(),
  user_agent: z
    .string()
    .max(1024)
    .nullish()
    .describe(
      'User agent of the visitor’s browser, for website events that a server reports. With `page`, the conversion is sent to the ad platforms as a website event. Stored for 7 days, and only while a destination sends this event.',
    ),
  ip: z
    .union([z.ipv4(), z.ipv6()])
    .nullish()
    .describe('IP address of the visitor; stored and sent like `user_agent`.'),
})
export type EventInput = z.output<typeof EventInput>

const CountsAs = z.object({
  conversion_key: z.string(),
  outcome_type: z.string(),
  revenue_type: RevenueType,
})

const EventWarning = z.object({
  code: z.enum(['unknown_event_name', 'money_not_counted', 'value_missing', 'no_identity']),
  message: z.string(),
})

export const EventResult = z.object({
  event_id: z.uuid(),
  status: z.enum(['accepted', 'updated', 'unchanged']),
  counts_as: z
    .array(CountsAs)
    .describe(
      'The goals that currently count this event name. Processing may still exclude the event as a duplicate or as unconfirmed money.',
    ),
  warnings: z.array(EventWarning).describe('Probable mistakes; the event is stored nevertheless'),
})

const paidInvoice = {
  event_name: 'payment_received',
  idempotency_key: 'invoice-1042',
  properties: { value: 129.9, currency: 'EUR' },
  user_traits: { email: 'ana@example.com' },
}
const EVENT_BODY_LIMIT = 256 * 1024

export const sendEvent = endpoint({
  name: 'sendEvent',
  method: 'POST',
  path: '/events',
  summary: 'Report one outcome from a server',
  description:
    'Responds after the event is committed. Sending again with the same idempotency_key updates the stored event. The Idempotency-Key header is an alias of the body field.',
  tag: 'events',
  access: { kind: 'profile', scopes: ['events:write'] },
  headers: { 'Idempotency-Key': 'Alias of idempotency_key in the body, which takes precedence' },
  body: EventInput,
  reply: EventResult,
  statuses: [202],
  errors: ['invalid_state', 'service_unavailable'],
  bodyLimit: EVENT_BODY_LIMIT,
  idempotent: false,
  limit: 'ingest',
  example: { body: paidInvoice },
})

export const sendEvents = endpoint({
  name: 'sendEvents',
  method: 'POST',
  path: '/events/batch',
  summary: 'Report up to 1000 outcomes; valid ones are stored',
  description:
    'Returns one result per event, in request order. A refused event has the reason and does not affect the others. Responds after the valid events are committed. A request repeated with the same Idempotency-Key stores nothing twice, also for events without an idempotency_key; money needs an idempotency_key of its own.',
  tag: 'events',
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({ events: z.array(z.unknown()).min(1).max(1000) }),
  batch: { member: 'events', element: EventInput },
  reply: z.object({
    results: z.array(
      z.object({
        index: z.int(),
        event_id: z.uuid().nullable(),
        status: z.enum(['accepted', 'updated', 'unchanged', 'refused']),
        counts_as: z.array(CountsAs),
        warnings: z.array(EventWarning),
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
  idempotent: 'response',
  limit: 'ingest',
  example: { body: { events: [paidInvoice] } },
})

const eventStates = ['waiting', 'processed', 'quarantined', 'retracted'] as const
export type EventState = (typeof eventStates)[number]

const lookupKeys = ['event_id', 'idempotency_key', 'order_id', 'request_id'] as const

export const lookUpEvents = endpoint({
  name: 'lookUpEvents',
  method: 'GET',
  path: '/events/lookup',
  summary: 'Look up an event that was sent, accepted or refused',
  description:
    'Takes exactly one of event_id, idempotency_key, order_id and request_id. Refused events are stored for 7 days, the newest 1000 per profile, without personal data; request_id finds only refused events.',
  tag: 'events',
  access: { kind: 'profile', scopes: [], anyOf: ['events:write', 'conversions:read'] },
  query: z
    .object({
      event_id: z.uuid().optional(),
      idempotency_key: z.string().min(1).max(255).optional(),
      order_id: z.string().min(1).max(200).optional(),
      request_id: z.string().min(1).max(100).optional(),
    })
    .refine((query) => lookupKeys.filter((name) => query[name] !== undefined).length === 1, {
      message: `exactly one of ${lookupKeys.join(', ')} is required`,
    }),
  reply: z.object({
    events: z.array(
      z.object({
        event_id: z.uuid(),
        state: z.enum(eventStates),
        reason: z.string().nullable().describe('Why it is quarantined'),
        event_name: z.string().nullable().describe('Null after the raw event expired'),
        source: z.string().nullable(),
        occurred_at: Instant,
        received_at: Instant.nullable(),
      }),
    ),
    refused: z.array(
      z.object({
        refused_at: Instant,
        request_id: z.string(),
        status: z.int(),
        code: z.string(),
        message: z.string(),
        event_name: z.string().nullable(),
      }),
    ),
  }),
  example: { query: { idempotency_key: 'invoice-1042' } },
})
