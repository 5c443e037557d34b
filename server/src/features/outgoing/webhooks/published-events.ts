/** What subscribers receive, for openapi.json: when each event is sent, and its data as it leaves. */
import { z } from 'zod'
import type { PublishedEvent } from '../../../platform/http/openapi-webhooks.ts'
import {
  type EventType,
  eventData,
  outcomeProviders,
  SentOutcomeData,
  subscribableEvents,
} from '../../facts/outbox/event-types.ts'
import { TEST_EVENT } from './rules.ts'

const whenSent: Record<EventType, string> = {
  'connection.connected': 'An account was connected, or connected again.',
  'connection.reconnect_required':
    'The provider no longer accepts the stored authorization: a person must connect again.',
  'connection.revoked': 'A connection was removed, here or at the provider.',
  'channel.health.updated': 'The state of a connection changed.',
  'handoff.completed': 'A hand-off ended: `status` is completed, failed or cancelled.',
  'recompute.completed': 'A recompute of all credit ended; figures of the past may have changed.',
  'conversion.attributed': 'A goal has its first credited conversion: once per goal, never again.',
  'conversion.credited':
    'A conversion has credit for the first time: once per conversion. A full recompute does not send it; it sends `recompute.completed`.',
  'export.completed': 'A run that sends conversions to an ad platform ended.',
  'export.failed': 'A run that sends conversions to an ad platform failed.',
  'data_export.completed': 'A run that writes the profile’s tables as files ended.',
  'data_export.failed': 'A run that writes the profile’s tables as files failed.',
  'profile.freshness.changed': 'The figures of the profile became stale, or current again.',
  'outcome.recorded':
    'A connected CRM or payment provider reported an outcome. `contact` is null and `contact_withheld` true where the subscription may not see people.',
  'leadgen.received':
    'A person filled in a lead form. `field_data` is empty and `contact_withheld` true where the subscription may not see people.',
  'message.received': 'A person wrote to the business in a connected chat channel; the text is not sent.',
  'message.sent': 'The business answered a person in a connected chat channel; the text is not sent.',
  'message.delivered': 'The platform delivered a message of the business.',
  'message.failed': 'The platform could not deliver a message of the business.',
  'order.status.changed': 'An order of a connected store is new, or has another status.',
  'catalog.updated': 'A product of a connected store was added, changed or removed.',
  'doctor.finding.opened': 'A daily check of the data found something that was not there the day before.',
  'doctor.finding.resolved': 'What a daily check had found is gone.',
  'alert.fired': 'An alert rule fired on a closed day; a muted one sends nothing.',
  'alert.recovered': 'The figure of an alert that fired is back past its margin.',
}

/** As it leaves, where that differs from what is stored. */
const sentData: Partial<Record<EventType, z.ZodType>> = {
  'outcome.recorded': SentOutcomeData,
  'leadgen.received': eventData['leadgen.received'].extend({
    field_data: z.array(z.record(z.string(), z.unknown())).describe("The person's answers"),
    contact_withheld: z.boolean(),
  }),
}

const providersOf: Partial<Record<EventType, readonly string[]>> = {
  'channel.health.updated': ['that changed'],
  'outcome.recorded': outcomeProviders,
  'message.received': ['chatapp', 'photoapp', 'pagechat'],
  'order.status.changed': ['storefront'],
  'catalog.updated': ['storefront'],
}

const test: PublishedEvent = {
  type: TEST_EVENT,
  when: 'A test: `POST /webhooks/test/{id}` sends it to that subscription, whatever it names.',
  data: z.object({ profile_id: z.uuid(), subscription_id: z.uuid(), test: z.literal(true) }),
  providers: [],
}

export const publishedEvents: readonly PublishedEvent[] = [
  ...subscribableEvents.map((type) => ({
    type,
    when: whenSent[type],
    data: sentData[type] ?? eventData[type],
    providers: providersOf[type] ?? ['platform'],
  })),
  test,
]
