/** Calls to HubSpot's API: paths carry the date of their version, errors have a category and a policy. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { flag, maybeId, text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

export const version = apiVersions.hubspot.version

/** After a daily limit is used up, another try within seconds cannot succeed. */
const DAILY_PAUSE_SECONDS = 3600

const Failure = z.looseObject({ policyName: text })
const isDaily = ({ status, body }: { status: number; body: unknown }) =>
  status === 429 && Failure.safeParse(body).data?.policyName === 'DAILY'

/** Client id and secret go into the body; v1 had them in the address, where logs keep them. */
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

/** The account of a token; null where HubSpot no longer accepts the token. */
export async function introspect(http: Outbound, app: ProviderApp, token: TokenSet): Promise<string | null> {
  const form = { token: token.accessToken, token_type_hint: 'access_token' }
  const found = await callOauth(http, app, '/introspect', form, Introspection)
  return found.active === false ? null : found.hub_id
}

/** HubSpot's page says that a 401 is no sign of an expired token, so the token itself is looked up. */
async function meaningOf401(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  refusal: ProviderError,
): Promise<ProviderError> {
  const { providerCode, providerMessage } = refusal
  return (await introspect(http, app, token)) === null
    ? refusal
    : new ProviderError('unavailable', 'HubSpot refused a token that it says is valid', {
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
      throw await meaningOf401(http, app, token, error)
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
