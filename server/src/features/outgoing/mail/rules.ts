/** What the vendor's answer to a mail means. Pure. */
import type { ProviderError } from '../../../connectors/connector.ts'
import type { MailRefusal } from '../../../connectors/mailbox.ts'

/** Failures of this kind that happened before anything was sent. */
const notSent = ['breaker_open', 'blocked', 'api_version_ended', 'invalid_client', 'unauthorized_client']

/** No answer, or none that can be read: the mail may have been sent. */
export const isOutcomeUnknown = ({ reason, providerCode }: ProviderError): boolean =>
  (reason === 'unavailable' || reason === 'malformed') && !notSent.includes(providerCode ?? '')

const HOUR_SECONDS = 3600

/** Seconds until the vendor's limit may have passed: its header, the time in its words, or an hour. */
export function quotaSeconds({ retryAfterSeconds, providerMessage }: ProviderError, now: Date): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds
  const at = Date.parse(/retry after (\S+Z)/i.exec(providerMessage ?? '')?.[1] ?? '')
  return Number.isNaN(at) ? HOUR_SECONDS : Math.max(1, Math.ceil((at - now.getTime()) / 1000))
}

export const sentences: Record<MailRefusal, string> = {
  account_suspended: 'The mail vendor suspended this account; nothing was sent.',
  auth_revoked: 'The mailbox’s authorization ended or does not cover sending; connect it again.',
  mailbox_disabled: 'The account has no mailbox, or mail is switched off for it; nothing was sent.',
  quota_exceeded: 'The mailbox is full or reached its sending limit; nothing was sent.',
  recipient_rejected: 'The mail vendor refused a recipient; nothing was sent.',
}
