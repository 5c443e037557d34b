/**
 * Imitates Gmail's users.messages.send and OpenID Connect's userinfo. Written from the discovery document of the Gmail API
 * (Message.raw: the whole message, RFC 2822, base64url), "Resolve errors" and quoted responses; read on 2026-11-17.
 */

import { actInCommon } from '../actions.ts'
import { engineSandboxOAuth } from '../engine-oauth.ts'
import { createFaults } from '../faults.ts'
import { headerOf, Mailbox, recipientsOf } from '../received-mail.ts'
import { readJson } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'

const scope = 'https://www.googleapis.com/auth/gmail.send'
const SEND = '/gmail/v1/users/me/messages/send'
/** Members of a message other than `raw`, from the types of `@googleapis/gmail` 22.0.1. */
const messageMembers = [
  ...['id', 'threadId', 'labelIds', 'snippet', 'historyId', 'internalDate', 'payload', 'sizeEstimate'],
  'classificationLabelValues',
]

function refusal(code: number, status: string, reason: string, message: string): SandboxReply {
  const errors = [{ message, domain: 'global', reason }]
  return { status: code, body: { error: { code, message, errors, status } } }
}

/** Refusals that a test can request, by name. */
const refusals: Record<string, (now: Date) => SandboxReply> = {
  mailbox_disabled: () =>
    refusal(400, 'FAILED_PRECONDITION', 'failedPrecondition', 'Mail service not enabled'),
  domain_policy: () =>
    refusal(403, 'PERMISSION_DENIED', 'domainPolicy', 'The domain administrators have disabled Gmail apps.'),
  daily_limit: (now) => {
    const until = new Date(now.getTime() + 5400_000).toISOString()
    const message = `User-rate limit exceeded.  Retry after ${until} (Mail sending)`
    return refusal(429, 'RESOURCE_EXHAUSTED', 'userRateLimitExceeded', message)
  },
  quota_exceeded: () => refusal(403, 'PERMISSION_DENIED', 'dailyLimitExceeded', 'Daily Limit Exceeded'),
  rate_limit: () => refusal(403, 'PERMISSION_DENIED', 'rateLimitExceeded', 'Rate Limit Exceeded'),
  insufficient_permission: () =>
    refusal(403, 'PERMISSION_DENIED', 'insufficientPermissions', 'Insufficient Permission'),
  other: () => refusal(400, 'FAILED_PRECONDITION', 'failedPrecondition', 'Precondition check failed.'),
}

export function createGmailSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const mailbox = new Mailbox('gmail', refusals)
  const address = 'hello@harborandpine.example'
  const sub = seededDigits(21, options.seed, 'gmail')
  const oauth = engineSandboxOAuth(options, {
    providerName: 'Gmail',
    accounts: [{ id: sub, name: address }],
    scopes: ['openid', 'https://www.googleapis.com/auth/userinfo.email', scope],
    oneAccount: true,
  })

  function send(request: SandboxRequest): SandboxReply {
    if (mailbox.refusing !== null) return refusals[mailbox.refusing]!(options.now())
    const { raw, ...otherFields } = readJson(request)
    const unknown = Object.keys(otherFields).find((name) => !messageMembers.includes(name))
    if (unknown !== undefined)
      return refusal(
        400,
        'INVALID_ARGUMENT',
        'invalidArgument',
        `Invalid JSON payload received. Unknown name "${unknown}"`,
      )
    if (typeof raw !== 'string' || !/^[\w-]+=*$/.test(raw))
      return refusal(
        400,
        'INVALID_ARGUMENT',
        'invalidArgument',
        "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
      )
    const mime = Buffer.from(raw, 'base64url').toString('latin1')
    const to = recipientsOf(mime)
    if (headerOf(mime, 'to') === null)
      return refusal(400, 'INVALID_ARGUMENT', 'invalidArgument', 'Recipient address required')
    if (to.some((address) => !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address) || address.endsWith('.invalid')))
      return refusal(400, 'INVALID_ARGUMENT', 'invalidArgument', 'Invalid To header')
    const id = seededDigits(16, options.seed, 'mail', String(mailbox.sent.length))
    mailbox.sent.push({ id, raw: Buffer.from(raw, 'base64url').toString('base64'), to })
    return { status: 200, body: { id, threadId: id, labelIds: ['SENT'] } }
  }

  function route(request: SandboxRequest): SandboxReply {
    if (mailbox.isSuspended && request.path === '/token')
      return { status: 400, body: { error: 'access_denied', error_description: 'Account restricted' } }
    const reply = oauth.route(request)
    if (reply) return reply
    const grant = mailbox.isSuspended ? null : oauth.authenticate(request)
    if (grant === null || 'status' in grant)
      return refusal(401, 'UNAUTHENTICATED', 'authError', 'Request had invalid authentication credentials.')
    if (request.method === 'GET' && request.path === '/v1/userinfo')
      return { status: 200, body: { sub: grant.accountIds[0] ?? sub, email: address, email_verified: true } }
    // Reading the mailbox needs a permission that the app does not request.
    if (request.method === 'GET' && request.path.startsWith('/gmail/v1/users/me/'))
      return refusals.insufficient_permission!(options.now())
    if (request.method !== 'POST' || request.path !== SEND)
      return refusal(404, 'NOT_FOUND', 'notFound', 'Requested entity was not found.')
    return grant.scopes.includes(scope) ? send(request) : refusals.insufficient_permission!(options.now())
  }

  return {
    name: 'gmail',
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: () => [],
    writes: () => [],
    async act(action, args) {
      const reset = () => {
        oauth.tickPermission()
        mailbox.reset()
      }
      const done = actInCommon({ tokens: oauth.tokens, faults, reset }, action, args)
      if (done !== null) return done
      if (action !== 'untick_permission') return mailbox.act(action, args)
      oauth.untickPermission(scope)
      return {}
    },
  }
}
