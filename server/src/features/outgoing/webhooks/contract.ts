import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  Instant,
  OccurredAt,
  ProfileId,
  ProviderName,
  UpdatedAt,
} from '../../../platform/contract/fields.ts'
import { limitParam, Pagination, pageQuery } from '../../../platform/contract/page.ts'
import {
  outcomeProviders,
  SentOutcomeData,
  subscribableEvents,
  subscribableProviders,
} from '../../facts/outbox/event-types.ts'

const IdParams = z.object({ id: z.uuid().describe('Id of the subscription or delivery') })
const read = { kind: 'profile', scopes: ['webhooks:read'] } as const
const write = { kind: 'profile', scopes: ['webhooks:write'] } as const

const unique = (names: readonly string[]) => new Set(names).size === names.length
export const WebhookEventType = z.enum(subscribableEvents)
export const WebhookProvider = z.enum(subscribableProviders)
export const SubscribedEvents = z
  .array(WebhookEventType)
  .min(1)
  .max(subscribableEvents.length)
  .refine(unique, 'must not repeat')
export const SubscribedProviders = z
  .array(WebhookProvider)
  .min(1)
  .max(subscribableProviders.length)
  .refine(unique, 'must not repeat')
const IncludeHistory = z
  .boolean()
  .describe(
    'False leaves out events with `historical`: they happened more than two days before they were recorded, mostly in the first sync of a connection',
  )
const Url = z.string().min(1).max(2048).describe('https, public, without a user name')

export const Subscription = z.object({
  id: z.uuid().describe('Id of the subscription'),
  app_id: z.uuid().nullable().describe('Id of the partner app; null if no app is involved'),
  profile_id: ProfileId,
  url: z.string().describe('URL that receives the events'),
  events: z.array(z.string()).describe('Types of events to send'),
  providers: z
    .array(z.string())
    .describe('Providers whose events are sent; `platform` for events of the service itself'),
  include_history: z.boolean().describe('Whether it receives `historical` events'),
  status: z.enum(['active', 'paused', 'failed']).describe('State of the subscription'),
  status_reason: z.string().nullable().describe('Reason for the status; null if there is no problem'),
  last_delivery_at: Instant.nullable().describe('Time of the last delivery; null if there was none'),
  consecutive_failures: z.int().describe('Failed attempts since the last success'),
  previous_secret_expires_at: Instant.nullable().describe(
    'The previous secret also signs until then; null if there is none',
  ),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
  warnings: z
    .array(
      z.object({
        event: z.string().describe('Type of the event'),
        message: z.string().describe('Explanation for people'),
      }),
    )
    .describe('Events of the list that the listed providers never send'),
})
export const SubscriptionWithSecret = Subscription.extend({
  secret: z.string().describe('Secret that signs the deliveries; returned only once'),
})

const example = {
  url: 'https://hooks.example.com/whence',
  events: ['outcome.recorded', 'connection.revoked'],
  providers: ['platform'],
}

export const listWebhookSubscriptions = endpoint({
  name: 'listWebhookSubscriptions',
  method: 'GET',
  path: '/webhooks/subscriptions',
  summary: 'Webhook subscriptions',
  description:
    "An app's key lists the app's subscriptions; other credentials list the subscriptions that belong to no app.",
  tag: 'webhooks',
  access: read,
  reply: z.array(Subscription),
})

export const createWebhookSubscription = endpoint({
  name: 'createWebhookSubscription',
  method: 'POST',
  path: '/webhooks/subscriptions',
  summary: 'Subscribe an HTTPS endpoint to events',
  description:
    'An event is delivered if `events` contains its type and `providers` contains its provider: `platform`, except for messages, orders and products, which have that of their channel or store. `outcome.recorded` and `connection.*` have `platform`; the connected account is in `data.provider`.',
  tag: 'webhooks',
  access: write,
  body: z.strictObject({
    url: Url,
    events: SubscribedEvents.describe('Types of events to send'),
    providers: SubscribedProviders.describe(
      'Providers whose events are sent; `platform` for events of the service itself',
    ),
    include_history: IncludeHistory.default(true),
  }),
  reply: SubscriptionWithSecret,
  statuses: [201],
  secretReply: true,
  errors: ['invalid_state'],
  example: { body: example },
})

export const updateWebhookSubscription = endpoint({
  name: 'updateWebhookSubscription',
  method: 'PATCH',
  path: '/webhooks/subscriptions/{id}',
  summary: 'Change, pause or resume a subscription',
  description:
    'Events recorded while a subscription is not active are not sent; use `recover` to enqueue them later. After a change by a caller without `customers:read` it carries no contacts, until an owner or admin sends its `url` again. If the person or key that chose the address loses the permission, it is paused; making it active takes it over.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  body: z.strictObject({
    url: Url.optional(),
    events: SubscribedEvents.optional().describe('Types of events to send'),
    providers: SubscribedProviders.optional().describe(
      'Providers whose events are sent; `platform` for events of the service itself',
    ),
    include_history: IncludeHistory.optional(),
    status: z.enum(['active', 'paused']).optional().describe('`active` resumes sending, `paused` stops it'),
  }),
  reply: Subscription,
  errors: ['not_found'],
})

export const deleteWebhookSubscription = endpoint({
  name: 'deleteWebhookSubscription',
  method: 'DELETE',
  path: '/webhooks/subscriptions/{id}',
  summary: 'Delete a subscription',
  description: 'Pending deliveries are cancelled.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const rotateWebhookSecret = endpoint({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/subscriptions/{id}/rotate-secret',
  summary: 'Rotate the signing secret with a grace period',
  description:
    'The new secret is returned once. During the grace period every delivery has the signatures of both secrets.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  body: z.strictObject({
    grace_days: z
      .int()
      .min(0)
      .max(90)
      .default(7)
      .describe('Days during which the previous secret also signs'),
  }),
  reply: SubscriptionWithSecret,
  secretReply: true,
  errors: ['not_found', 'invalid_state'],
})

const Enqueued = z.object({
  enqueued: z.boolean().describe('Whether it is queued for sending, or how many are'),
  event_id: z.string().describe('Id of the stored event'),
  subscription_id: z.uuid().describe('Id of the webhook subscription'),
})

export const testWebhookSubscription = endpoint({
  name: 'testWebhookSubscription',
  method: 'POST',
  path: '/webhooks/test/{id}',
  summary: 'Send a synthetic, correctly signed event to a subscription',
  description: 'Delivered, signed and retried like any other event; `data.test` is true.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  body: z.strictObject({}),
  reply: Enqueued,
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})

export const recoverWebhookEvents = endpoint({
  name: 'recoverWebhookEvents',
  method: 'POST',
  path: '/webhooks/subscriptions/{id}/recover',
  summary: 'Enqueue all matching events since a time that were not delivered',
  description:
    'For use after an outage of the endpoint. Up to 90 days back. Deliveries that wait for their next attempt are attempted now and counted in `enqueued`.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  body: z.strictObject({ since: Instant.describe('Events of this time and later are sent again') }),
  reply: z.object({
    enqueued: z.int().describe('Whether it is queued for sending, or how many are'),
    subscription_id: z.uuid().describe('Id of the webhook subscription'),
  }),
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
  example: { body: { since: '2026-10-01T00:00:00Z' } },
})

const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const
const Attempt = z.object({
  attempt: z.int().describe('Number of the attempt, from 1'),
  at: Instant.describe('When it happened'),
  response_status: z.int().nullable().describe('HTTP status of the response; null if there was none'),
  error: z.string().nullable().describe('Error; null if there was none'),
  duration_ms: z.int().describe('Duration in milliseconds'),
})
export const Delivery = z.object({
  id: z.uuid().describe('Id of the delivery'),
  subscription_id: z.uuid().describe('Id of the webhook subscription'),
  event_id: z.string().describe('Id of the stored event'),
  event_type: z.string().describe('Alias of `event_name`'),
  status: z.enum(deliveryStatuses).describe('State of the delivery'),
  status_reason: z.string().nullable().describe('Reason for the status; null if there is no problem'),
  attempt_count: z.int().describe('Attempts so far'),
  next_attempt_at: Instant.nullable().describe('Time of the next attempt; null if there is none'),
  created_at: CreatedAt,
  settled_at: Instant.nullable().describe('When it ended; null until then'),
})

export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/deliveries',
  summary: 'Deliveries, newest first',
  description: 'Filter by subscription and status; kept for 90 days.',
  tag: 'webhooks',
  access: read,
  query: z.object({
    ...pageQuery,
    subscription_id: z.uuid().optional().describe('Id of the webhook subscription'),
    status: z.enum(deliveryStatuses).optional().describe('Only rows with this status'),
  }),
  reply: z.array(Delivery),
  extra: { pagination: Pagination },
  errors: ['invalid_parameter'],
})

export const getWebhookDelivery = endpoint({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: '/webhooks/deliveries/{id}',
  summary: 'One delivery with its attempts',
  description: 'With the payload and, per attempt, the time, the response status and the error.',
  tag: 'webhooks',
  access: read,
  params: IdParams,
  reply: Delivery.extend({
    attempts: z.array(Attempt).describe('Attempts so far'),
    payload: z.record(z.string(), z.unknown()).describe('As stored, without the person'),
  }),
  errors: ['not_found'],
})

export const replayWebhookDelivery = endpoint({
  name: 'replayWebhookDelivery',
  method: 'POST',
  path: '/webhooks/deliveries/{id}/replay',
  summary: 'Enqueue the stored payload of a delivery again',
  description: 'It has the same event id, so receivers can ignore it if they already processed it.',
  tag: 'webhooks',
  access: write,
  params: IdParams,
  body: z.strictObject({}),
  reply: Enqueued.extend({ delivery_id: z.uuid().describe('Id of the delivery') }),
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})

export const historicalText = 'Present if it happened more than two days before it was recorded'

export const RecordedOutcome = z.object({
  id: z.uuid().describe('Id of the outcome'),
  type: z.literal('outcome.recorded').describe('Type of the outcome'),
  occurred_at: OccurredAt,
  provider: ProviderName,
  app_id: z.uuid().optional().describe('Id of the partner app'),
  connection_id: z.uuid().nullable().describe('Id of the connection; null if there is none'),
  historical: z.literal(true).optional().describe(historicalText),
  data: SentOutcomeData.describe('Payload of the event'),
})

export const listRecordedOutcomes = endpoint({
  name: 'listRecordedOutcomes',
  method: 'GET',
  path: '/outcomes/recorded',
  summary: 'Replay outcome.recorded events in order',
  description:
    'Outcomes that a connected CRM or payment provider reported, on profiles that a partner app provisioned or is authorised for; other profiles have none. The last page also has a cursor: store it and continue from it later. Events are available for 90 days after delivery.',
  tag: 'webhooks',
  personLevel: 'withheld',
  access: { kind: 'profile', scopes: [], anyOf: ['conversions:read', 'customers:read'] },
  query: z.object({
    cursor: z
      .string()
      .max(500)
      .optional()
      .describe('Cursor of the next page, as returned by the previous page'),
    limit: limitParam(100, 500).describe('Rows per page'),
    outcome_type: z
      .string()
      .max(100)
      .optional()
      .describe('Type of the outcome, for example payment_received or lead_created'),
    provider: z.enum(outcomeProviders).optional().describe('Provider of the account, for example social_ads'),
  }),
  reply: z.array(RecordedOutcome),
  extra: {
    pagination: z
      .object({
        has_next: z.boolean().describe('Whether there is another page'),
        cursor: z.string().describe('Cursor of the next page, as returned by the previous page'),
      })
      .describe('Whether there is another page, and its cursor'),
  },
  errors: ['invalid_parameter', 'healthcare_scope_forbidden'],
})
