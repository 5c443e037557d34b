/**
 * Sends messages of the business. Formats from Meta's references, read on 2026-11-17: Messenger Platform "Send a Message"
 * (updated 2026-05-05; also used by the photo app, even with its own login), WhatsApp Business Platform "messages" with
 * business-scoped user ids. Calls are not retried: the platform does not deduplicate messages.
 */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { type OutgoingMessage, PHOTO_LOGIN } from '../messaging.ts'
import { callJson } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { callGraph, graphRefusal, readWholeList } from './calls.ts'
import { findLinkedPage, photoApiBase } from './messaging-accounts.ts'

const ThreadResponse = z.looseObject({ message_id: id })
const ChatResponse = z.looseObject({ messages: z.array(z.looseObject({ id })).min(1) })
const Media = z.looseObject({ mime_type: text })
const ChatNumber = z.looseObject({ id })

/** Returns the platform's id of the message. Errors contain no part of the message. */
export async function sendMessage(session: Session, message: OutgoingMessage): Promise<string> {
  try {
    return await (message.channel === 'chatapp' ? sendChat : sendThread)(session, message)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { reason, message: ownMessage, providerCode, retryAfterSeconds } = error
    throw new ProviderError(reason, ownMessage, { providerCode, retryAfterSeconds })
  }
}

async function sendThread(session: Session, message: OutgoingMessage): Promise<string> {
  const { http, app, token } = session
  const { channel, personId, content, humanAgent, reference } = message
  if (content.kind !== 'text') throw new ProviderError('rejected', 'Only text can be sent to a thread')
  const json = {
    recipient: { id: personId },
    ...(humanAgent ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }),
    // Returned with the echo webhook, which confirms the message if the response is lost.
    message: { text: content.text, ...(channel === 'pagechat' ? { metadata: reference } : {}) },
  }
  const call = { method: 'POST', json, schema: ThreadResponse, once: true } as const
  if (token.extra.login === PHOTO_LOGIN) {
    const url = `${photoApiBase(session)}/me/messages`
    return (await callJson(http, { ...call, url, bearer: token.accessToken, refusal: graphRefusal }))
      .message_id
  }
  const page = await findLinkedPage(session, { channel, id: message.accountId })
  const path = `/${encodeURIComponent(page.id)}/messages`
  return (await callGraph(http, app, page.accessToken, { ...call, path })).message_id
}

/** People who hide their number have an id such as `US.13491208655302741918`. */
const isScopedId = (personId: string) => /^[A-Z]{2}\./.test(personId)

async function sendChat(session: Session, message: OutgoingMessage): Promise<string> {
  const { personId } = message
  const numberId = message.numberId ?? (await firstNumber(session, message.accountId))
  const sent = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${encodeURIComponent(numberId)}/messages`,
    json: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...(isScopedId(personId) ? { recipient: personId } : { to: personId }),
      ...(await chatContent(session, message)),
      biz_opaque_callback_data: message.reference,
    },
    schema: ChatResponse,
    once: true,
  })
  return sent.messages[0]!.id
}

async function firstNumber({ http, app, token }: Session, accountId: string): Promise<string> {
  const path = `/${encodeURIComponent(accountId)}/phone_numbers`
  const [first] = await readWholeList(http, app, token, path, ChatNumber, { fields: 'id', limit: 100 })
  if (first === undefined) throw new ProviderError('not_found', 'The chat account has no number')
  return first.id
}

async function chatContent(session: Session, { content }: OutgoingMessage): Promise<Record<string, unknown>> {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: false } }
    case 'template': {
      const { name, language, components } = content
      return { type: 'template', template: { name, language: { code: language }, components } }
    }
    case 'media': {
      const media = await callGraph(session.http, session.app, session.token.accessToken, {
        path: `/${encodeURIComponent(content.mediaId)}`,
        schema: Media,
      })
      const type = /^(image|video|audio)\//.exec(media.mime_type ?? '')?.[1] ?? 'document'
      return { type, [type]: { id: content.mediaId } }
    }
  }
}
