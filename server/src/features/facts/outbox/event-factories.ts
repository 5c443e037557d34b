/** One factory function per event type, which validates the data against the type's schema. */
import { type EventData, type EventType, eventData } from './event-types.ts'
import type { OutboxEvent } from './record.ts'

type DataOf<T extends EventType> = Omit<EventData<T>, 'profile_id'>

function toEvent<T extends EventType>(
  type: T,
  profileId: string,
  data: DataOf<T>,
  event: Partial<OutboxEvent> & { occurredAt: Date },
): OutboxEvent {
  const parsed = eventData[type].parse({ profile_id: profileId, ...data })
  return { provider: 'platform', ...event, profileId, type, data: parsed }
}

export type ConnectionEventType =
  | 'connection.connected'
  | 'connection.reconnect_required'
  | 'connection.revoked'

export function connectionEvent(
  type: ConnectionEventType,
  profileId: string,
  data: DataOf<ConnectionEventType>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { connectionId: data.connection_id, occurredAt })
}

/** The provider is the channel, so that subscribers of a channel receive its health events. */
export function channelHealthUpdated(
  profileId: string,
  data: DataOf<'channel.health.updated'>,
  occurredAt: Date,
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('channel.health.updated', profileId, data, { provider, connectionId, occurredAt })
}

export function handoffCompleted(
  profileId: string,
  data: DataOf<'handoff.completed'>,
  event: { connectionId: string | null; occurredAt: Date },
): OutboxEvent {
  return toEvent('handoff.completed', profileId, data, event)
}

export function recomputeCompleted(
  profileId: string,
  data: DataOf<'recompute.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('recompute.completed', profileId, data, { occurredAt })
}

export function conversionAttributed(
  profileId: string,
  data: DataOf<'conversion.attributed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('conversion.attributed', profileId, data, { occurredAt })
}

/** Has the conversion's id, so that a conversion whose credit is removed and restored is sent once. */
export function conversionCredited(
  profileId: string,
  data: DataOf<'conversion.credited'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('conversion.credited', profileId, data, { id: data.conversion_id, occurredAt })
}

export function exportSettled(
  type: 'export.completed' | 'export.failed',
  profileId: string,
  data: DataOf<'export.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

export function dataExportSettled(
  type: 'data_export.completed' | 'data_export.failed',
  profileId: string,
  data: DataOf<'data_export.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

export function freshnessChanged(
  profileId: string,
  data: DataOf<'profile.freshness.changed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('profile.freshness.changed', profileId, data, { occurredAt })
}

export function doctorFinding(
  type: 'doctor.finding.opened' | 'doctor.finding.resolved',
  profileId: string,
  data: DataOf<'doctor.finding.opened'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

/** Has the id of the log entry, so that each change of state is sent once. */
export function alertChanged(
  type: 'alert.fired' | 'alert.recovered',
  profileId: string,
  data: DataOf<'alert.fired'>,
  event: { id: string; occurredAt: Date },
): OutboxEvent {
  return toEvent(type, profileId, data, event)
}

/** `customerId` is an identifier of the person, which remains valid after merges. */
export function outcomeRecorded(
  profileId: string,
  data: DataOf<'outcome.recorded'>,
  event: { id: string; appId: string; connectionId: string | null; customerId: string },
): OutboxEvent {
  return toEvent('outcome.recorded', profileId, data, { ...event, occurredAt: new Date(data.occurred_at) })
}

/** Has the lead's id, so that a lead is sent once. Its answers are only stored in `provider_leads`. */
export function leadReceived(
  profileId: string,
  data: DataOf<'leadgen.received'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  return toEvent('leadgen.received', profileId, data, { ...event, id: data.leadgen_id })
}

/** Has the message's id, and the channel as provider, so that subscribers of a channel receive only its messages. */
export function messageReceived(
  profileId: string,
  data: DataOf<'message.received'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  return toEvent('message.received', profileId, data, {
    ...event,
    id: data.message_id,
    provider: data.channel,
  })
}

/** Sent once per message and state. */
export function messageSettled(
  type: 'message.sent' | 'message.delivered' | 'message.failed',
  profileId: string,
  data: DataOf<'message.sent'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  const id = `${data.message_id}:${type}`
  return toEvent(type, profileId, data, { ...event, id, provider: data.channel })
}

/** The provider is the store, as in `catalogUpdated`. */
export function orderStatusChanged(
  profileId: string,
  data: DataOf<'order.status.changed'>,
  occurredAt: Date,
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('order.status.changed', profileId, data, { provider, connectionId, occurredAt })
}

/** `id` is stable per change, so that a duplicate provider webhook is sent once. */
export function catalogUpdated(
  profileId: string,
  data: DataOf<'catalog.updated'>,
  event: { id: string; occurredAt: Date },
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('catalog.updated', profileId, data, { ...event, provider, connectionId })
}
