/**
 * What a refusal of Gmail means. Pure. Codes are `error.errors[0].reason`.
 * Sources, read on 2026-11-17: "Resolve errors" (developers.google.com/workspace/gmail/api/guides/handle-errors);
 * answers quoted in FlowCrypt/flowcrypt-browser#435 and WPManageNinja/fluent-smtp#152 ("Mail service not enabled"), in
 * googleapis/google-api-ruby-client#173 and Byron/google-apis-rs#351 (recipients); the token errors that GAM-team/GAM knows.
 */
import type { ProviderError } from '../connector.ts'
import type { MailRefusal } from '../mailbox.ts'

/** Limits of the mailbox; `rateLimitExceeded` is the registration's own and passes. */
const quotas = new Set(['userRateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded', 'limitExceeded'])

const said = (error: ProviderError, words: RegExp) => words.test(error.providerMessage ?? '')

/** Google's token endpoint refuses a suspended person with `access_denied`, "Account restricted". */
export const isRestricted = (error: ProviderError): boolean =>
  error.providerCode === 'access_denied' && said(error, /restricted|suspended/i)

export function refusalOf(error: ProviderError): MailRefusal | null {
  const { reason, providerCode } = error
  if (isRestricted(error)) return 'account_suspended'
  if (reason === 'unavailable' || reason === 'malformed') return null
  if (said(error, /\b(account|user)\b.*\bsuspended\b/i)) return 'account_suspended'
  if (reason === 'invalid_grant') return 'auth_revoked'
  if (providerCode === 'domainPolicy' || said(error, /^mail service not enabled/i)) return 'mailbox_disabled'
  if (quotas.has(providerCode ?? '')) return 'quota_exceeded'
  if (providerCode === 'invalidArgument' && said(error, /\bto header\b|recipient/i))
    return 'recipient_rejected'
  return reason === 'permission_missing' && providerCode === 'insufficientPermissions' ? 'auth_revoked' : null
}
