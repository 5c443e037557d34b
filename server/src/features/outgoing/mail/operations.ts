/**
 * Sends mail from a connected mailbox to customers and members. After a crash or a lost response the outcome is unknown;
 * a repeated request finds the row of its mail and does not send again.
 */
import type { z } from 'zod'
import { ProviderError } from '../../../connectors/connector.ts'
import { MAILBOX } from '../../../connectors/mailbox.ts'
import type { ProfileContext } from '../../../context.ts'
import { findEarlier, type SendingRequest, sendingRequest } from '../../../platform/access/earlier-request.ts'
import { logPersonAccess } from '../../../platform/audit/operations.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { normaliseEmail, toIdentifiers } from '../../facts/identity/identifiers.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { getConnectionRow } from '../../sources/connections/operations.ts'
import type { ConnectionRow } from '../../sources/connections/queries.ts'
import { withReconnectUrl } from '../../sources/connections/reconnect.ts'
import { ConnectionUnusable } from '../../sources/connections/refresh.ts'
import { toProviderApiError } from '../../sources/connections/session.ts'
import { type NewMail, type SentMail, sendMail as sendEntry } from './contract.ts'
import { deliverOnce, type Refused } from './once.ts'
import * as queries from './queries.ts'
import { messages, quotaSeconds } from './rules.ts'

type Body = z.output<typeof NewMail>
type Sent = z.input<typeof SentMail>

export async function sendMail(
  context: ProfileContext,
  body: Body,
  idempotencyKey: string | null,
): Promise<Sent> {
  const { db, service } = context
  const mailbox = await getConnectionRow(context, body.connection_id)
  if (mailbox.provider !== MAILBOX) throw new ApiError('not_found', 'No such mailbox.')
  const request = sendingRequest(context, { kind: 'mail', key: idempotencyKey, body })
  const earlier = await findEarlierReply(context, request)
  if (earlier !== undefined) return earlier
  // Checked before the recipients: otherwise an unusable mailbox would reveal who is a customer without sending anything.
  await checkMailbox(context, mailbox)
  await checkRecipients(context, body.to)
  const id = uuidv7(await databaseNow(db))
  const { to, subject, text, html, reply_to: replyTo } = body
  const mail = { to, subject, text, html, replyTo, messageId: id }
  const delivery = await deliverOnce(service, mailbox, mail, {
    key: request.requestKey,
    hash: request.requestHash,
  })
  if (delivery.outcome === 'refused') throw await toMailError(context, mailbox, delivery)
  const externalId = delivery.outcome === 'sent' ? delivery.externalId : null
  return { message_id: id, provider_message_id: externalId, status: delivery.outcome }
}

async function checkMailbox(context: ProfileContext, mailbox: ConnectionRow): Promise<void> {
  const code = mailbox.status === 'reconnect_required' ? 'auth_revoked' : null
  if (code === null && mailbox.status !== 'revoked') return
  throw await toMailError(context, mailbox, { code, error: new ConnectionUnusable(mailbox.status) })
}

/**
 * Recipients must be customers or members, so this is not a bulk mailer. The error does not say which address is unknown,
 * because that would reveal who is a customer. The access is logged before the vendor is called, because success and
 * refusal both reveal it.
 */
async function checkRecipients(context: ProfileContext, to: readonly string[]): Promise<void> {
  const { db, profile, service } = context
  const scope = identityScope(service, profile)
  const idOf = (email: string) => toIdentifiers({ email }, scope)[0]?.id ?? ''
  const identifierIds = to.map(idOf).filter((id) => id !== '')
  const customers = await queries.listCustomersOf(db, { profileId: profile.id, identifierIds })
  const addresses = to.flatMap((address) => normaliseEmail(address) ?? [])
  const members = await queries.listMemberAddresses(db, { workspaceId: profile.workspaceId, addresses })
  for (const address of to) {
    if (!customers.has(idOf(address)) && !members.has(normaliseEmail(address) ?? ''))
      throw new ApiError(
        'validation_error',
        'contains an address that is neither of a customer nor of a member.',
        {
          field: 'to',
        },
      )
  }
  if (customers.size > 0)
    await logPersonAccess({ ...context, db: service.db }, sendEntry.name, [...new Set(customers.values())])
}

async function findEarlierReply(context: ProfileContext, request: SendingRequest): Promise<Sent | undefined> {
  const { profile, service } = context
  const earlier = await findEarlier(context, request, 'mail', queries.findMailOfRequest)
  if (earlier === undefined) return undefined
  const { row, now } = earlier
  const outcome = { profileId: profile.id, id: row.id, status: 'unknown', reason: null, now } as const
  await service.db.transaction().execute((tx) => queries.settleMail(tx, outcome))
  const status = row.status === 'sent' ? 'sent' : 'unknown'
  return { message_id: row.id, provider_message_id: null, status }
}

async function toMailError(
  context: ProfileContext,
  mailbox: ConnectionRow,
  { code, error }: Omit<Refused, 'outcome'>,
): Promise<unknown> {
  const providerError = error instanceof ProviderError ? error : null
  const details = {
    cause: error,
    ...(providerError?.providerCode == null ? {} : { provider_code: providerError.providerCode }),
    ...(providerError?.providerMessage == null ? {} : { provider_message: providerError.providerMessage }),
  }
  if (code === 'auth_revoked')
    return withReconnectUrl(
      context,
      mailbox,
      new ApiError(code, messages[code], { ...details, reconnect_required: true }),
    )
  if (code === 'quota_exceeded')
    return new ApiError(code, messages[code], {
      ...details,
      retryAfter: quotaSeconds(providerError!, context.service.clock.now()),
    })
  if (code !== null) return new ApiError(code, messages[code], details)
  const isFinal =
    providerError !== null && ['rejected', 'permission_missing', 'not_found'].includes(providerError.reason)
  if (!isFinal) return withReconnectUrl(context, mailbox, toProviderApiError(error))
  return new ApiError(
    'provider_error',
    'The mail vendor refused this mail; sending it again will not help.',
    {
      ...details,
      status: 422,
    },
  )
}
