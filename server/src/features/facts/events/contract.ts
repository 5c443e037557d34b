import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Country,
  EventId,
  Instant,
  OccurredAt,
  OutcomeType,
  RevenueType,
} from '../../../platform/contract/fields.ts'

const short = (max: number) => z.string().min(1).max(max)
const tags = z.record(z.string().max(40), z.string().max(512)).default({})

/** Free-form keys; `value`, `currency`, `order_id` and `subject_ref` have a meaning. */
const Properties = z
  .looseObject({
    value: z
      .union([z.number(), z.string().max(40)])
      .nullish()
      .describe('Value of the event, a decimal in `currency`; null if it has none'),
    currency: z
      .string()
      .max(10)
      .nullish()
      .describe('ISO 4217 code of the currency; null if there is no amount'),
    order_id: z
      .union([z.string().max(200), z.number()])
      .nullish()
      .describe('The shop’s order number; null if there is none'),
    subject_ref: z
      .string()
      .max(200)
      .nullish()
      .describe('The sender’s reference of the purchased item, without personal data; null if there is none'),
  })
  .default({})

export const UserTraits = z
  .strictObject({
    email: z.string().max(320).nullish().describe('Email address of the person; null if it is not known'),
    phone: z
      .string()
      .max(64)
      .nullish()
      .describe(
        'With a country code (+34…), or in the national format of `country`; null if it is not known',
      ),
    country: Country.nullish().describe('ISO 3166 code; null or absent: the country of the profile'),
    external_id: z
      .string()
      .max(320)
      .nullish()
      .describe('The sender’s own id of the customer; null if there is none'),
    first_name: z.string().max(200).nullish().describe('First name of the person; null if it is not known'),
    last_name: z.string().max(200).nullish().describe('Last name of the person; null if it is not known'),
    city: z.string().max(200).nullish().describe('City of the person’s address; null if it is not known'),
    region: z
      .string()
      .max(200)
      .nullish()
      .describe('State or province, such as `CA`; null if it is not known'),
    postal_code: z
      .string()
      .max(32)
      .nullish()
      .describe('Postal code of the person’s address; null if it is not known'),
  })
  .default({})

const eventNameText = `Required. Every profile counts these as conversions: payment_received (cash), order_placed (gross), lead_created, dm_started, appointment_booked, appointment_attended, quote_presented and closed_won (pipeline). page_view, visit, identify, session_start, form_submit, click and ad_referral create visits and identities. refund reduces the payments of its order_id by its value, or without a value by all that is left. Events with any other name are stored; a goal (POST /goals) counts them as conversions.`

export const EventInput = z.strictObject({
  event_name: short(100).optional().describe(eventNameText),
  event_type: short(100).optional().describe('Alias of `event_name`'),
  anonymous_id: short(200)
    .nullish()
    .describe('The visitor’s id in the browser or app; null if none was sent'),
  session_id: short(200).nullish().describe('Id of the visit; null if none was sent'),
  timestamp: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it happened, with a time zone; default: now'),
  occurred_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Alias of timestamp, under the name of responses'),
  properties: Properties.describe(
    'Properties of the event; `value`, `currency`, `order_id` and `subject_ref` have a defined meaning',
  ),
  user_traits: UserTraits.describe('Traits of the person'),
  utm: tags.describe('Campaign parameters of the link, for example `utm_source`'),
  click_ids: tags.describe('Click ids of ad platforms by their parameter, for example `gclid`'),
  ad: z
    .strictObject({
      ad_id: z.string().max(128).nullish().describe('Id of the ad; null if it is not known'),
      ad_set_id: z.string().max(128).nullish().describe('Id of the ad set; null if it is not known'),
      campaign_id: z.string().max(128).nullish().describe('Id of the campaign; null if it is not known'),
    })
    .default({})
    .describe('The ad that led to the event, if the sender knows it'),
  page: z
    .strictObject({
      url: z.string().max(2048).describe('URL of the visited page'),
      referrer: z
        .string()
        .max(2048)
        .nullish()
        .describe('Address of the page that linked here; null if there is none'),
      title: z.string().max(512).nullish().describe('Title of the page; null if there is none'),
    })
    .nullish()
    .describe('The visited page. Its referrer creates organic and referral touches. Null or absent: no page'),
  session_start: z
    .boolean()
    .nullish()
    .describe(
      'True for the first event of a visit. A visit without any source is direct. Null or absent: not known',
    ),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('An event with the same key updates the stored event instead of adding one'),
  user_agent: z
    .string()
    .max(1024)
    .nullish()
    .describe(
      'User agent of the visitor’s browser, for website events that a server reports. With `page`, the conversion is sent to the ad platforms as a website event. Stored for 7 days, and only while a destination sends this event. Null or absent: not known',
    ),
  ip: z
    .union([z.ipv4(), z.ipv6()])
    .nullish()
    .describe('IP address of the visitor; stored and sent like `user_agent`. Null or absent: not known'),
})
export type EventInput = z.output<typeof EventInput>

const CountsAs = z.object({
  conversion_key: z.string().describe('Key of the goal, unique in the profile'),
  outcome_type: OutcomeType,
  revenue_type: RevenueType,
})

const EventWarning = z.object({
  code: z
    .enum(['unknown_event_name', 'money_not_counted', 'value_missing', 'no_identity'])
    .describe('Code of the warning, for programs'),
  message: z.string().describe('Explanation for people'),
})

export const EventResult = z.object({
  event_id: EventId,
  status: z
    .enum(['accepted', 'updated', 'unchanged'])
    .describe('Whether the event was stored, updated, unchanged or rejected'),
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
  noPage: 'programs',
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
  body: z.strictObject({ events: z.array(z.unknown()).min(1).max(1000).describe('The events to store') }),
  batch: { member: 'events', element: EventInput },
  reply: z.object({
    results: z
      .array(
        z.object({
          index: z.int().describe('Position in the request, from 0'),
          event_id: z.uuid().nullable().describe('Id of the stored event; null if it was rejected'),
          status: z
            .enum(['accepted', 'updated', 'unchanged', 'refused'])
            .describe('Whether the event was stored, updated, unchanged or rejected'),
          counts_as: z.array(CountsAs).describe('Goals that include the event'),
          warnings: z.array(EventWarning).describe('Probable mistakes in the event, which was stored'),
          error: z
            .object({
              code: z.string().describe('Code of the error, for programs'),
              message: z.string().describe('Explanation of the error for people'),
              status: z.int().describe('HTTP status that the event alone would have had'),
              reason: z.string().optional().describe('Why the event was rejected, for programs'),
            })
            .nullable()
            .describe('Error; null if there was none'),
        }),
      )
      .describe('One result per element, in the order sent'),
    accepted: z.int().describe('Number of events stored'),
    updated: z.int().describe('Number of existing items that changed'),
    unchanged: z.int().describe('Number of events already stored with the same content'),
    refused: z.int().describe('Number of events that were rejected'),
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
      event_id: EventId.optional(),
      idempotency_key: z.string().min(1).max(255).optional().describe('Key under which the event was sent'),
      order_id: z.string().min(1).max(200).optional().describe('The shop’s order number'),
      request_id: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Id of the request, also in the header X-Request-Id'),
    })
    .refine((query) => lookupKeys.filter((name) => query[name] !== undefined).length === 1, {
      message: `exactly one of ${lookupKeys.join(', ')} is required`,
    }),
  reply: z.object({
    events: z
      .array(
        z.object({
          event_id: EventId,
          state: z.enum(eventStates).describe('How far the processing of the event is'),
          reason: z.string().nullable().describe('Why it is quarantined; null if it is not'),
          event_name: z.string().nullable().describe('Null after the raw event expired'),
          source: z.string().nullable().describe('Where the event came from; null if it is not known'),
          occurred_at: OccurredAt,
          received_at: Instant.nullable().describe(
            'When the service received it; null if it has not been stored',
          ),
        }),
      )
      .describe('The stored events that match'),
    refused: z
      .array(
        z.object({
          refused_at: Instant.describe('When it was refused'),
          request_id: z.string().describe('Id of the request, also in the header X-Request-Id'),
          status: z.int().describe('HTTP status that the event alone would have had'),
          code: z.string().describe('Code of the error, for programs'),
          message: z.string().describe('Explanation of the error for people'),
          event_name: z.string().nullable().describe('Name of the event; null if it could not be read'),
        }),
      )
      .describe('Rejected events of the last 30 days'),
  }),
  example: { query: { idempotency_key: 'invoice-1042' } },
})
