/**
 * Imitates the Microsoft identity platform (v2.0 endpoints) and Graph's /me and /me/sendMail. Written from Microsoft's
 * references "OAuth 2.0 authorization code flow", "user: sendMail", "Send emails with MIME content" and "Microsoft Graph error
 * responses"; the Exchange error codes are those of Outlook on the web. Read on 2026-11-17.
 */

import { actInCommon, redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { microsoftToken, microsoftTokenError } from '../microsoft-oauth.ts'
import { headerOf, Mailbox, recipientsOf } from '../received-mail.ts'
import { bearerOf, readJson } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex, seededUuid } from '../seeded-random.ts'
import { TokenServer } from '../tokens.ts'

const MAX_REQUEST_BYTES = 4 * 1024 * 1024
/** Members of a new message, from `@microsoft/microsoft-graph-types` 2.43.1. */
const messageMembers = [
  ...['subject', 'body', 'toRecipients', 'ccRecipients', 'bccRecipients', 'replyTo', 'from', 'sender'],
  ...['importance', 'attachments', 'internetMessageHeaders', 'categories', 'flag', 'isReadReceiptRequested'],
]
type JsonMail = { message?: Record<string, unknown> & { toRecipients?: JsonRecipient[] } }
type JsonRecipient = { emailAddress?: { address?: string } }
/** Graph permissions may have Graph's address as prefix. */
const granted = 'https://graph.microsoft.com/Mail.Send https://graph.microsoft.com/User.Read'.split(' ')

function graphError(status: number, code: string, message: string): SandboxReply {
  const innerError = { date: '2026-11-17T10:00:00', 'request-id': seededHex(32, code) }
  return { status, body: { error: { code, message, innerError } } }
}

const refusals: Record<string, SandboxReply> = {
  account_suspended: graphError(
    403,
    'ErrorAccountSuspend',
    'Account suspended. Follow the instructions in your Inbox to verify your account.',
  ),
  insufficient_permission: graphError(
    403,
    'ErrorAccessDenied',
    'Access is denied. Check credentials and try again.',
  ),
  mailbox_disabled: graphError(
    404,
    'MailboxNotEnabledForRESTAPI',
    'The mailbox is either inactive, soft-deleted, or is hosted on-premise.',
  ),
  daily_limit: {
    ...graphError(
      429,
      'ErrorExceededMessageLimit',
      'Cannot send mail. Daily Message/Recipient limit exceeded.',
    ),
    headers: { 'retry-after': '7200' },
  },
  storage_full: graphError(507, 'ErrorQuotaExceeded', 'Mailbox has exceeded maximum mailbox size.'),
  rate_limit: {
    ...graphError(429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.'),
    headers: { 'retry-after': '9' },
  },
  other: graphError(
    403,
    'ErrorSendAsDenied',
    'The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account.',
  ),
}

export function createMicrosoftMailSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const mailbox = new Mailbox('microsoft_mail', refusals)
  const id = seededUuid(options.seed, 'microsoft')
  const address = 'studio@harborandpine.example'
  // A used refresh token remains valid ("Refresh tokens in the Microsoft identity platform").
  const tokens = new TokenServer({ ...options, accessTtlSeconds: 3600, rotates: false })
  const consent: ConsentScreen = {
    providerName: 'Microsoft 365',
    accounts: [{ id, name: address }],
    scopes: granted,
    oneAccount: true,
    refusal: {
      decline: {
        error: 'access_denied',
        error_description: 'AADSTS65004: User declined to consent to access the app.',
      },
      'deny-app': { error: 'unauthorized_client' },
      'provider-error': { error: 'server_error' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  const token = (request: SandboxRequest): SandboxReply =>
    microsoftToken(tokens, request, () =>
      mailbox.isSuspended
        ? microsoftTokenError(50057, 'invalid_grant', 'The user account is disabled.')
        : null,
    )

  const isAddress = (address: string) => /^[^\s@]+@[^\s@]+$/.test(address) && !address.endsWith('.invalid')
  const accept = (raw: string, to: string[]): SandboxReply => {
    if (to.length === 0 || !to.every(isAddress))
      return graphError(400, 'ErrorInvalidRecipients', 'At least one recipient is not valid.')
    mailbox.sent.push({
      id: String(mailbox.sent.length),
      raw: Buffer.from(raw, 'base64').toString('base64'),
      to,
    })
    return { status: 202, body: '' }
  }

  function sendJson(request: SandboxRequest): SandboxReply {
    const { message } = readJson(request) as JsonMail
    const unknown = Object.keys(message ?? {}).find((name) => !messageMembers.includes(name))
    if (message === undefined || unknown !== undefined)
      return graphError(
        400,
        'RequestBodyRead',
        `The property '${unknown ?? 'Message'}' does not exist on type 'microsoft.graph.message'.`,
      )
    const to = (message.toRecipients ?? []).map(({ emailAddress }) => emailAddress?.address ?? '')
    return accept(Buffer.from(`To: ${to.join(', ')}\r\n\r\n`).toString('base64'), to)
  }

  function send(request: SandboxRequest): SandboxReply {
    if (mailbox.refusing !== null) return refusals[mailbox.refusing]!
    if (request.body.length > MAX_REQUEST_BYTES)
      return graphError(413, 'RequestEntityTooLarge', 'The request is too large.')
    if (request.headers['content-type']?.startsWith('application/json')) return sendJson(request)
    const text = Buffer.from(request.body).toString('latin1')
    if (!request.headers['content-type']?.startsWith('text/plain') || !/^[A-Za-z0-9+/\r\n]+=*$/.test(text))
      return graphError(400, 'ErrorMimeContentInvalidBase64String', 'Invalid base64 string for MIME content.')
    const mime = Buffer.from(text, 'base64').toString('latin1')
    const from = headerOf(mime, 'from')
    if (from !== null && !from.includes(address)) return refusals.other!
    return accept(text, recipientsOf(mime))
  }

  function route(request: SandboxRequest): SandboxReply {
    const [, first = '', second = ''] = request.path.split('/')
    if (request.path === '/common/oauth2/v2.0/authorize')
      return consentPage(consent, request, options.clientId)
    if (first === 'consent') return consentAnswer(consent, request, options.clientId, second)
    if (request.path === '/common/oauth2/v2.0/token') return token(request)
    const grant = mailbox.isSuspended ? null : tokens.authenticate(bearerOf(request))
    if (grant === null)
      return graphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.')
    if (request.method === 'GET' && request.path === '/v1.0/me') {
      const me = { id: grant.accountIds[0] ?? id, displayName: 'Harbor & Pine', mail: address }
      return { status: 200, body: { ...me, userPrincipalName: 'studio@harborandpine.onmicrosoft.example' } }
    }
    return request.method === 'POST' && request.path === '/v1.0/me/sendMail'
      ? send(request)
      : graphError(404, 'ResourceNotFound', 'Resource could not be discovered.')
  }

  return {
    name: 'microsoft_mail',
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: () => [],
    writes: () => [],
    async act(action, args) {
      const reset = () => mailbox.reset()
      return actInCommon({ tokens, faults, reset }, action, args) ?? mailbox.act(action, args)
    },
  }
}
