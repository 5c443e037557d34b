import { sql } from 'kysely'
import type { MessagingChannel } from '../../../connectors/messaging.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type ReplyKind = 'text' | 'template' | 'media'
export type ReplyStatus = 'sending' | 'sent' | 'delivered' | 'failed' | 'unknown'

/** The recipient of a message of the business. */
export type Recipient = {
  id: string
  channel: MessagingChannel
  account_id: string
  external_id: string
  last_message_at: Date | null
  number_id: string | null
  customer_id: string | null
}

export async function findRecipient(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<Recipient>`
    select c.id, c.channel, c.account_id, c.external_id, c.last_message_at, c.number_id, i.customer_id
    from conversations c
    left join identifiers i on i.profile_id = ${params.profileId} and i.id = c.identifier_id
    where c.profile_id = ${params.profileId} and c.id = ${params.id} and c.account_id is not null`.execute(db)
  return rows[0]
}

export type NewReply = {
  profileId: string
  id: string
  conversationId: string
  connectionId: string
  kind: ReplyKind
  template: { name: string; language: string } | null
  humanAgent: boolean
  requestKey: string | null
  requestHash: string
  now: Date
}

export async function insertReply(tx: Tx, reply: NewReply): Promise<void> {
  await sql`
    insert into conversation_replies (profile_id, id, conversation_id, connection_id, kind, template_name,
      template_language, human_agent, status, request_key, request_hash, created_at)
    values (${reply.profileId}, ${reply.id}, ${reply.conversationId}, ${reply.connectionId}, ${reply.kind},
      ${reply.template?.name ?? null}, ${reply.template?.language ?? null}, ${reply.humanAgent}, 'sending',
      ${reply.requestKey}::uuid, ${reply.requestHash}, ${reply.now})`.execute(tx)
}

export type EarlierReply = { id: string; request_hash: string | null; status: ReplyStatus }

/** The newest reply to the same request. */
export async function findReplyOfRequest(
  db: Db | Tx,
  params: { profileId: string; requestKey: string; since: Date },
): Promise<EarlierReply | undefined> {
  const { rows } = await sql<EarlierReply>`
    select id, request_hash, status from conversation_replies
    where profile_id = ${params.profileId} and request_key = ${params.requestKey} and created_at > ${params.since}
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

export type SettledReply = {
  id: string
  conversation_id: string
  connection_id: string
  kind: ReplyKind
  template_name: string | null
  channel: MessagingChannel
  account_id: string
}

/** The status only moves forward: a late `sent` does not replace `delivered`. Undefined if nothing changed. */
export async function settleReply(
  tx: Tx,
  params: {
    profileId: string
    /** Our id of the reply; alternatively `providerKey`, the hash of the platform's id. */
    id: string | null
    providerKey: string | null
    status: Exclude<ReplyStatus, 'sending'>
    reason: string | null
    now: Date
  },
): Promise<SettledReply | undefined> {
  const before = {
    unknown: ['sending'],
    sent: ['sending', 'unknown'],
    delivered: ['sending', 'unknown', 'sent'],
    failed: ['sending', 'unknown', 'sent'],
  }[params.status]
  const { rows } = await sql<SettledReply>`
    update conversation_replies r set status = ${params.status}, reason = ${params.reason},
      provider_key = coalesce(r.provider_key, ${params.providerKey}::uuid), settled_at = ${params.now}
    from conversations c
    where r.profile_id = ${params.profileId} and c.profile_id = ${params.profileId} and c.id = r.conversation_id
      and (r.id = ${params.id}::uuid or r.provider_key = ${params.providerKey}::uuid)
      and r.status = any(${before}::text[])
    returning r.id, r.conversation_id, r.connection_id,
      r.kind, r.template_name, c.channel, c.account_id`.execute(tx)
  return rows[0]
}

export async function saveFirstReply(
  tx: Tx,
  params: { profileId: string; conversationId: string; at: Date },
) {
  await sql`
    update conversations set first_reply_at = least(first_reply_at, ${params.at}::timestamptz)
    where profile_id = ${params.profileId} and id = ${params.conversationId}
      and started_at <= ${params.at}::timestamptz`.execute(tx)
}

export type ReplyRow = {
  id: string
  created_at: Date
  kind: ReplyKind
  template_name: string | null
  status: ReplyStatus
}

export async function listReplies(
  db: Db | Tx,
  params: { profileId: string; conversationId: string; limit: number },
): Promise<ReplyRow[]> {
  const { rows } = await sql<ReplyRow>`
    select id, created_at, kind, template_name, status from conversation_replies
    where profile_id = ${params.profileId} and conversation_id = ${params.conversationId}
    order by created_at desc, id desc limit ${params.limit}`.execute(db)
  return rows
}
