/** Documents the webhook events for openapi.json: when each is sent, and its data. */
import { z } from 'zod'
import { ProfileId } from '../../../platform/contract/fields.ts'
import type { PublishedEvent } from '../../../platform/http/openapi-webhooks.ts'
import {
  type EventType,
  eventData,
  providersOf,
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
  'recompute.completed': 'A recompute of all credit ended; past report figures may have changed.',
  'conversion.attributed': 'A goal got its first credited conversion. Sent once per goal.',
  'conversion.credited':
    'A conversion got credit for the first time. Sent once per conversion, but not by a full recompute, which sends `recompute.completed`.',
  'export.completed': 'A run that sends conversions to an ad platform ended.',
  'export.failed': 'A run that sends conversions to an ad platform failed.',
  'data_export.completed': 'A run that writes the profile’s tables as files ended.',
  'data_export.failed': 'A run that writes the profile’s tables as files failed.',
  'profile.freshness.changed': 'The profile’s reports became stale, or current again.',
  'outcome.recorded':
    'A connected CRM or payment provider reported an outcome. `contact` is null and `contact_withheld` true if the subscription may not receive people.',
  'leadgen.received':
    'A person filled in a lead form. `field_data` is empty and `contact_withheld` true if the subscription may not receive people.',
  'message.received': 'A person wrote to the business in a connected chat channel; the text is not sent.',
  'message.sent': 'The business replied to a person in a connected chat channel; the text is not sent.',
  'message.delivered': 'The platform delivered a message of the business.',
  'message.failed': 'The platform could not deliver a message of the business.',
  'order.status.changed': 'An order of a connected store is new, or has another status.',
  'catalog.updated': 'A product of a connected store was added, changed or removed.',
  'doctor.finding.opened': 'A daily check of the data found a new problem.',
  'doctor.finding.resolved': 'A problem that a daily check found no longer exists.',
  'alert.fired': 'An alert rule fired on a closed day. Muted rules send nothing.',
  'alert.recovered': 'The figure of an alert that fired is back past its margin.',
}

/** Data as it is sent, for types whose stored data differs. */
const sentData: Partial<Record<EventType, z.ZodType>> = {
  'outcome.recorded': SentOutcomeData,
  'leadgen.received': eventData['leadgen.received'].extend({
    field_data: z.array(z.record(z.string(), z.unknown())).describe("The person's answers"),
    contact_withheld: z.boolean().describe('True if the subscription may not receive people'),
  }),
}

const facts: readonly EventType[] = [
  'outcome.recorded',
  'conversion.credited',
  'leadgen.received',
  'message.received',
  'order.status.changed',
]

const test: PublishedEvent = {
  type: TEST_EVENT,
  when: 'A test. `POST /webhooks/test/{id}` sends it to that subscription, regardless of its events and providers.',
  data: z.object({
    profile_id: ProfileId,
    subscription_id: z.uuid().describe('Id of the webhook subscription'),
    test: z.literal(true).describe('Always true: marks a test'),
  }),
  providers: [],
}

export const publishedEvents: readonly PublishedEvent[] = [
  ...subscribableEvents.map((type) => ({
    type,
    when: whenSent[type],
    data: sentData[type] ?? eventData[type],
    mayBeHistorical: facts.includes(type),
    providers: type === 'channel.health.updated' ? ['platform', 'that changed'] : providersOf(type),
  })),
  test,
]
