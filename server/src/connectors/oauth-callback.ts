/** Maps the OAuth 2.0 error values of a callback to the result of the consent. */
import type { CallbackQuery, CallbackResult } from './connector.ts'

const providerFailures = new Set(['server_error', 'temporarily_unavailable'])

export function readOauthCallback(query: CallbackQuery): CallbackResult {
  if (query.error === 'access_denied') return { type: 'cancelled' }
  if (query.error && providerFailures.has(query.error)) return { type: 'error' }
  if (query.error) return { type: 'denied' }
  return query.code ? { type: 'code', code: query.code } : { type: 'error' }
}
