/** Calls to HubSpot's API: paths contain the version date, errors have a category and a policy. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { flag, maybeId, text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

export const version = apiVersions.hubspot.version

/** After the daily limit is used up, a retry within seconds cannot succeed. */
const DAILY_PAUSE_SECONDS = 3600

const Failure = z.looseObject({ policyName: text })
const isDaily = ({ status, body }: { status: number; body: unknown }) =>
  status === 429 && Failure.safeParse(body).data?.policyName === 'DAILY'

/** Client id and secret are sent in the body; v1 had them in the URL, where logs store them. */
export function callOauth<T>(
  http: Outbound,
  app: ProviderApp,
  path: '' | '/introspect' | '/revoke',
  form: Record<string, string>,
  schema: z.ZodType<T>,
): Promise<T> {
  return callJson(http, {
    url: `${app.apiBaseUrl}/oauth/${version}/token${path}`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema,
  })
}

const Introspection = z.looseObject({ active: flag, hub_id: maybeId })

/** The account of a token; null if HubSpot no longer accepts the token. */
export async function introspect(http: Outbound, app: ProviderApp, token: TokenSet): Promise<string | null> {
  const form = { token: token.accessToken, token_type_hint: 'access_token' }
  const tokenInfo = await callOauth(http, app, '/introspect', form, Introspection)
  return tokenInfo.active === false ? null : tokenInfo.hub_id
}

/** According to HubSpot's page a 401 need not mean an expired token, so the token is inspected. */
async function classify401(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  refusal: ProviderError,
): Promise<ProviderError> {
  const { providerCode, providerMessage } = refusal
  return (await introspect(http, app, token)) === null
    ? refusal
    : new ProviderError('unavailable', 'HubSpot rejected a token that it reports as valid', {
        cause: refusal,
        providerCode,
        providerMessage,
      })
}

export type Call = <T>(path: string, request: Omit<JsonCall<T>, 'url' | 'bearer'>) => Promise<T>

export function caller(session: { http: Outbound; app: ProviderApp; token: TokenSet }): Call {
  const { http, app, token } = session
  return async (path, request) => {
    try {
      return await callJson(http, {
        ...request,
        url: `${app.apiBaseUrl}${path}`,
        bearer: token.accessToken,
        isFinalReply: isDaily,
        refusal: (reply) =>
          isDaily(reply)
            ? new ProviderError('rate_limited', 'HubSpot’s daily limit of calls is used up', {
                providerCode: 'DAILY',
                retryAfterSeconds: DAILY_PAUSE_SECONDS,
              })
            : null,
      })
    } catch (error) {
      if (!(error instanceof ProviderError) || error.reason !== 'invalid_grant') throw error
      throw await classify401(http, app, token, error)
    }
  }
}

const Details = z.looseObject({ portalName: text, uiDomain: text, timeZone: text, companyCurrency: text })

export async function readAccount(call: Call, hubId: string) {
  const details = await call(`/account-info/${version}/details`, { schema: Details })
  return {
    id: hubId,
    name: details.portalName ?? `HubSpot ${hubId}`,
    timezone: details.timeZone,
    currency: details.companyCurrency?.toUpperCase() ?? null,
  }
}
