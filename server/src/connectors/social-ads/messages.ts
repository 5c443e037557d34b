/**
 * Messages that people send to a page, a photo account or a chat number, and the times of messages that the business
 * sends. Formats from Meta's references, read on 2026-11-16: messages and messaging_referrals of the Messenger Platform
 * (updated 2025-07-01), which Instagram shares, message_echoes (updated 2026-03-18; for Instagram part of messages), and
 * of the WhatsApp Business Platform messages, status messages and smb_message_echoes (updated 2026-05-21), with
 * business-scoped user ids.
 */
import { z } from 'zod'
import { codeInRef, codeInText, storedCode } from '../chat-code.ts'
import type { MessageRecord, MessageStatusRecord, WebhookAction } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { readJsonBody } from '../signatures.ts'
import { toInstant } from '../window.ts'

/*
 * Every field of these schemas is effectively optional: a field of an unexpected form becomes null (`catch`), and unknown
 * members are dropped. So any payload can be parsed. Of a message's text only the hash of a chat code is kept.
 */
const ID_PATTERN = /^[\w.:=+/-]{1,512}$/
const WORD_PATTERN = /^[\w-]{1,64}$/
const MAX_NAME = 200

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform(nullIfAbsent).catch(null)
const nullIfAbsent = <Value>(value: Value | null | undefined): Value | null => value ?? null
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(orNull(schema))
    .nullish()
    .transform((items) => (items ?? []).filter((item) => item !== null))
    .catch([])

const knownId = orNull(z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(ID_PATTERN)))
const word = orNull(z.string().regex(WORD_PATTERN))
const isTrue = orNull(z.boolean())
/** Our reference, which the platform returns with our messages; any other value belongs to another sender. */
const reference = orNull(z.uuid())
/** Some payloads contain numbers as text. */
const time = orNull(
  z.union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number),
  ]),
)
const party = orNull(z.object({ id: knownId }))

/** Replaces texts by the hash of the code in them, also if the stored body is read again. */
const withCode = <Fields extends { chat_code: string | null; text?: string | null; ref?: string | null }>({
  text,
  ref,
  chat_code,
  ...fields
}: Fields) => ({ ...fields, chat_code: chat_code ?? ref ?? text ?? null })

const Referral = orNull(
  z.object({ source: word, ad_id: knownId, ref: codeInRef, chat_code: storedCode }).transform(withCode),
)
const Messaging = z.object({
  sender: party,
  recipient: party,
  timestamp: time,
  message: orNull(
    z
      .object({
        mid: knownId,
        is_echo: isTrue,
        is_deleted: isTrue,
        referral: Referral,
        metadata: reference,
        text: codeInText,
        chat_code: storedCode,
      })
      .transform(withCode),
  ),
  delivery: orNull(z.object({ mids: listOf(z.string().regex(ID_PATTERN)), watermark: time })),
  postback: orNull(z.object({ mid: knownId, referral: Referral })),
  referral: Referral,
})
type Messaging = z.infer<typeof Messaging>

const ChatMessage = z
  .object({
    id: knownId,
    from: knownId,
    from_user_id: knownId,
    timestamp: time,
    type: word,
    referral: orNull(z.object({ source_type: word, source_id: knownId, ctwa_clid: knownId })),
    text: z
      .object({ body: codeInText })
      .nullish()
      .transform((text) => text?.body ?? null)
      .catch(null),
    chat_code: storedCode,
  })
  .transform(withCode)
/** Status of a message of the business: `sent` is reported once per message, `failed` only for undelivered ones. */
const ChatStatus = z.object({
  id: knownId,
  status: word,
  timestamp: time,
  recipient_id: knownId,
  recipient_user_id: knownId,
  biz_opaque_callback_data: reference,
  errors: listOf(z.object({ code: time })),
})
/** A message written in the business's own app; the types `revoke` and `edit` change an earlier message. */
const ChatEcho = z.object({ id: knownId, to: knownId, to_user_id: knownId, timestamp: time, type: word })
const Contact = z.object({
  wa_id: knownId,
  user_id: knownId,
  profile: orNull(z.object({ name: orNull(z.string().max(MAX_NAME)) })),
})
/** Fields of lead changes (`LeadChange`) and chat changes. */
const ChangeValue = z.object({
  leadgen_id: knownId,
  page_id: knownId,
  form_id: knownId,
  ad_id: knownId,
  adgroup_id: knownId,
  campaign_id: knownId,
  created_time: time,
  metadata: orNull(z.object({ phone_number_id: knownId })),
  contacts: listOf(Contact),
  messages: listOf(ChatMessage),
  statuses: listOf(ChatStatus),
  message_echoes: listOf(ChatEcho),
})
type ChangeValue = z.infer<typeof ChangeValue>

/** The stored part of a webhook. */
export const StoredWebhook = z
  .object({
    object: word,
    entry: listOf(
      z.object({
        id: knownId,
        time,
        messaging: listOf(Messaging),
        changes: listOf(z.object({ field: word, value: orNull(ChangeValue) })),
      }),
    ),
  })
  .catch({ object: null, entry: [] })
type Entry = z.infer<typeof StoredWebhook>['entry'][number]

/** The body to store instead of the received one, built from declared fields only. */
export function redactBody(rawBody: Uint8Array): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(StoredWebhook.parse(readJsonBody(rawBody))))
}

const channels: Record<string, 'pagechat' | 'photoapp' | 'chatapp'> = {
  page: 'pagechat',
  instagram: 'photoapp',
  whatsapp_business_account: 'chatapp',
}

export function toMessageActions(body: unknown): WebhookAction[] {
  const webhook = StoredWebhook.parse(body)
  const channel = lookUp(channels, webhook.object)
  if (channel === undefined) return []
  return webhook.entry.flatMap((entry) => {
    const accountId = entry.id
    if (accountId === null) return []
    const records =
      channel === 'chatapp'
        ? [...chatMessages(entry, accountId), ...chatStatuses(entry, accountId)]
        : [...threadMessages(entry, channel, accountId), ...threadStatuses(entry, channel, accountId)]
    return records.length === 0 ? [] : [{ type: 'records' as const, accountId, records }]
  })
}

function threadMessages(entry: Entry, channel: 'pagechat' | 'photoapp', accountId: string): MessageRecord[] {
  return entry.messaging.flatMap((sent): MessageRecord[] => {
    if (sent.message?.is_echo)
      return toReply(channel, accountId, {
        id: sent.message.mid,
        to: sent.recipient?.id ?? null,
        number: null,
        atMs: sent.timestamp ?? null,
      })
    const personId = sent.sender?.id ?? null
    const occurredAt = toInstant(sent.timestamp ?? null)
    const written = writtenIn(sent)
    if (personId === null || personId === accountId || occurredAt === null || written === null) return []
    const referral = sent.message?.referral ?? sent.postback?.referral ?? sent.referral ?? null
    const source = referral?.source?.toLowerCase() ?? null
    return [
      {
        type: 'message',
        channel,
        accountId,
        personId,
        externalId: written.id ?? `${written.kind}:${personId}:${sent.timestamp}`,
        kind: written.kind,
        occurredAt,
        phone: null,
        name: null,
        chatCode: referral?.chat_code ?? sent.message?.chat_code ?? null,
        referral:
          referral === null || source === null
            ? null
            : { source, adId: source === 'ads' ? referral.ad_id : null, clickId: null },
      },
    ]
  })
}

/** An echo reports that our message was sent, a delivery that it arrived. */
function threadStatuses(
  entry: Entry,
  channel: 'pagechat' | 'photoapp',
  accountId: string,
): MessageStatusRecord[] {
  return entry.messaging.flatMap(({ message, delivery, timestamp }): MessageStatusRecord[] => {
    const occurredAt = toInstant(delivery?.watermark ?? timestamp)
    if (occurredAt === null) return []
    const common = { type: 'message_status', channel, accountId, code: null, occurredAt } as const
    const delivered = (delivery?.mids ?? []).map((externalId) => ({
      ...common,
      externalId,
      reference: null,
      status: 'delivered' as const,
    }))
    return message?.is_echo && message.mid !== null
      ? [...delivered, { ...common, externalId: message.mid, reference: message.metadata, status: 'sent' }]
      : delivered
  })
}

/** `read` implies `delivered`. */
const chatStates: Record<string, MessageStatusRecord['status']> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
}

function chatStatuses(entry: Entry, accountId: string): MessageStatusRecord[] {
  return entry.changes
    .flatMap(({ field, value }) => (field === 'messages' ? (value?.statuses ?? []) : []))
    .flatMap((report): MessageStatusRecord[] => {
      const status = lookUp(chatStates, report.status)
      const occurredAt = toInstant(inMs(report.timestamp))
      if (status === undefined || occurredAt === null || report.id === null) return []
      const code = report.errors[0]?.code ?? null
      return [
        {
          type: 'message_status',
          channel: 'chatapp',
          accountId,
          externalId: report.id,
          reference: report.biz_opaque_callback_data,
          status,
          code: status !== 'failed' || code === null ? null : String(code),
          occurredAt,
        },
      ]
    })
}

type SentMessage = { id: string | null; to: string | null; number: string | null; atMs: number | null }

/** A message of the business: only its time and recipient, never its text. */
function toReply(channel: MessageRecord['channel'], accountId: string, sent: SentMessage): MessageRecord[] {
  const occurredAt = toInstant(sent.atMs)
  const personId = sent.to ?? sent.number
  if (occurredAt === null || personId === null || personId === accountId) return []
  return [
    {
      type: 'message',
      channel,
      accountId,
      personId,
      externalId: sent.id ?? `reply:${personId}:${sent.atMs}`,
      kind: 'reply',
      occurredAt,
      phone: toPhone(sent.number),
      name: null,
      referral: null,
    },
  ]
}

const toPhone = (digits: string | null): string | null =>
  /^\d{6,15}$/.test(digits ?? '') ? `+${digits}` : null

/** Null for deleted messages and read receipts. */
function writtenIn(sent: Messaging): { kind: MessageRecord['kind']; id: string | null } | null {
  if (sent.message) return sent.message.is_deleted ? null : { kind: 'message', id: sent.message.mid }
  if (sent.postback) return { kind: 'postback', id: sent.postback.mid }
  return sent.referral ? { kind: 'referral', id: null } : null
}

function chatMessages(entry: Entry, accountId: string): MessageRecord[] {
  return entry.changes.flatMap(({ field, value }) => {
    if (!['messages', 'smb_message_echoes'].includes(field ?? '') || value === null) return []
    return [...receivedMessages(value, accountId), ...sentReplies(value, accountId)]
  })
}

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

function sentReplies({ statuses, message_echoes: echoes }: ChangeValue, accountId: string): MessageRecord[] {
  return [
    ...statuses.flatMap((sent) =>
      sent.status === 'sent'
        ? toReply('chatapp', accountId, {
            id: sent.id,
            to: sent.recipient_user_id,
            number: sent.recipient_id,
            atMs: inMs(sent.timestamp),
          })
        : [],
    ),
    ...echoes.flatMap((sent) =>
      sent.type === 'revoke' || sent.type === 'edit'
        ? []
        : toReply('chatapp', accountId, {
            id: sent.id,
            to: sent.to_user_id,
            number: sent.to,
            atMs: inMs(sent.timestamp),
          }),
    ),
  ]
}

/** People may hide their number behind a username; the business-scoped id always exists. */
function receivedMessages(value: ChangeValue, accountId: string): MessageRecord[] {
  return value.messages.flatMap((sent): MessageRecord[] => {
    const contact = value.contacts.find(
      ({ wa_id, user_id }) =>
        (wa_id !== null && wa_id === sent.from) || (user_id !== null && user_id === sent.from_user_id),
    )
    const personId = sent.from_user_id ?? contact?.user_id ?? sent.from
    const occurredAt = toInstant(inMs(sent.timestamp))
    if (personId === null || occurredAt === null) return []
    const source = sent.referral?.source_type?.toLowerCase() ?? null
    return [
      {
        type: 'message',
        channel: 'chatapp',
        accountId,
        personId,
        externalId: sent.id ?? `message:${personId}:${sent.timestamp}`,
        kind: 'message',
        occurredAt,
        phone: toPhone(sent.from),
        name: contact?.profile?.name ?? null,
        numberId: value.metadata?.phone_number_id ?? null,
        chatCode: sent.chat_code,
        referral:
          source === null
            ? null
            : {
                source,
                adId: source === 'ad' ? (sent.referral?.source_id ?? null) : null,
                clickId: sent.referral?.ctwa_clid ?? null,
              },
      },
    ]
  })
}
