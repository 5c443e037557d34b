/**
 * Maps errors of Gmail. Pure. Codes are `error.errors[0].reason`.
 * Sources, read on 2026-11-17: "Resolve errors" (developers.google.com/workspace/gmail/api/guides/handle-errors);
 * responses quoted in FlowCrypt/flowcrypt-browser#435 and WPManageNinja/fluent-smtp#152 ("Mail service not enabled"), in
 * googleapis/google-api-ruby-client#173 and Byron/google-apis-rs#351 (recipients); the token errors handled by GAM-team/GAM.
 */
import type { ProviderError } from '../connector.ts'
import type { MailRefusal } from '../mailbox.ts'

/** Limits of the mailbox. `rateLimitExceeded` is a limit of the app registration and temporary. */
const mailboxLimits = new Set([
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
  'limitExceeded',
])

const messageMatches = (error: ProviderError, pattern: RegExp) => pattern.test(error.providerMessage ?? '')

/** Google's token endpoint refuses a suspended person with `access_denied`, "Account restricted". */
export const isRestricted = (error: ProviderError): boolean =>
  error.providerCode === 'access_denied' && messageMatches(error, /restricted|suspended/i)

export function refusalOf(error: ProviderError): MailRefusal | null {
  const { reason, providerCode } = error
  if (isRestricted(error)) return 'account_suspended'
  if (reason === 'unavailable' || reason === 'malformed') return null
  if (messageMatches(error, /\b(account|user)\b.*\bsuspended\b/i)) return 'account_suspended'
  if (reason === 'invalid_grant') return 'auth_revoked'
  if (providerCode === 'domainPolicy' || messageMatches(error, /^mail service not enabled/i))
    return 'mailbox_disabled'
  if (mailboxLimits.has(providerCode ?? '')) return 'quota_exceeded'
  if (providerCode === 'invalidArgument' && messageMatches(error, /\bto header\b|recipient/i))
    return 'recipient_rejected'
  return reason === 'permission_missing' && providerCode === 'insufficientPermissions' ? 'auth_revoked' : null
}
