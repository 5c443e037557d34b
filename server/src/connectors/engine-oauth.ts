/** The OAuth 2.0 of the search-engine platform, shared by its ads, search console, calendar and mail. */

import { z } from 'zod'
import { codeOAuth } from './code-oauth.ts'
import { type CallbackMeaning, type CallbackQuery, type ProviderApp, ProviderError } from './connector.ts'
import { requestToken } from './oauth-token.ts'
import { callJson, refusalByStatus, retryAfterSeconds } from './provider-http.ts'
import { providerWords, refusalWords } from './provider-words.ts'
import { text } from './reply-fields.ts'

/** Consent and tokens live on hosts of their own; configuration names the second where it differs. */
const oauthBase = (app: ProviderApp) => app.extra.oauthBaseUrl ?? app.authorizeBaseUrl

/** A person who unticks the one permission we need has refused the app. */
const refusedByProvider = new Set([
  'admin_policy_enforced',
  'disallowed_useragent',
  'invalid_scope',
  'org_internal',
  'unauthorized_client',
])

function readEngineCallback(_: ProviderApp, query: CallbackQuery): CallbackMeaning {
  if (query.code) return { type: 'code', code: query.code }
  if (query.error === 'access_denied') return { type: 'cancelled' }
  return refusedByProvider.has(query.error ?? '') ? { type: 'denied' } : { type: 'error' }
}

/** A connection needs `scope`; what `besides` opens is requested too, and a person may untick it. */
export const engineOAuth = (scope: string, besides: readonly string[] = []) =>
  codeOAuth({
    authorizeUrl: (app) => `${app.authorizeBaseUrl}/o/oauth2/v2/auth`,
    query: {
      response_type: 'code',
      scope: [scope, ...besides].join(' '),
      // A refresh token comes only with both of these, and only at the first consent without the second.
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
        // A token that is gone already (`invalid_token`) is what was requested.
        const isGone = error instanceof ProviderError && ['rejected', 'invalid_grant'].includes(error.reason)
        if (!isGone) throw error
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

/** The platform's one form of error, with the older `errors[]` and the ads API's own details in it. */
export function engineRefusal(reply: {
  status: number
  body: unknown
  headers: Record<string, string>
}): ProviderError | null {
  // A stream refuses in a list of one.
  const parsed = ApiError.safeParse(Array.isArray(reply.body) ? reply.body[0] : reply.body)
  if (!parsed.success) return null
  const { message, status, errors, details } = parsed.data.error
  const specific = details?.flatMap((detail) => detail.errors ?? [])[0]
  const reason = errors?.[0]?.reason ?? null
  const providerCode = Object.values(specific?.errorCode ?? {})[0] ?? reason ?? status ?? String(reply.status)
  const delay = /^(\d+)(?:\.\d+)?s$/.exec(specific?.details?.quotaErrorDetails?.retryDelay ?? '')?.[1]
  const retryAfter = delay === undefined ? retryAfterSeconds(reply.headers, Date.now()) : Number(delay)
  const refuse = (kind: ProviderError['reason']) =>
    new ProviderError(kind, refusalWords[kind], {
      providerCode,
      providerMessage: providerWords(specific?.message ?? message),
      retryAfterSeconds: retryAfter,
    })
  if (status === 'RESOURCE_EXHAUSTED' || (reason !== null && quotaReasons.has(reason))) {
    return refuse('rate_limited')
  }
  // The project that owns the OAuth client, and the version, are the deployment's own: a new consent does not fix them.
  if (deploymentCodes.test(providerCode)) return refuse('unavailable')
  return refuse(refusalByStatus(reply.status, null, null).reason)
}
