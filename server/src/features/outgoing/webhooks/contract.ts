import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { limitParam, Pagination, pageQuery } from '../../../platform/contract/page.ts'
import {
  outcomeProviders,
  SentOutcomeData,
  subscribableEvents,
  subscribableProviders,
} from '../../facts/outbox/event-types.ts'

const IdParams = z.object({ id: z.uuid() })
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
  id: z.uuid(),
  app_id: z.uuid().nullable(),
  profile_id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  providers: z.array(z.string()),
  include_history: z.boolean().describe('Whether it receives `historical` events'),
  status: z.enum(['active', 'paused', 'failed']),
  status_reason: z.string().nullable(),
  last_delivery_at: Instant.nullable(),
  consecutive_failures: z.int(),
  previous_secret_expires_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
  warnings: z
    .array(z.object({ event: z.string().describe('Type of the event'), message: z.string() }))
    .describe('Events of the list that the listed providers never send'),
})
export const SubscriptionWithSecret = Subscription.extend({ secret: z.string().describe('Shown once') })

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
    events: SubscribedEvents,
    providers: SubscribedProviders,
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
    events: SubscribedEvents.optional(),
    providers: SubscribedProviders.optional(),
    include_history: IncludeHistory.optional(),
    status: z.enum(['active', 'paused']).optional(),
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
  body: z.strictObject({ grace_days: z.int().min(0).max(90).default(7) }),
  reply: SubscriptionWithSecret,
  secretReply: true,
  errors: ['not_found', 'invalid_state'],
})

const Enqueued = z.object({ enqueued: z.boolean(), event_id: z.string(), subscription_id: z.uuid() })

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
  body: z.strictObject({ since: Instant }),
  reply: z.object({ enqueued: z.int(), subscription_id: z.uuid() }),
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
  example: { body: { since: '2026-10-01T00:00:00Z' } },
})

const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const
const Attempt = z.object({
  attempt: z.int(),
  at: Instant,
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})
export const Delivery = z.object({
  id: z.uuid(),
  subscription_id: z.uuid(),
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum(deliveryStatuses),
  status_reason: z.string().nullable(),
  attempt_count: z.int(),
  next_attempt_at: Instant.nullable(),
  created_at: Instant,
  settled_at: Instant.nullable(),
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
    subscription_id: z.uuid().optional(),
    status: z.enum(deliveryStatuses).optional(),
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
    attempts: z.array(Attempt),
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
  reply: Enqueued.extend({ delivery_id: z.uuid() }),
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})

export const historicalText = 'Present if it happened more than two days before it was recorded'

export const RecordedOutcome = z.object({
  id: z.uuid(),
  type: z.literal('outcome.recorded'),
  occurred_at: Instant,
  provider: z.string(),
  app_id: z.uuid().optional(),
  connection_id: z.uuid().nullable(),
  historical: z.literal(true).optional().describe(historicalText),
  data: SentOutcomeData,
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
    cursor: z.string().max(500).optional(),
    limit: limitParam(100, 500),
    outcome_type: z.string().max(100).optional(),
    provider: z.enum(outcomeProviders).optional(),
  }),
  reply: z.array(RecordedOutcome),
  extra: { pagination: z.object({ has_next: z.boolean(), cursor: z.string() }) },
  errors: ['invalid_parameter', 'healthcare_scope_forbidden'],
})
