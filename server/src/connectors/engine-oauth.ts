/** OAuth 2.0 of the search-engine platform, shared by its ads, search console, calendar and mail. */

import { z } from 'zod'
import { codeOAuth } from './code-oauth.ts'
import { type CallbackQuery, type CallbackResult, type ProviderApp, ProviderError } from './connector.ts'
import { requestToken } from './oauth-token.ts'
import { callJson, refusalByStatus, retryAfterSeconds } from './provider-http.ts'
import { providerMessageIn, refusalMessages } from './provider-messages.ts'
import { text } from './reply-fields.ts'

/** Consent and tokens have separate hosts; `oauthBaseUrl` configures the token host. */
const oauthBase = (app: ProviderApp) => app.extra.oauthBaseUrl ?? app.authorizeBaseUrl

const refusedByProvider = new Set([
  'admin_policy_enforced',
  'disallowed_useragent',
  'invalid_scope',
  'org_internal',
  'unauthorized_client',
])

function readEngineCallback(_: ProviderApp, query: CallbackQuery): CallbackResult {
  if (query.code) return { type: 'code', code: query.code }
  if (query.error === 'access_denied') return { type: 'cancelled' }
  return refusedByProvider.has(query.error ?? '') ? { type: 'denied' } : { type: 'error' }
}

/** A connection requires `scope`. The optional scopes are requested too; a person may decline them. */
export const engineOAuth = (scope: string, optionalScopes: readonly string[] = []) =>
  codeOAuth({
    authorizeUrl: (app) => `${app.authorizeBaseUrl}/o/oauth2/v2/auth`,
    query: {
      response_type: 'code',
      scope: [scope, ...optionalScopes].join(' '),
      // A refresh token is issued only with both of these; without the second only at the first consent.
      access_type: 'offline',
      prompt: 'consent',
    },
    hasPkce: true,
    requestToken: (http, app, now, form) =>
      requestToken(http, app, now, { url: `${oauthBase(app)}/token`, form }),
    readCallback: readEngineCallback,
    isGranted: (scopes) => scopes.includes(scope),
    async revoke(http, app, token) {
      try {
        await callJson(http, {
          url: `${oauthBase(app)}/revoke`,
          form: { token: token.refreshToken ?? token.accessToken },
          schema: z.unknown(),
        })
      } catch (error) {
        // Revoking a token that no longer exists (`invalid_token`) is a success.
        const isRevoked =
          error instanceof ProviderError && ['rejected', 'invalid_grant'].includes(error.reason)
        if (!isRevoked) throw error
      }
    },
  })

const ApiError = z.looseObject({
  error: z.looseObject({
    message: text,
    status: text,
    errors: z.array(z.looseObject({ reason: text })).nullish(),
    details: z
      .array(
        z.looseObject({
          errors: z
            .array(
              z.looseObject({
                message: text,
                errorCode: z.record(z.string(), z.string()).nullish(),
                details: z
                  .looseObject({ quotaErrorDetails: z.looseObject({ retryDelay: text }).nullish() })
                  .nullish(),
              }),
            )
            .nullish(),
        }),
      )
      .nullish(),
  }),
})

const quotaReasons = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
])

const deploymentCodes = /^(DEVELOPER_TOKEN|CLOUD_PROJECT|PROJECT_DISABLED|UNSUPPORTED_VERSION)/

/** Parses the platform's common error format, including the older `errors[]` and the details of the ads API. */
export function engineRefusal(reply: {
  status: number
  body: unknown
  headers: Record<string, string>
}): ProviderError | null {
  // Streaming calls return errors as a list with one entry.
  const parsed = ApiError.safeParse(Array.isArray(reply.body) ? reply.body[0] : reply.body)
  if (!parsed.success) return null
  const { message, status, errors, details } = parsed.data.error
  const specific = details?.flatMap((detail) => detail.errors ?? [])[0]
  const reason = errors?.[0]?.reason ?? null
  const providerCode = Object.values(specific?.errorCode ?? {})[0] ?? reason ?? status ?? String(reply.status)
  const delay = /^(\d+)(?:\.\d+)?s$/.exec(specific?.details?.quotaErrorDetails?.retryDelay ?? '')?.[1]
  const retryAfter = delay === undefined ? retryAfterSeconds(reply.headers, Date.now()) : Number(delay)
  const refuse = (kind: ProviderError['reason']) =>
    new ProviderError(kind, refusalMessages[kind], {
      providerCode,
      providerMessage: providerMessageIn(specific?.message ?? message),
      retryAfterSeconds: retryAfter,
    })
  if (status === 'RESOURCE_EXHAUSTED' || (reason !== null && quotaReasons.has(reason))) {
    return refuse('rate_limited')
  }
  // Errors of the deployment's project or API version: a new consent does not fix them.
  if (deploymentCodes.test(providerCode)) return refuse('unavailable')
  return refuse(refusalByStatus(reply.status, null, null).reason)
}
