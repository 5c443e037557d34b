/** Error messages of providers, and our own message for each kind of refusal. */
import { ProviderError } from './connector.ts'

export const refusalMessages: Record<ProviderError['reason'], string> = {
  invalid_grant: 'The provider no longer accepts this connection',
  rate_limited: 'The provider’s rate limit was exceeded',
  unavailable: 'The provider failed',
  permission_missing: 'The provider refused access',
  terms_not_accepted: 'The provider’s terms have not been accepted in this account',
  asks_for_less: 'The provider refused to return this much data',
  not_found: 'The provider has no such record',
  rejected: 'The provider refused the request',
  malformed: 'The provider’s response could not be parsed',
}

const MAX_LENGTH = 300
const MAX_DEPTH = 4

/** Fields in which providers put a message, the most specific first. */
const messageFields = [
  'error_user_msg',
  'error_description',
  'error_message',
  'display_message',
  'message',
  'description',
  'detail',
  'error',
  'errors',
  'details',
  'cause',
]

/** The first message in an error body of any form; null if there is none. */
export function providerMessageIn(body: unknown, depth = 0): string | null {
  if (typeof body === 'string') return redactMessage(body)
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return null
  const fields = body as Record<string, unknown>
  const values = Array.isArray(body) ? body : messageFields.map((name) => fields[name])
  for (const value of values) {
    const message = providerMessageIn(value, depth + 1)
    if (message !== null) return message
  }
  return null
}

/** Removes tokens and email addresses, which providers repeat in messages, before a message is stored or shown. */
export function redactMessage(text: string): string | null {
  const redacted = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/(?<!\S)\S+@\S+/g, '…')
    .replace(/[A-Za-z0-9_\-.~+/=]{24,}/g, '…')
    .trim()
  return redacted === '' ? null : redacted.slice(0, MAX_LENGTH)
}

/** One line for people: our message, then the provider's message and code. */
export function describeFailure(error: unknown): string {
  const failure = error instanceof Error && error.cause instanceof ProviderError ? error.cause : error
  if (!(failure instanceof ProviderError)) return error instanceof Error ? error.message : String(error)
  const details = [
    failure.providerMessage,
    failure.providerCode === null ? null : `(${failure.providerCode})`,
  ].filter((part) => part !== null)
  return details.length === 0 ? failure.message : `${failure.message}. Provider: ${details.join(' ')}`
}
