/** Interprets the platform's response to a message. Pure. */
import type { ProviderError } from '../../../connectors/connector.ts'
import type { MessagingChannel } from '../../../connectors/messaging.ts'
import type { ErrorCode } from '../../../platform/contract/error-catalogue.ts'

/** "Error codes" of the WhatsApp Business Platform, updated 2026-05-15, read on 2026-11-17. */
const chatCodes = new Map<string, ErrorCode>([
  ['131047', 'chatapp_service_window_expired'],
  ['131042', 'chatapp_payment_required'],
])
/** Codes of a closed messaging window, of the Messenger Platform and the photo app ("Common Error Codes", 2026-03-18). */
const closedWindow = ['10/2018278', '10/2534022']

/** Null if the refusal has no specific code. */
export function refusalCodeOf(channel: MessagingChannel, error: ProviderError): ErrorCode | null {
  const { reason, providerCode } = error
  if (reason === 'invalid_grant') return 'connection_revoked'
  if (channel === 'chatapp') return chatCodes.get(providerCode ?? '') ?? null
  if (closedWindow.includes(providerCode ?? '')) return 'messaging_window_closed'
  return reason === 'permission_missing' ? 'pagechat_feature_not_approved' : null
}

/** Codes of failures that happen before the request is sent, and of permanent refusals. */
const notSent = ['breaker_open', 'blocked', '341', '368', '2635', 'api_version_ended']

/** True if there was no readable response, so the message may have been sent. */
export const isOutcomeUnknown = ({ reason, providerCode }: ProviderError): boolean =>
  (reason === 'unavailable' || reason === 'malformed') && !notSent.includes(providerCode ?? '')

/** Maximum characters of a text per channel. */
export const maxTextLength: Record<MessagingChannel, number> = {
  chatapp: 4096,
  pagechat: 2000,
  photoapp: 1000,
}

export const errorMessages: Partial<Record<ErrorCode, string>> = {
  messaging_window_closed: 'The messaging window is closed; nothing was sent.',
  chatapp_service_window_expired:
    'More than 24 hours have passed since the person’s last message; send a template. Nothing was sent.',
  chatapp_payment_required: 'The chat account has no valid payment method at the platform; nothing was sent.',
  pagechat_feature_not_approved:
    'The platform has not approved this feature or permission for the app; nothing was sent.',
  connection_revoked: 'The account’s authorization ended; connect it again. Its conversations are kept.',
}
