/** What a provider said when it refused, next to what we make of it. */
import { ProviderError } from './connector.ts'

/** Our own words for each way to refuse. */
export const refusalWords: Record<ProviderError['reason'], string> = {
  invalid_grant: 'The provider no longer accepts this connection',
  rate_limited: 'The provider limits how often it may be asked',
  unavailable: 'The provider failed',
  permission_missing: 'The provider refused access',
  terms_not_accepted: 'The provider’s terms have not been accepted in this account',
  asks_for_less: 'The provider refused an answer of this size',
  not_found: 'The provider has no such record',
  rejected: 'The provider refused the request',
  malformed: 'The provider answered something that cannot be read',
}

const MAX_WORDS = 300
const MAX_DEPTH = 4

/** Where providers put a sentence, the most telling first. */
const places = [
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

/** The first sentence found in an error body of whatever form; null where there is none. */
export function providerWords(body: unknown, depth = 0): string | null {
  if (typeof body === 'string') return cleanWords(body)
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return null
  const fields = body as Record<string, unknown>
  const inside = Array.isArray(body) ? body : places.map((name) => fields[name])
  for (const value of inside) {
    const words = providerWords(value, depth + 1)
    if (words !== null) return words
  }
  return null
}

/** Providers repeat tokens and addresses in their sentences; what is kept and shown holds none. */
export function cleanWords(text: string): string | null {
  const words = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/(?<!\S)\S+@\S+/g, '…')
    .replace(/[A-Za-z0-9_\-.~+/=]{24,}/g, '…')
    .trim()
  return words === '' ? null : words.slice(0, MAX_WORDS)
}

/** One line for people: our words, then the provider's with its code. */
export function describeFailure(error: unknown): string {
  const failure = error instanceof Error && error.cause instanceof ProviderError ? error.cause : error
  if (!(failure instanceof ProviderError)) return error instanceof Error ? error.message : String(error)
  const said = [
    failure.providerMessage,
    failure.providerCode === null ? null : `(${failure.providerCode})`,
  ].filter((part) => part !== null)
  return said.length === 0 ? failure.message : `${failure.message}. Provider: ${said.join(' ')}`
}
