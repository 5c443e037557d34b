/** Event types of webhooks, with the exact schema of their data. */
import { z } from 'zod'
import { providers } from '../../../connectors/connector.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const Profile = { profile_id: z.uuid() }

const ConnectionData = z.strictObject({
  ...Profile,
  provider: z.string(),
  connection_id: z.uuid(),
  status: z.string(),
  reason: z.string().nullable(),
})

const ExportData = z.strictObject({
  ...Profile,
  run_id: z.uuid(),
  destination_id: z.uuid(),
  sent: z.int(),
  failed: z.int(),
  skipped: z.int(),
})

const DataExportData = z.strictObject({
  ...Profile,
  run_id: z.uuid(),
  destination_id: z.uuid(),
  files: z.int(),
  rows: z.int(),
})

const DoctorFindingData = z.strictObject({
  ...Profile,
  check_id: z.string(),
  status: z.enum(['ok', 'warning', 'problem', 'not_applicable']),
  count: z.int(),
  value: z.number().nullable(),
  since: z.string().nullable(),
})

const AlertData = z.strictObject({
  ...Profile,
  alert_id: z.uuid(),
  name: z.string(),
  kind: z.enum(['threshold', 'finding']),
  day: z.string().describe('The closed day that was evaluated'),
  metric: z.string().nullable(),
  campaign_id: z.uuid().nullable(),
  direction: z.string().nullable(),
  comparison: z.string().nullable(),
  threshold: z.number().nullable(),
  window_days: z.int().nullable(),
  value: z.number().nullable(),
  before: z.number().nullable(),
  change_percent: z.number().nullable(),
  conversions: z.int(),
  currency: z.string(),
  check_ids: z.array(z.string()),
})
export const outcomeProviders = ['crmsuite', 'regionalpay', 'hubspot'] as const

/** The stored data; the person's contact is read at each delivery. */
export const OutcomeData = z.strictObject({
  ...Profile,
  provider: z.enum(outcomeProviders),
  outcome_type: z.string(),
  occurred_at: Instant,
  recorded_at: Instant,
  external_id: z.string().describe("The provider's id of the outcome"),
  outcome_event_id: z.uuid(),
  conversion_id: z.uuid().nullable(),
  customer_key: z.string().nullable(),
  value: z.number().nullable(),
})
export type OutcomeData = z.infer<typeof OutcomeData>

export const Contact = z.object({
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})
export type Contact = z.infer<typeof Contact>

/** The delivered data. */
export const SentOutcomeData = OutcomeData.extend({
  contact: Contact.nullable(),
  contact_withheld: z.boolean(),
})
export type SentOutcomeData = z.infer<typeof SentOutcomeData>

/** The stored data; the form answers (`field_data`) are read at each delivery. */
const LeadData = z.strictObject({
  ...Profile,
  page_id: z.string(),
  leadgen_id: z.string(),
  form_id: z.string().nullable(),
  ad_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
})

const Store = { provider: z.string(), connection_id: z.uuid(), account_id: z.string() }

/** A message of the business, without its text. */
const MessageData = z.strictObject({
  ...Profile,
  conversation_id: z.uuid(),
  message_id: z.uuid(),
  channel: z.enum(['chatapp', 'photoapp', 'pagechat']),
  account_id: z.string(),
  kind: z.enum(['text', 'template', 'media']),
  template: z.string().nullable(),
  reason: z.string().nullable().describe('The platform’s code of a failure'),
})

/** Who an event is sent to: `providersOf`. */
export const eventData = {
  'connection.connected': ConnectionData,
  'connection.reconnect_required': ConnectionData,
  'connection.revoked': ConnectionData,
  'channel.health.updated': ConnectionData,
  'handoff.completed': z.strictObject({
    ...Profile,
    id: z.uuid(),
    kind: z.string(),
    status: z.string(),
    result: z.record(z.string(), z.unknown()).nullable(),
  }),
  'recompute.completed': z.strictObject({
    ...Profile,
    recompute_id: z.uuid(),
    scope: z.string(),
    conversions: z.int(),
    duration_ms: z.int(),
  }),
  'conversion.attributed': z.strictObject({
    ...Profile,
    goal_id: z.uuid(),
    conversion_key: z.string(),
    conversion_id: z.uuid(),
  }),
  'conversion.credited': z.strictObject({
    ...Profile,
    conversion_id: z.uuid(),
    goal_id: z.uuid(),
    outcome_type: z.string(),
    revenue_type: z.string(),
    converted_at: Instant.describe('When the conversion happened'),
    value: z.number().nullable().describe('In `currency`; null without an amount or exchange rate'),
    currency: z.string().describe('The currency of the profile'),
    touches: z.int().describe('Visits and clicks that share the credit'),
  }),
  'export.completed': ExportData,
  'export.failed': ExportData,
  'data_export.completed': DataExportData,
  'data_export.failed': DataExportData,
  'profile.freshness.changed': z.strictObject({
    ...Profile,
    from: z.string(),
    to: z.string(),
    computed_through: Instant.nullable(),
  }),
  'doctor.finding.opened': DoctorFindingData,
  'doctor.finding.resolved': DoctorFindingData,
  'alert.fired': AlertData,
  'alert.recovered': AlertData,
  'outcome.recorded': OutcomeData,
  'leadgen.received': LeadData,
  'message.received': z.strictObject({
    ...Profile,
    conversation_id: z.uuid(),
    message_id: z.uuid(),
    channel: z.enum(['chatapp', 'photoapp', 'pagechat']),
    account_id: z.string(),
    kind: z.enum(['message', 'postback']),
    is_first: z.boolean(),
    ad_id: z.string().nullable(),
  }),
  'message.sent': MessageData,
  'message.delivered': MessageData,
  'message.failed': MessageData,
  'order.status.changed': z.strictObject({
    ...Profile,
    ...Store,
    order_id: z.string(),
    status: z.string(),
    previous_status: z.string().nullable(),
  }),
  'catalog.updated': z.strictObject({
    ...Profile,
    ...Store,
    product_id: z.string(),
    change: z.enum(['created', 'updated', 'deleted']),
  }),
} as const

export type EventType = keyof typeof eventData
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>

/** Event types that a subscription may include. */
export const subscribableEvents = Object.keys(eventData) as EventType[]

export const subscribableProviders = [
  'platform',
  ...providers,
  'cardgateway',
  'banklink',
  'chatbot',
  'chatapp',
  'photoapp',
  'pagechat',
  'mailbox',
  'shortvideo',
] as const

const channels = ['chatapp', 'photoapp', 'pagechat'] as const

/** Providers of the events that do not have the provider `platform`; the connected account is then in `data.provider`. */
const ownProviders: Partial<Record<EventType, readonly string[]>> = {
  // Under the channel that changed, and under `platform`.
  'channel.health.updated': subscribableProviders,
  'message.received': channels,
  'message.sent': channels,
  'message.delivered': channels,
  'message.failed': channels,
  'order.status.changed': ['storefront', 'woocommerce'],
  'catalog.updated': ['storefront', 'woocommerce'],
}

/** A subscription receives an event type only if it lists one of these. */
export function providersOf(type: EventType): readonly string[] {
  return ownProviders[type] ?? ['platform']
}

/** Providers that one of its events is sent under. */
export function sentUnder(event: { type: string; provider: string }): readonly string[] {
  return event.type === 'channel.health.updated' ? [event.provider, 'platform'] : [event.provider]
}
