/**
 * Messages that people send to a page, a photo account or a chat number, and the times of those that the business
 * sends. Forms from Meta's references, read on 2026-11-16: messages and messaging_referrals of the Messenger Platform
 * (updated 2025-07-01), which Instagram shares, message_echoes (updated 2026-03-18; for Instagram part of messages), and
 * of the WhatsApp Business Platform messages, status messages and smb_message_echoes (updated 2026-05-21), with
 * business-scoped user ids.
 */
import { z } from 'zod'
import type { MessageRecord, WebhookMeaning } from '../connector.ts'
import { flag, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

const Referral = z.object({ source: text, ad_id: maybeId, ref: text }).nullish()
const Messaging = z.object({
  sender: z.object({ id: maybeId }).nullish(),
  recipient: z.object({ id: maybeId }).nullish(),
  timestamp: z.number().nullish(),
  message: z.object({ mid: z.string(), is_echo: flag, is_deleted: flag, referral: Referral }).nullish(),
  postback: z.object({ mid: text, referral: Referral }).nullish(),
  referral: Referral,
})
type Messaging = z.infer<typeof Messaging>

const ChatMessage = z.object({
  id: z.string(),
  from: maybeId,
  from_user_id: maybeId,
  timestamp: maybeId,
  type: text,
  referral: z.object({ source_type: text, source_id: maybeId, ctwa_clid: text }).nullish(),
})
/** A message of the business: `sent` comes once for each, `failed` for none that arrived. */
const ChatStatus = z.object({
  id: z.string(),
  status: text,
  timestamp: maybeId,
  recipient_id: maybeId,
  recipient_user_id: maybeId,
})
/** One that was written in the business's own app; the types `revoke` and `edit` change an older one. */
const ChatEcho = z.object({
  id: z.string(),
  to: maybeId,
  to_user_id: maybeId,
  timestamp: maybeId,
  type: text,
})
const ChatValue = z.object({
  contacts: z
    .array(z.object({ wa_id: maybeId, user_id: maybeId, profile: z.object({ name: text }).nullish() }))
    .nullish(),
  messages: z.array(ChatMessage).nullish(),
  statuses: z.array(ChatStatus).nullish(),
  message_echoes: z.array(ChatEcho).nullish(),
})
type ChatValue = z.infer<typeof ChatValue>

/** What is kept of a webhook: every member that is not named here, a message's words above all, is left out. */
export const KeptWebhook = z.object({
  object: z.string(),
  entry: z.array(
    z.object({
      id: maybeId,
      time: z.number().nullish(),
      messaging: z.array(Messaging).nullish(),
      changes: z
        .array(
          z.union([
            z.object({ field: z.literal('leadgen'), value: z.unknown() }),
            z.object({ field: z.enum(['messages', 'smb_message_echoes']), value: ChatValue }),
            z.object({ field: z.string() }),
          ]),
        )
        .nullish(),
    }),
  ),
})
type Entry = z.infer<typeof KeptWebhook>['entry'][number]

/** The bytes to keep in place of those that came; a webhook of another form is kept as it is. */
export function withoutWords(rawBody: Uint8Array): Uint8Array {
  try {
    const parsed = KeptWebhook.safeParse(JSON.parse(new TextDecoder().decode(rawBody)))
    return parsed.success ? new TextEncoder().encode(JSON.stringify(parsed.data)) : rawBody
  } catch {
    return rawBody
  }
}

const channels: Record<string, 'pagechat' | 'photoapp' | 'chatapp'> = {
  page: 'pagechat',
  instagram: 'photoapp',
  whatsapp_business_account: 'chatapp',
}

export function toMessageMeanings(body: unknown): WebhookMeaning[] {
  const parsed = KeptWebhook.safeParse(body)
  const channel = parsed.success ? channels[parsed.data.object] : undefined
  if (!parsed.success || channel === undefined) return []
  return parsed.data.entry.flatMap((entry) => {
    const accountId = entry.id
    if (accountId === null) return []
    const records =
      channel === 'chatapp' ? chatMessages(entry, accountId) : threadMessages(entry, channel, accountId)
    return records.length === 0 ? [] : [{ type: 'records' as const, accountId, records }]
  })
}

function threadMessages(entry: Entry, channel: 'pagechat' | 'photoapp', accountId: string): MessageRecord[] {
  return (entry.messaging ?? []).flatMap((sent): MessageRecord[] => {
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
    const said = sent.message?.referral ?? sent.postback?.referral ?? sent.referral ?? null
    const source = said?.source?.toLowerCase() ?? null
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
        referral:
          said === null || source === null
            ? null
            : { source, adId: source === 'ads' ? said.ad_id : null, clickId: null },
      },
    ]
  })
}

type Sent = { id: string; to: string | null; number: string | null; atMs: number | null }

/** A message of the business. Its words are not looked at; when it was sent and to whom is all that is kept. */
function toReply(channel: MessageRecord['channel'], accountId: string, sent: Sent): MessageRecord[] {
  const occurredAt = toInstant(sent.atMs)
  const personId = sent.to ?? sent.number
  if (occurredAt === null || personId === null || personId === accountId) return []
  return [
    {
      type: 'message',
      channel,
      accountId,
      personId,
      externalId: sent.id,
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

/** Null for what was taken back or only seen. */
function writtenIn(sent: Messaging): { kind: MessageRecord['kind']; id: string | null } | null {
  if (sent.message) return sent.message.is_deleted ? null : { kind: 'message', id: sent.message.mid }
  if (sent.postback) return { kind: 'postback', id: sent.postback.mid }
  return sent.referral ? { kind: 'referral', id: null } : null
}

function chatMessages(entry: Entry, accountId: string): MessageRecord[] {
  return (entry.changes ?? []).flatMap((change) => {
    if (!['messages', 'smb_message_echoes'].includes(change.field) || !('value' in change)) return []
    const value = change.value as ChatValue
    return [...ofValue(value, accountId), ...repliesOf(value, accountId)]
  })
}

const inMs = (seconds: string | null): number | null => (seconds === null ? null : Number(seconds) * 1000)

function repliesOf({ statuses, message_echoes: echoes }: ChatValue, accountId: string): MessageRecord[] {
  return [
    ...(statuses ?? []).flatMap((sent) =>
      sent.status === 'sent'
        ? toReply('chatapp', accountId, {
            id: sent.id,
            to: sent.recipient_user_id,
            number: sent.recipient_id,
            atMs: inMs(sent.timestamp),
          })
        : [],
    ),
    ...(echoes ?? []).flatMap((sent) =>
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

/** People may hide their number behind a name; the id that the platform makes for the business is always there. */
function ofValue(value: ChatValue, accountId: string): MessageRecord[] {
  return (value.messages ?? []).flatMap((sent): MessageRecord[] => {
    const contact = value.contacts?.find(
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
        externalId: sent.id,
        kind: 'message',
        occurredAt,
        phone: toPhone(sent.from),
        name: contact?.profile?.name ?? null,
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
