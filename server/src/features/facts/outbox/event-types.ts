/** Event types of webhooks, with the exact schema of their data. */
import { z } from 'zod'
import { providers } from '../../../connectors/connector.ts'
import {
  ConnectionId,
  ConversionId,
  CurrencyCode,
  Instant,
  OccurredAt,
  OutcomeType,
  ProfileId,
  ProviderName,
} from '../../../platform/contract/fields.ts'

const Profile = { profile_id: ProfileId }

const ConnectionData = z.strictObject({
  ...Profile,
  provider: ProviderName,
  connection_id: ConnectionId,
  status: z.string().describe('Status of the connection after the change'),
  reason: z.string().nullable().describe('Why the status changed; null if the provider gives no reason'),
})

const ExportData = z.strictObject({
  ...Profile,
  run_id: z.uuid().describe('Id of the export run'),
  destination_id: z.uuid().describe('Id of the export destination'),
  sent: z.int().describe('Number of conversions that were sent'),
  failed: z.int().describe('Number of conversions that failed'),
  skipped: z.int().describe('Number of conversions that were skipped'),
})

const DataExportData = z.strictObject({
  ...Profile,
  run_id: z.uuid().describe('Id of the run'),
  destination_id: z.uuid().describe('Id of the destination'),
  files: z.int().describe('Number of files that were written'),
  rows: z.int().describe('Number of rows that were written'),
})

const DoctorFindingData = z.strictObject({
  ...Profile,
  check_id: z.string().describe('Id of the check'),
  status: z.enum(['ok', 'warning', 'problem', 'not_applicable']).describe('Result of the check'),
  count: z.int().describe('Number of affected clicks, sales, events, customers or connections'),
  value: z.number().nullable().describe('Affected revenue or spend; null if no amount is known'),
  since: z
    .string()
    .nullable()
    .describe('First day within the last 28 days on which it was detected; null without a finding'),
})

const AlertData = z.strictObject({
  ...Profile,
  alert_id: z.uuid().describe('Id of the alert'),
  name: z.string().describe('Name of the alert, as people see it'),
  kind: z.enum(['threshold', 'finding']).describe('Whether it watches a figure or findings of the checks'),
  day: z.string().describe('The closed day that was evaluated'),
  metric: z.string().nullable().describe('Figure that the rule watches; null for findings'),
  campaign_id: z.uuid().nullable().describe('Id of the campaign that it watches; null for the whole profile'),
  direction: z
    .string()
    .nullable()
    .describe('Whether it fires above or below the threshold; null for findings'),
  comparison: z
    .string()
    .nullable()
    .describe('Whether the figure itself or its change is compared; null for findings'),
  threshold: z
    .number()
    .nullable()
    .describe('Value that the figure is compared with, in its own unit; null for findings'),
  window_days: z.int().nullable().describe('Number of closed days that are summed; null for findings'),
  value: z.number().nullable().describe('The figure, in its own unit; null if data is missing'),
  before: z
    .number()
    .nullable()
    .describe('The figure of the days that it is compared with; null without a comparison'),
  change_percent: z
    .number()
    .nullable()
    .describe('Change from those days in percent; null without a comparison'),
  conversions: z.int().describe('Payments in the days'),
  currency: CurrencyCode,
  check_ids: z.array(z.string()).describe('Ids of the checks with open findings; empty for a threshold'),
})
export const outcomeProviders = ['crmsuite', 'regionalpay', 'hubspot'] as const

/** The stored data; the person's contact is read at each delivery. */
export const OutcomeData = z.strictObject({
  ...Profile,
  provider: z.enum(outcomeProviders).describe('Provider that reported the outcome'),
  outcome_type: OutcomeType,
  occurred_at: OccurredAt,
  recorded_at: Instant.describe('When the service recorded it'),
  external_id: z.string().describe("The provider's id of the outcome"),
  outcome_event_id: z.uuid().describe('Id of the event of the conversion'),
  conversion_id: z.uuid().nullable().describe('Id of the conversion; null if no goal includes the outcome'),
  customer_key: z
    .string()
    .nullable()
    .describe('External id, email or phone of the customer; null after an erasure'),
  value: z
    .number()
    .nullable()
    .describe('Value of the outcome, in the currency of the profile; null if it has none'),
})
export type OutcomeData = z.infer<typeof OutcomeData>

export const Contact = z.object({
  first_name: z.string().nullable().describe('First name of the person; null if it is not known'),
  last_name: z.string().nullable().describe('Last name of the person; null if it is not known'),
  email: z.string().nullable().describe('Email address of the person; null if it is not known'),
  phone: z.string().nullable().describe('Phone number with country code; null if it is not known'),
})
export type Contact = z.infer<typeof Contact>

/** The delivered data. */
export const SentOutcomeData = OutcomeData.extend({
  contact: Contact.nullable().describe(
    'Name, email and phone; null if the subscription may not receive people',
  ),
  contact_withheld: z.boolean().describe('True if the subscription may not receive people'),
})
export type SentOutcomeData = z.infer<typeof SentOutcomeData>

/** The stored data; the form answers (`field_data`) are read at each delivery. */
const LeadData = z.strictObject({
  ...Profile,
  page_id: z.string().describe('The platform’s id of the page'),
  leadgen_id: z.string().describe('The platform’s id of the lead'),
  form_id: z.string().nullable().describe('The platform’s id of the lead form; null if it sends none'),
  ad_id: z
    .string()
    .nullable()
    .describe('The platform’s id of the ad; null if the form was not opened from an ad'),
  campaign_id: z
    .string()
    .nullable()
    .describe('The platform’s id of the campaign; null if the form was not opened from an ad'),
})

const Store = {
  provider: ProviderName,
  connection_id: ConnectionId,
  account_id: z.string().describe('The account’s id at the provider'),
}

/** A message of the business, without its text. */
const MessageData = z.strictObject({
  ...Profile,
  conversation_id: z.uuid().describe('Id of the conversation'),
  message_id: z.uuid().describe('Id of the message'),
  channel: z.enum(['chatapp', 'photoapp', 'pagechat']).describe('Messaging channel of the conversation'),
  account_id: z.string().describe('The account’s id at the provider'),
  kind: z.enum(['text', 'template', 'media']).describe('Form of the message'),
  template: z.string().nullable().describe('Name of the template that was sent; null if none was'),
  reason: z.string().nullable().describe('The platform’s code of a failure; null if it did not fail'),
})

/** Who an event is sent to: `providersOf`. */
export const eventData = {
  'connection.connected': ConnectionData,
  'connection.reconnect_required': ConnectionData,
  'connection.revoked': ConnectionData,
  'channel.health.updated': ConnectionData,
  'handoff.completed': z.strictObject({
    ...Profile,
    id: z.uuid().describe('Id of the hand-off'),
    kind: z.string().describe('Whether the person connects an account or pays for a plan'),
    status: z.string().describe('How it ended: completed, failed or cancelled'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Outcome of the hand-off, as `GET /handoffs/{id}` returns it; null without one'),
  }),
  'recompute.completed': z.strictObject({
    ...Profile,
    recompute_id: z.uuid().describe('Id of the recompute'),
    scope: z.string().describe('What is recomputed'),
    conversions: z.int().describe('Number of conversions that were recomputed'),
    duration_ms: z.int().describe('Duration in milliseconds'),
  }),
  'conversion.attributed': z.strictObject({
    ...Profile,
    goal_id: z.uuid().describe('Id of the goal'),
    conversion_key: z.string().describe('Key of the goal, unique in the profile'),
    conversion_id: ConversionId,
  }),
  'conversion.credited': z.strictObject({
    ...Profile,
    conversion_id: ConversionId,
    goal_id: z.uuid().describe('Id of the goal'),
    outcome_type: OutcomeType,
    revenue_type: z.string().describe('Only cash counts for revenue, ROAS and CAC'),
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
    from: z.string().describe('State before the change'),
    to: z.string().describe('State after the change'),
    computed_through: Instant.nullable().describe(
      'Everything that arrived before this time is counted; null if nothing was counted yet',
    ),
  }),
  'doctor.finding.opened': DoctorFindingData,
  'doctor.finding.resolved': DoctorFindingData,
  'alert.fired': AlertData,
  'alert.recovered': AlertData,
  'outcome.recorded': OutcomeData,
  'leadgen.received': LeadData,
  'message.received': z.strictObject({
    ...Profile,
    conversation_id: z.uuid().describe('Id of the conversation'),
    message_id: z.uuid().describe('Id of the message'),
    channel: z.enum(['chatapp', 'photoapp', 'pagechat']).describe('Messaging channel of the conversation'),
    account_id: z.string().describe('The account’s id at the provider'),
    kind: z.enum(['message', 'postback']).describe('Whether the person wrote a message or pressed a button'),
    is_first: z.boolean().describe('True for the person’s first message to this account'),
    ad_id: z
      .string()
      .nullable()
      .describe('The platform’s id of the ad that started the conversation; null if none did'),
  }),
  'message.sent': MessageData,
  'message.delivered': MessageData,
  'message.failed': MessageData,
  'order.status.changed': z.strictObject({
    ...Profile,
    ...Store,
    order_id: z.string().describe('The shop’s order number'),
    status: z.string().describe('Status of the order in the store'),
    previous_status: z.string().nullable().describe('Status before the change; null if the order is new'),
  }),
  'catalog.updated': z.strictObject({
    ...Profile,
    ...Store,
    product_id: z.string().describe('The store’s id of the product'),
    change: z.enum(['created', 'updated', 'deleted']).describe('What happened to the product'),
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
