/** Calls to the cardpay API: this deployment's key, in the name of the connected account. */
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { type ProviderApp, ProviderError } from '../connector.ts'
import { callJson, refusalByStatus } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const apiVersion = apiVersions.cardpay.version

/** Consent and tokens live on a host of their own; where that is not the browser's, configuration says. */
export const oauthBase = (app: ProviderApp) => app.extra.oauthBaseUrl ?? app.authorizeBaseUrl

const ErrorBody = z.looseObject({
  error: z.union([z.string(), z.looseObject({ code: text, type: text, message: text })]),
})

/** An account that took its consent back answers 403 or `account_invalid`; a 401 is our own key, not the account's fault. */
export function refusal(reply: { status: number; body: unknown }): ProviderError | null {
  const parsed = ErrorBody.safeParse(reply.body)
  if (!parsed.success) return null
  const error = parsed.data.error
  if (typeof error === 'string') return null
  const code = error.code ?? error.type
  if (code === 'account_invalid') {
    return new ProviderError('invalid_grant', 'The account took its consent back', { providerCode: code })
  }
  if (reply.status === 401) {
    return new ProviderError('unavailable', 'The provider refuses this deployment’s key', {
      providerCode: code,
    })
  }
  const byStatus = refusalByStatus(reply.status, null, null)
  if (reply.status >= 500 || reply.status === 429) return null
  return new ProviderError(byStatus.reason, byStatus.message, { providerCode: code })
}

export function call<T>(
  http: Outbound,
  app: ProviderApp,
  accountId: string,
  path: string,
  schema: z.ZodType<T>,
  query: Record<string, string | number | undefined> = {},
): Promise<T> {
  return callJson(http, {
    url: `${app.apiBaseUrl}${path}`,
    query,
    bearer: app.clientSecret,
    headers: { 'stripe-account': accountId, 'stripe-version': apiVersion },
    schema,
    refusal,
  })
}

/** `invalid_client` here means that this app is not connected to the account, which is what was asked for. */
export function deauthorizeRefusal(reply: { status: number; body: unknown }): ProviderError | null {
  const parsed = ErrorBody.safeParse(reply.body)
  if (parsed.data?.error !== 'invalid_client') return refusal(reply)
  return new ProviderError('invalid_grant', 'The account is not connected', {
    providerCode: 'invalid_client',
  })
}
