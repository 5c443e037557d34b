/** One maker per type of event: what a feature records is checked against the type's schema where it is made. */
import { type EventData, type EventType, eventData } from './event-types.ts'
import type { OutboxEvent } from './record.ts'

type Rest<T extends EventType> = Omit<EventData<T>, 'profile_id'>

function toEvent<T extends EventType>(
  type: T,
  profileId: string,
  data: Rest<T>,
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
  data: Rest<ConnectionEventType>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { connectionId: data.connection_id, occurredAt })
}

/** Carries the channel itself as provider: a subscriber of one channel hears of its health. */
export function channelHealthUpdated(
  profileId: string,
  data: Rest<'channel.health.updated'>,
  occurredAt: Date,
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('channel.health.updated', profileId, data, { provider, connectionId, occurredAt })
}

export function handoffCompleted(
  profileId: string,
  data: Rest<'handoff.completed'>,
  event: { connectionId: string | null; occurredAt: Date },
): OutboxEvent {
  return toEvent('handoff.completed', profileId, data, event)
}

export function recomputeCompleted(
  profileId: string,
  data: Rest<'recompute.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('recompute.completed', profileId, data, { occurredAt })
}

export function conversionAttributed(
  profileId: string,
  data: Rest<'conversion.attributed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('conversion.attributed', profileId, data, { occurredAt })
}

/** Has the conversion's own id, so that one whose credit goes and comes back is sent once. */
export function conversionCredited(
  profileId: string,
  data: Rest<'conversion.credited'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('conversion.credited', profileId, data, { id: data.conversion_id, occurredAt })
}

export function exportSettled(
  type: 'export.completed' | 'export.failed',
  profileId: string,
  data: Rest<'export.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

export function dataExportSettled(
  type: 'data_export.completed' | 'data_export.failed',
  profileId: string,
  data: Rest<'data_export.completed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

export function freshnessChanged(
  profileId: string,
  data: Rest<'profile.freshness.changed'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent('profile.freshness.changed', profileId, data, { occurredAt })
}

export function doctorFinding(
  type: 'doctor.finding.opened' | 'doctor.finding.resolved',
  profileId: string,
  data: Rest<'doctor.finding.opened'>,
  occurredAt: Date,
): OutboxEvent {
  return toEvent(type, profileId, data, { occurredAt })
}

/** Has the log entry's own id, so that each change of state is announced once. */
export function alertChanged(
  type: 'alert.fired' | 'alert.recovered',
  profileId: string,
  data: Rest<'alert.fired'>,
  event: { id: string; occurredAt: Date },
): OutboxEvent {
  return toEvent(type, profileId, data, event)
}

/** `customerId` names the person by an identifier of theirs, which stays when people are merged. */
export function outcomeRecorded(
  profileId: string,
  data: Rest<'outcome.recorded'>,
  event: { id: string; appId: string; connectionId: string | null; customerId: string },
): OutboxEvent {
  return toEvent('outcome.recorded', profileId, data, { ...event, occurredAt: new Date(data.occurred_at) })
}

/** Has the lead's own id, so that a lead is announced once. The answers stay in `provider_leads`. */
export function leadReceived(
  profileId: string,
  data: Rest<'leadgen.received'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  return toEvent('leadgen.received', profileId, data, { ...event, id: data.leadgen_id })
}

/** Has the message's own id, and its channel as provider: a subscriber of one channel hears its messages only. */
export function messageReceived(
  profileId: string,
  data: Rest<'message.received'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  return toEvent('message.received', profileId, data, {
    ...event,
    id: data.message_id,
    provider: data.channel,
  })
}

/** Each state once per message. */
export function messageSettled(
  type: 'message.sent' | 'message.delivered' | 'message.failed',
  profileId: string,
  data: Rest<'message.sent'>,
  event: { connectionId: string; occurredAt: Date },
): OutboxEvent {
  const id = `${data.message_id}:${type}`
  return toEvent(type, profileId, data, { ...event, id, provider: data.channel })
}

/** Carries the store as provider, as does `catalogUpdated`. */
export function orderStatusChanged(
  profileId: string,
  data: Rest<'order.status.changed'>,
  occurredAt: Date,
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('order.status.changed', profileId, data, { provider, connectionId, occurredAt })
}

/** `id` is stable per change, so that a webhook that comes twice is sent once. */
export function catalogUpdated(
  profileId: string,
  data: Rest<'catalog.updated'>,
  event: { id: string; occurredAt: Date },
): OutboxEvent {
  const { provider, connection_id: connectionId } = data
  return toEvent('catalog.updated', profileId, data, { ...event, provider, connectionId })
}
