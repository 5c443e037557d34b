import { sql } from 'kysely'
import type { MessageRecord } from '../../../connectors/connector.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../identity/members.ts'
import type { Referral } from './rules.ts'

export type StoredConversation = {
  id: string
  started_at: Date
  first_message_id: string | null
  referral: Referral | null
}

type Key = { profileId: string; channel: string; externalId: string }

/** Finds by the platform's id of the person, else by the phone number, which the platform formats in several ways. */
export async function findByKey(tx: Tx, key: Key & { accountId: string; phoneId: string | null }) {
  const { rows } = await sql<StoredConversation>`
    select id, started_at, first_message_id, referral from conversations
    where profile_id = ${key.profileId} and channel = ${key.channel}
      and (external_id = ${key.externalId}
        or (account_id = ${key.accountId} and identifier_id = ${key.phoneId}::uuid))
    order by external_id = ${key.externalId} desc, started_at, id limit 1`.execute(tx)
  return rows[0]
}

export async function insertConversation(
  tx: Tx,
  params: Key & {
    id: string
    connectionId: string
    accountId: string
    identifierId: string | null
    startedEventId: string
    firstMessageId: string
    referral: Referral | null
    startedAt: Date
  },
): Promise<void> {
  await sql`
    insert into conversations (profile_id, id, channel, external_id, connection_id, account_id, identifier_id,
      started_event_id, first_message_id, referral, started_at, messages)
    values (${params.profileId}, ${params.id}, ${params.channel}, ${params.externalId}, ${params.connectionId},
      ${params.accountId}, ${params.identifierId}, ${params.startedEventId}, ${params.firstMessageId},
      ${params.referral === null ? null : JSON.stringify(params.referral)}::jsonb, ${params.startedAt}, 0)`.execute(
    tx,
  )
}

type Message = {
  profileId: string
  conversationId: string
  id: string
  record: MessageRecord
  occurredAt: Date
}

/** Returns false if the message was reported before. */
export async function insertMessage(tx: Tx, message: Message): Promise<boolean> {
  const { rows } = await sql`
    insert into conversation_messages (profile_id, conversation_id, id, occurred_at, kind, ad_id)
    values (${message.profileId}, ${message.conversationId}, ${message.id}, ${message.occurredAt},
      ${message.record.kind}, ${message.record.referral?.adId ?? null})
    on conflict (profile_id, conversation_id, id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function countMessage(tx: Tx, message: Message & { isFirst: boolean }): Promise<void> {
  const { referral } = message.record
  const first = message.isFirst
    ? sql`, started_at = ${message.occurredAt}, first_message_id = ${message.id},
        referral = ${referral === null ? null : JSON.stringify(referral)}::jsonb`
    : sql``
  await sql`
    update conversations set messages = messages + 1,
      number_id = coalesce(${message.record.numberId ?? null}::text, number_id),
      last_message_at = greatest(last_message_at, ${message.occurredAt}::timestamptz) ${first}
    where profile_id = ${message.profileId} and id = ${message.conversationId}`.execute(tx)
}

/** Messages of the business before the person's first message, or to a person without messages, are no replies. */
export async function noteReply(
  tx: Tx,
  reply: Key & {
    accountId: string
    /** Identifier of the person's number, the only reference in a reply sent from a phone. */
    identifierId: string | null
    occurredAt: Date
  },
): Promise<void> {
  await sql`
    update conversations set first_reply_at = least(first_reply_at, ${reply.occurredAt}::timestamptz)
    where profile_id = ${reply.profileId} and channel = ${reply.channel}
      and (external_id = ${reply.externalId}
        or (account_id = ${reply.accountId} and identifier_id = ${reply.identifierId}::uuid))
      and started_at <= ${reply.occurredAt}::timestamptz`.execute(tx)
}

export type ConversationRow = {
  id: string
  channel: 'chatapp' | 'photoapp' | 'pagechat'
  account_id: string | null
  customer_id: string | null
  started_at: Date
  last_message_at: Date | null
  first_reply_at: Date | null
  messages: number
  referral: Referral | null
  started_event_id: string | null
  lead_event_id: string | null
  account_status: string | null
  ad_name: string | null
  origin: 'ad' | 'chat_code' | 'short_link' | 'link' | 'unknown'
}

/** `customer_id` is null for a customer who is being erased. */
const columns = (profileId: string) => sql`
  c.id, c.channel, c.account_id, case when ${isAlive(profileId, sql.ref('i.customer_id'))} then i.customer_id end as customer_id,
  c.started_at, c.last_message_at, c.first_reply_at, c.messages::int as messages, c.referral, c.started_event_id, c.lead_event_id,
  (select k.status from connections k where k.profile_id = ${profileId} and k.provider = c.channel
    and k.external_id = c.account_id limit 1) as account_status,
  (select a.name from ad_entities a where a.profile_id = ${profileId} and a.level = 'ad'
    and a.external_id = c.referral->>'adId' limit 1) as ad_name,
  case when c.referral->>'adId' is not null then 'ad'
    else coalesce((
      select case when k.short_link_id is not null then 'short_link' else 'chat_code' end from chat_codes k
      where k.profile_id = ${profileId} and k.conversation_id = c.id
        and (k.short_link_id is not null or k.visitor_identifier_id is not null)
      order by k.used_at limit 1), case when c.referral is not null then 'link' else 'unknown' end) end as origin`

export async function listConversations(
  db: Db | Tx,
  params: {
    profileId: string
    channel: string | undefined
    customerId: string | undefined
    after: { at: Date; id: string } | null
    limit: number
  },
): Promise<ConversationRow[]> {
  const { profileId, channel, customerId, after } = params
  const { rows } = await sql<ConversationRow>`
    select ${columns(profileId)} from conversations c
    left join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
    where c.profile_id = ${profileId} and c.last_message_at is not null
      ${channel === undefined ? sql`` : sql`and c.channel = ${channel}`}
      ${customerId === undefined ? sql`` : sql`and i.customer_id = ${customerId}`}
      ${after === null ? sql`` : sql`and (c.last_message_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by c.last_message_at desc, c.id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function findConversation(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<ConversationRow>`
    select ${columns(params.profileId)} from conversations c
    left join identifiers i on i.profile_id = ${params.profileId} and i.id = c.identifier_id
    where c.profile_id = ${params.profileId} and c.id = ${params.id}`.execute(db)
  return rows[0]
}

export async function listMessages(
  db: Db | Tx,
  params: { profileId: string; conversationId: string; limit: number },
): Promise<{ id: string; occurred_at: Date; kind: 'message' | 'postback'; ad_id: string | null }[]> {
  const { rows } = await sql<{
    id: string
    occurred_at: Date
    kind: 'message' | 'postback'
    ad_id: string | null
  }>`
    select id, occurred_at, kind, ad_id from conversation_messages
    where profile_id = ${params.profileId} and conversation_id = ${params.conversationId}
    order by occurred_at desc, id desc limit ${params.limit}`.execute(db)
  return rows
}

/** Sets the lead event of conversations; if several events refer to one, the last wins. */
export async function saveLeads(
  tx: Tx,
  params: { profileId: string; leads: readonly { conversationId: string; eventId: string }[] },
): Promise<void> {
  for (const { conversationId, eventId } of params.leads)
    await sql`
      update conversations set lead_event_id = ${eventId}
      where profile_id = ${params.profileId} and id = ${conversationId}`.execute(tx)
}
