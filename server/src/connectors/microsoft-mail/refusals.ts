/**
 * Maps errors of Microsoft. Pure. Sources, read on 2026-11-17: "Microsoft Graph error responses", the response
 * codes of Exchange, which Graph passes on (microsoft-graph-docs#3935, and the codes used by Outlook on the web), and
 * "Microsoft Entra authentication and authorization error codes". Only codes decide, because the status of a code varies.
 * ErrorAccountDisabled, ErrorNonExistentMailbox and ErrorMissingEmailAddress are from general knowledge; no page was read.
 */
import { z } from 'zod'
import { ProviderError } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import type { MailRefusal } from '../mailbox.ts'
import { refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'

type Reply = { status: number; body: unknown; headers: Record<string, string> }

const GraphError = z.looseObject({ error: z.looseObject({ code: z.string().min(1), message: text }) })

export function graphRefusal(reply: Reply): ProviderError | null {
  const parsed = GraphError.safeParse(reply.body)
  if (!parsed.success) return null
  const { code, message } = parsed.data.error
  const isRefusal = reply.status >= 500 && lookUp(codes, code) !== undefined
  const reason = isRefusal ? 'rejected' : refusalByStatus(reply.status, null, null).reason
  return new ProviderError(reason, refusalMessages[reason], {
    providerCode: code,
    providerMessage: providerMessageIn(message),
    retryAfterSeconds: retryAfterSeconds(reply.headers, Date.now()),
  })
}

const TokenError = z.looseObject({ error: z.string(), error_codes: z.array(z.number()).nullish() })

/** Errors that need a new consent. */
const consentNeeded = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required'])
/** UserDisabled: the account exists and was disabled by its administrator. */
const USER_DISABLED = 50057

export function tokenRefusal({ status, body }: Reply): ProviderError | null {
  const parsed = TokenError.safeParse(body)
  if (!parsed.success || status >= 500 || status === 429) return null
  const { error, error_codes: numbers } = parsed.data
  if (!consentNeeded.has(error)) return null
  const isDisabled = numbers?.includes(USER_DISABLED) === true
  const number = isDisabled ? USER_DISABLED : numbers?.[0]
  const reason = isDisabled ? 'rejected' : 'invalid_grant'
  return new ProviderError(reason, refusalMessages[reason], {
    providerCode: number === undefined ? error : `AADSTS${number}`,
    providerMessage: providerMessageIn(body),
  })
}

const codes: Record<string, MailRefusal> = {
  [`AADSTS${USER_DISABLED}`]: 'account_suspended',
  ErrorAccountSuspend: 'account_suspended',
  ErrorAccountSuspendShowTierUpgrade: 'account_suspended',
  ErrorAccountDisabled: 'account_suspended',
  InvalidAuthenticationToken: 'auth_revoked',
  ErrorAccessDenied: 'auth_revoked',
  Authorization_RequestDenied: 'auth_revoked',
  MailboxNotEnabledForRESTAPI: 'mailbox_disabled',
  MailboxNotSupportedForRESTAPI: 'mailbox_disabled',
  MailboxNotHostedInExchangeOnline: 'mailbox_disabled',
  ErrorNonExistentMailbox: 'mailbox_disabled',
  ErrorMissingEmailAddress: 'mailbox_disabled',
  ErrorExceededMessageLimit: 'quota_exceeded',
  ErrorExceededMessageLimitShowTierUpgrade: 'quota_exceeded',
  ErrorExceededHourlyMessageLimit: 'quota_exceeded',
  ErrorExceededMaxRecipientLimit: 'quota_exceeded',
  ErrorExceededMaxRecipientLimitShowTierUpgrade: 'quota_exceeded',
  ErrorSubmissionQuotaExceeded: 'quota_exceeded',
  ErrorQuotaExceeded: 'quota_exceeded',
  ErrorInvalidRecipients: 'recipient_rejected',
  ErrorInvalidSmtpAddress: 'recipient_rejected',
}

export function refusalOf({ reason, providerCode }: ProviderError): MailRefusal | null {
  const refusal = lookUp(codes, providerCode)
  if (refusal !== undefined) return refusal
  return reason === 'invalid_grant' ? 'auth_revoked' : null
}
