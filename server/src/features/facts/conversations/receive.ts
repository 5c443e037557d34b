/**
 * Turns received messages into conversations: each message once, in any order of arrival. Of the replies of the business
 * only the time of the first is stored.
 */
import type { MessageRecord } from '../../../connectors/connector.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { joinCode } from '../chat-codes/operations.ts'
import { writeEvents } from '../events/queries.ts'
import type { NewEvent } from '../events/stored.ts'
import { messageReceived } from '../outbox/event-factories.ts'
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

/** Takes the profile's lock, so that concurrent messages of one person cannot both become the first. */
export async function receiveMessages(
  tx: Tx,
  setting: Setting,
  records: readonly MessageRecord[],
): Promise<void> {
  const [replies, inbound] = [true, false].map((isReply) =>
    records
      .filter(({ kind }) => (kind === 'reply') === isReply)
      .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)),
  ) as [MessageRecord[], MessageRecord[]]
  if (inbound.length > 0) await receiveInbound(tx, setting, inbound)
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

async function receiveInbound(tx: Tx, setting: Setting, records: readonly MessageRecord[]): Promise<void> {
  await lockProfile(tx, setting.profileId)
  const events: NewEvent[] = []
  const outgoing: OutboxEvent[] = []
  for (const record of records) {
    if (record.kind === 'referral')
      events.push(...(await eventsOfCode(tx, setting, record, null)), toReferralEvent(record, null, setting))
    else events.push(...(await receiveOne(tx, setting, record, outgoing)))
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
  const stored = await queries.findByKey(tx, { ...key, accountId: record.accountId, phoneId })
  const conversationId = stored?.id ?? uuidv7(setting.now)
  const messageId = messageIdOf(profileId, record)
  const occurredAt = new Date(record.occurredAt)
  const started = toStartedEvent(record, conversationId, setting)
  if (stored === undefined)
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
  const joined = await eventsOfCode(tx, setting, record, conversationId)
  const isFirst = stored === undefined || occurredAt < stored.started_at
  await queries.countMessage(tx, { ...message, isFirst })
  outgoing.push(toOutboxEvent(setting, record, { conversationId, messageId, isFirst, occurredAt }))
  if (isFirst)
    return [...joined, started, ...(stored === undefined ? [] : previousReferral(setting, record, stored))]
  return record.referral === null ? joined : [...joined, toReferralEvent(record, conversationId, setting)]
}

/** The code in the message joins the conversation with the visit, or with the short link, that it came from. */
async function eventsOfCode(
  tx: Tx,
  setting: Setting,
  record: MessageRecord,
  conversationId: string | null,
): Promise<NewEvent[]> {
  if (!record.chatCode) return []
  const { events } = await joinCode(tx, {
    profileId: setting.profileId,
    codeHash: record.chatCode,
    identifiers: identifiersOf(record, setting),
    provider: record.channel,
    conversationId,
    connectionId: setting.connectionId,
    occurredAt: new Date(record.occurredAt),
    now: setting.now,
  })
  return events
}

/** When an older message becomes the first one, the ad of the previous first message becomes a touch of its own. */
function previousReferral(
  setting: Setting,
  record: MessageRecord,
  stored: queries.StoredConversation,
): NewEvent[] {
  if (stored.referral === null || stored.first_message_id === null) return []
  const previousFirst: MessageRecord = {
    ...record,
    externalId: stored.first_message_id,
    occurredAt: stored.started_at.toISOString(),
    referral: stored.referral,
  }
  return [toReferralEvent(previousFirst, stored.id, setting)]
}

function toOutboxEvent(
  { profileId, connectionId }: Setting,
  record: MessageRecord,
  message: { conversationId: string; messageId: string; isFirst: boolean; occurredAt: Date },
): OutboxEvent {
  return messageReceived(
    profileId,
    {
      conversation_id: message.conversationId,
      message_id: message.messageId,
      channel: record.channel,
      account_id: record.accountId,
      kind: record.kind === 'postback' ? 'postback' : 'message',
      is_first: message.isFirst,
      ad_id: record.referral?.adId ?? null,
    },
    { connectionId, occurredAt: message.occurredAt },
  )
}
