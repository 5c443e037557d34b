/** What the error words of OAuth 2.0 on a callback mean for the person who was sent there. */
import type { CallbackMeaning, CallbackQuery } from './connector.ts'

const providerFailures = new Set(['server_error', 'temporarily_unavailable'])

export function readOauthCallback(query: CallbackQuery): CallbackMeaning {
  if (query.error === 'access_denied') return { type: 'cancelled' }
  if (query.error && providerFailures.has(query.error)) return { type: 'error' }
  if (query.error) return { type: 'denied' }
  return query.code ? { type: 'code', code: query.code } : { type: 'error' }
}
