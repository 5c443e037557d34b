/** Calls to the cardpay API with the account's token. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson, refusalByStatus } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const apiVersion = apiVersions.cardpay.version

const ErrorBody = z.looseObject({
  error: z.union([z.string(), z.looseObject({ code: text, type: text, message: text })]),
})

const codeOf = (body: unknown): string | null => {
  const error = ErrorBody.safeParse(body).data?.error
  return error === undefined || typeof error === 'string' ? null : (error.code ?? error.type)
}

/** An expired or revoked token returns 401, one without access to the account 403 `account_invalid`. */
function refusal(reply: { status: number; body: unknown }): ProviderError | null {
  const code = codeOf(reply.body)
  if (code === null || reply.status >= 500 || reply.status === 429) return null
  if (code === 'account_invalid' || reply.status === 401) {
    return new ProviderError('invalid_grant', 'The account has withdrawn its consent', { providerCode: code })
  }
  const byStatus = refusalByStatus(reply.status, null, null)
  return new ProviderError(byStatus.reason, byStatus.message, { providerCode: code })
}

/** Token endpoints authenticate this deployment: a 401 there concerns our own key, not the account. */
export function tokenRefusal(reply: { status: number; body: unknown }): ProviderError | null {
  const code = codeOf(reply.body)
  if (code === null || reply.status !== 401) return refusal(reply)
  return new ProviderError('unavailable', 'The provider rejected this deployment’s key', {
    providerCode: code,
  })
}

export function call<T>(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  path: string,
  schema: z.ZodType<T>,
  query: Record<string, string | number | undefined> = {},
): Promise<T> {
  return callJson(http, {
    url: `${app.apiBaseUrl}${path}`,
    query,
    bearer: token.accessToken,
    headers: { 'stripe-version': apiVersion },
    schema,
    refusal,
  })
}

/** `invalid_client` means that the app is no longer connected to the account, so revoking has succeeded. */
export function deauthorizeRefusal(reply: { status: number; body: unknown }): ProviderError | null {
  const parsed = ErrorBody.safeParse(reply.body)
  if (parsed.data?.error !== 'invalid_client') return tokenRefusal(reply)
  return new ProviderError('invalid_grant', 'The account is not connected', {
    providerCode: 'invalid_client',
  })
}
