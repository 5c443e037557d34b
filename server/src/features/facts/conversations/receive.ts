/**
 * What people write becomes conversations: each message once, in whatever order the platform shows them. Of what the
 * business answers only the time of the first is kept.
 */
import type { MessageRecord } from '../../../connectors/connector.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { writeEvents } from '../events/queries.ts'
import type { NewEvent } from '../events/stored.ts'
import { messageReceived } from '../outbox/makers.ts'
import { type OutboxEvent, recordEvents } from '../outbox/record.ts'
import * as queries from './queries.ts'
import {
  conversationKeyOf,
  identifiersOf,
  messageIdOf,
  type Setting,
  toReferralEvent,
  toStartedEvent,
} from './rules.ts'

/** Takes the profile's lock: of two messages of one person only one can be the first. */
export async function receiveMessages(
  tx: Tx,
  setting: Setting,
  records: readonly MessageRecord[],
): Promise<void> {
  const [replies, written] = [true, false].map((isReply) =>
    records
      .filter(({ kind }) => (kind === 'reply') === isReply)
      .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)),
  ) as [MessageRecord[], MessageRecord[]]
  if (written.length > 0) await receiveWritten(tx, setting, written)
  for (const record of replies)
    await queries.noteReply(tx, {
      ...keyOf(setting, record),
      accountId: record.accountId,
      identifierId: record.phone === null ? null : (identifiersOf(record, setting)[0]?.id ?? null),
      occurredAt: new Date(record.occurredAt),
    })
}

const keyOf = ({ profileId }: Setting, record: MessageRecord) => ({
  profileId,
  channel: record.channel,
  externalId: conversationKeyOf(record),
})

async function receiveWritten(tx: Tx, setting: Setting, records: readonly MessageRecord[]): Promise<void> {
  await lockProfile(tx, setting.profileId)
  const events: NewEvent[] = []
  const outgoing: OutboxEvent[] = []
  for (const record of records) {
    const made = record.kind === 'referral' ? [toReferralEvent(record, null, setting)] : []
    events.push(...(record.kind === 'referral' ? made : await receiveOne(tx, setting, record, outgoing)))
  }
  if (events.length > 0) await writeEvents(tx, { profileId: setting.profileId, events })
  if (outgoing.length > 0) await recordEvents(tx, outgoing, setting.now)
}

async function receiveOne(
  tx: Tx,
  setting: Setting,
  record: MessageRecord,
  outgoing: OutboxEvent[],
): Promise<NewEvent[]> {
  const { profileId, connectionId } = setting
  const key = keyOf(setting, record)
  const identifierId = identifiersOf(record, setting)[0]?.id ?? null
  const phoneId = record.phone === null ? null : identifierId
  const known = await queries.findByKey(tx, { ...key, accountId: record.accountId, phoneId })
  const conversationId = known?.id ?? uuidv7(setting.now)
  const messageId = messageIdOf(profileId, record)
  const occurredAt = new Date(record.occurredAt)
  const started = toStartedEvent(record, conversationId, setting)
  if (known === undefined)
    await queries.insertConversation(tx, {
      ...key,
      id: conversationId,
      connectionId,
      accountId: record.accountId,
      identifierId,
      startedEventId: started.id,
      firstMessageId: messageId,
      referral: record.referral,
      startedAt: occurredAt,
    })
  const message = { profileId, conversationId, id: messageId, record, occurredAt }
  if (!(await queries.insertMessage(tx, message))) return []
  const isFirst = known === undefined || occurredAt < known.started_at
  await queries.countMessage(tx, { ...message, isFirst })
  outgoing.push(toOutboxEvent(setting, record, { conversationId, messageId, isFirst, occurredAt }))
  if (isFirst) return [started, ...(known === undefined ? [] : laterReferral(setting, record, known))]
  return record.referral === null ? [] : [toReferralEvent(record, conversationId, setting)]
}

/** A message that came earlier takes the place of the first; by which ad the other came stays a touch of its own. */
function laterReferral(
  setting: Setting,
  record: MessageRecord,
  known: queries.KnownConversation,
): NewEvent[] {
  if (known.referral === null || known.first_message_id === null) return []
  const other: MessageRecord = {
    ...record,
    externalId: known.first_message_id,
    occurredAt: known.started_at.toISOString(),
    referral: known.referral,
  }
  return [toReferralEvent(other, known.id, setting)]
}

function toOutboxEvent(
  { profileId, connectionId }: Setting,
  record: MessageRecord,
  of: { conversationId: string; messageId: string; isFirst: boolean; occurredAt: Date },
): OutboxEvent {
  return messageReceived(
    profileId,
    {
      conversation_id: of.conversationId,
      message_id: of.messageId,
      channel: record.channel,
      account_id: record.accountId,
      kind: record.kind === 'postback' ? 'postback' : 'message',
      is_first: of.isFirst,
      ad_id: record.referral?.adId ?? null,
    },
    { connectionId, occurredAt: of.occurredAt },
  )
}
