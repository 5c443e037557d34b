/**
 * Sends messages at most once: the row is committed before the platform is called, and the call is not retried. After a
 * crash or a lost response the outcome is unknown; a repeated request finds the row and does not send again.
 */
import type { z } from 'zod'
import { ProviderError } from '../../../connectors/connector.ts'
import type { OutgoingContent, OutgoingMessage } from '../../../connectors/messaging.ts'
import type { ProfileContext } from '../../../context.ts'
import { findEarlier, type SendingRequest, sendingRequest } from '../../../platform/access/earlier-request.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { providerKeyOf, settleReply } from '../../facts/conversations/replies.ts'
import {
  findRecipient,
  findReplyOfRequest,
  insertReply,
  type Recipient,
} from '../../facts/conversations/reply-queries.ts'
import { windowRefusal } from '../../facts/conversations/windows.ts'
import { templateNotFound } from '../../sources/chat-templates/operations.ts'
import { listTemplates } from '../../sources/chat-templates/queries.ts'
import { LIVE_BUDGET_MS } from '../../sources/connections/operations.ts'
import type { ConnectionRow } from '../../sources/connections/queries.ts'
import { toProviderApiError } from '../../sources/connections/session.ts'
import { getAccount, revokedError, withAccount } from '../../sources/messaging-accounts/session.ts'
import type { NewMessage, SentMessage } from './contract.ts'
import { errorMessages, isOutcomeUnknown, maxTextLength, refusalCodeOf } from './rules.ts'

type Body = z.output<typeof NewMessage>
type Sent = z.input<typeof SentMessage>

export async function sendMessage(
  context: ProfileContext,
  conversationId: string,
  body: Body,
  idempotencyKey: string | null,
): Promise<Sent> {
  const { db, profile, service } = context
  const recipient = await findRecipient(db, { profileId: profile.id, id: conversationId })
  if (recipient === undefined) throw new ApiError('not_found', 'No such conversation.')
  const personId = getPersonId(recipient)
  if (recipient.customer_id !== null) context.shown.add(recipient.customer_id)
  const request = sendingRequest(context, {
    kind: 'reply',
    within: [conversationId],
    key: idempotencyKey,
    body,
  })
  const earlier = await findEarlierReply(context, request)
  if (earlier !== undefined) return earlier
  const account = await getAccount(context, recipient.channel, recipient.account_id)
  const content = await readContent(context, recipient, body)
  const now = await databaseNow(db)
  const message = { isTemplate: content.kind === 'template', humanAgent: body.human_agent }
  const refusal = windowRefusal(recipient.channel, recipient.last_message_at, message, now)
  if (refusal !== null) throw new ApiError(refusal, errorMessages[refusal]!)
  const id = uuidv7(now)
  // Committed outside the request's transaction: after a crash the row shows that the message may have been sent.
  await service.db.transaction().execute((tx) =>
    insertReply(tx, {
      profileId: profile.id,
      id,
      conversationId,
      connectionId: account.id,
      kind: content.kind,
      template: content.kind === 'template' ? content : null,
      humanAgent: body.human_agent,
      ...request,
      now,
    }),
  )
  return callPlatform(context, account, recipient, {
    channel: recipient.channel,
    accountId: recipient.account_id,
    personId,
    numberId: recipient.number_id,
    humanAgent: body.human_agent,
    reference: id,
    content,
  })
}

/** The external id of an erased conversation contains no person. */
function getPersonId({ account_id, external_id }: Recipient): string {
  if (!external_id.startsWith(`${account_id}:`))
    throw new ApiError('not_found', 'The person of this conversation was erased.')
  return external_id.slice(account_id.length + 1)
}

async function findEarlierReply(context: ProfileContext, request: SendingRequest): Promise<Sent | undefined> {
  const { profile, service } = context
  const earlier = await findEarlier(context, request, 'message', findReplyOfRequest)
  if (earlier === undefined) return undefined
  const { row, now } = earlier
  const outcome = { profileId: profile.id, id: row.id, providerKey: null, reason: null, at: now, now }
  if (row.status === 'sending')
    await service.db.transaction().execute((tx) => settleReply(tx, { ...outcome, status: 'unknown' }))
  const isSent = row.status === 'sent' || row.status === 'delivered'
  return { message_id: row.id, provider_message_id: null, status: isSent ? 'sent' : 'unknown' }
}

async function readContent(
  { db, profile }: ProfileContext,
  { channel }: Recipient,
  { text, template, media }: Body,
): Promise<OutgoingContent> {
  if (text !== undefined) {
    const maxLength = maxTextLength[channel]
    if (text.length > maxLength)
      throw new ApiError('validation_error', `must be at most ${maxLength} characters on this channel.`, {
        field: 'text',
      })
    return { kind: 'text', text }
  }
  if (channel !== 'chatapp')
    throw new ApiError('validation_error', 'is only possible in chat-app conversations.', {
      field: template ? 'template' : 'media',
    })
  if (template === undefined) return { kind: 'media', mediaId: media!.id }
  const { name, language } = template
  if ((await listTemplates(db, { profileId: profile.id, name, language })).length === 0)
    throw templateNotFound(name, language)
  return { kind: 'template', ...template }
}

async function callPlatform(
  context: ProfileContext,
  account: ConnectionRow,
  recipient: Recipient,
  message: OutgoingMessage,
): Promise<Sent> {
  const profileId = context.profile.id
  const settle = (status: 'sent' | 'failed' | 'unknown', details: { externalId?: string; reason?: string }) =>
    context.service.db.transaction().execute(async (tx) => {
      const now = await databaseNow(tx)
      const providerKey =
        details.externalId === undefined
          ? null
          : providerKeyOf(profileId, message.channel, details.externalId)
      const reason = details.reason ?? null
      await settleReply(tx, { profileId, id: message.reference, providerKey, status, reason, at: now, now })
    })
  const unknown = { message_id: message.reference, provider_message_id: null, status: 'unknown' } as const
  let externalId: string
  try {
    externalId = await withAccount(context, account, LIVE_BUDGET_MS, (session, { connector }) =>
      connector.messaging!.send(session, message),
    )
  } catch (error) {
    if (error instanceof ProviderError && isOutcomeUnknown(error)) {
      await settle('unknown', {})
      return unknown
    }
    const reason = error instanceof ProviderError ? (error.providerCode ?? error.reason) : 'not_sent'
    await settle('failed', { reason })
    throw await toMessageError(context, account, recipient, error)
  }
  try {
    await settle('sent', { externalId })
    return { ...unknown, provider_message_id: externalId, status: 'sent' }
  } catch (error) {
    // The message was sent. Its row stays `sending` until the platform's report or a repeated request settles it.
    context.log.warn('message sent, but its outcome could not be saved', { error })
    return unknown
  }
}

async function toMessageError(
  context: ProfileContext,
  account: ConnectionRow,
  { channel }: Recipient,
  error: unknown,
): Promise<unknown> {
  const code = error instanceof ProviderError ? refusalCodeOf(channel, error) : null
  if (code === 'connection_revoked') return revokedError(context, account, error)
  if (code === null) return toProviderApiError(error)
  const { providerCode, providerMessage } = error as ProviderError
  return new ApiError(code, errorMessages[code]!, {
    cause: error,
    ...(providerCode === null ? {} : { provider_code: providerCode }),
    ...(providerMessage === null ? {} : { provider_message: providerMessage }),
  })
}
