/** Updates the status of messages that the business sent, from the platform's response or a later status report. */
import type { MessageStatusRecord } from '../../../connectors/connector.ts'
import type { MessagingChannel } from '../../../connectors/messaging.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { messageSettled } from '../outbox/event-factories.ts'
import { recordEvents } from '../outbox/record.ts'
import * as queries from './reply-queries.ts'

/** A hash of the platform's id, which may contain the person's number and is therefore not stored. */
export const providerKeyOf = (profileId: string, channel: MessagingChannel, externalId: string): string =>
  uuidv5(profileId, `message:${channel}:${externalId}`)

export type Outcome = {
  profileId: string
  id: string | null
  providerKey: string | null
  status: 'sent' | 'delivered' | 'failed' | 'unknown'
  reason: string | null
  at: Date
  now: Date
}

/** Saves the new status, records an event for it and sets the first reply. Returns false if the status did not change. */
export async function settleReply(tx: Tx, outcome: Outcome): Promise<boolean> {
  const { profileId, status, at, now } = outcome
  const reply = await queries.settleReply(tx, outcome)
  if (reply === undefined) return false
  if (status !== 'failed' && status !== 'unknown')
    await queries.saveFirstReply(tx, { profileId, conversationId: reply.conversation_id, at })
  if (status === 'unknown') return true
  const data = {
    conversation_id: reply.conversation_id,
    message_id: reply.id,
    channel: reply.channel,
    account_id: reply.account_id,
    kind: reply.kind,
    template: reply.template_name,
    reason: outcome.reason,
  }
  const event = { connectionId: reply.connection_id, occurredAt: at }
  await recordEvents(tx, [messageSettled(`message.${status}`, profileId, data, event)], now)
  return true
}

export async function receiveStatuses(
  tx: Tx,
  { profileId, now }: { profileId: string; now: Date },
  records: readonly MessageStatusRecord[],
): Promise<void> {
  for (const record of records)
    await settleReply(tx, {
      profileId,
      id: record.reference,
      providerKey: providerKeyOf(profileId, record.channel, record.externalId),
      status: record.status,
      reason: record.code,
      at: new Date(record.occurredAt),
      now,
    })
}
