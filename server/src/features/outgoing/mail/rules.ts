/** Interprets the mail vendor's response. Pure. */
import type { ProviderError } from '../../../connectors/connector.ts'
import type { MailRefusal } from '../../../connectors/mailbox.ts'

/** Codes of failures that happen before the request is sent. */
const notSent = ['breaker_open', 'blocked', 'api_version_ended', 'invalid_client', 'unauthorized_client']

/** True if there was no readable response, so the mail may have been sent. */
export const isOutcomeUnknown = ({ reason, providerCode }: ProviderError): boolean =>
  (reason === 'unavailable' || reason === 'malformed') && !notSent.includes(providerCode ?? '')

const HOUR_SECONDS = 3600

/** Seconds until a retry: from the Retry-After header, from the time in the vendor's message, or an hour. */
export function quotaSeconds({ retryAfterSeconds, providerMessage }: ProviderError, now: Date): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds
  const at = Date.parse(/retry after (\S+Z)/i.exec(providerMessage ?? '')?.[1] ?? '')
  return Number.isNaN(at) ? HOUR_SECONDS : Math.max(1, Math.ceil((at - now.getTime()) / 1000))
}

export const messages: Record<MailRefusal, string> = {
  account_suspended: 'The mail vendor suspended this account; nothing was sent.',
  auth_revoked: 'The mailbox’s authorization ended or does not cover sending; connect it again.',
  mailbox_disabled: 'The account has no mailbox, or mail is switched off for it; nothing was sent.',
  quota_exceeded: 'The mailbox is full or reached its sending limit; nothing was sent.',
  recipient_rejected: 'The mail vendor refused a recipient; nothing was sent.',
}
