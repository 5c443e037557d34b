/** Calls to the crmsuite API with the location's token. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ProviderApp, Session, TokenSet } from '../connector.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const apiVersion = apiVersions.crmsuite.version
/** The only version in the published schema of calendars (GoHighLevel/highlevel-api-docs, read 2026-11-16). */
const calendarVersion = '2021-04-15'

/** The app id is the first part of its client id. */
export const appIdOf = (app: ProviderApp): string => app.clientId.split('-')[0]!

export function call<T>(
  http: Outbound,
  app: ProviderApp,
  bearer: string,
  path: string,
  request: Omit<JsonCall<T>, 'url' | 'bearer'>,
): Promise<T> {
  return callJson(http, {
    ...request,
    url: `${app.apiBaseUrl}${path}`,
    bearer,
    headers: { version: path.startsWith('/calendars') ? calendarVersion : apiVersion },
  })
}

/** An agency's token gives no access to a location; it is exchanged for the location's token. */
export async function locationBearer(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  locationId: string,
): Promise<string> {
  if (token.extra.userType !== 'Company') return token.accessToken
  const reply = await call(http, app, token.accessToken, '/oauth/locationToken', {
    form: { companyId: token.extra.companyId ?? '', locationId },
    schema: z.looseObject({ access_token: z.string().min(1) }),
  })
  return reply.access_token
}

export type LocationCall = <T>(path: string, request: Omit<JsonCall<T>, 'url' | 'bearer'>) => Promise<T>

export async function openLocation(session: Session): Promise<LocationCall> {
  const bearer = await locationBearer(session.http, session.app, session.token, session.accountId)
  return (path, request) => call(session.http, session.app, bearer, path, request)
}

const Location = z.looseObject({
  location: z.looseObject({
    id: z.string().min(1),
    name: text,
    timezone: text,
    currency: text,
    business: z.looseObject({ name: text, timezone: text }).nullish(),
  }),
})

export async function readLocation(open: LocationCall, locationId: string) {
  const { location } = await open(`/locations/${encodeURIComponent(locationId)}`, { schema: Location })
  return {
    id: location.id,
    name: location.name ?? location.business?.name ?? location.id,
    timezone: location.timezone ?? location.business?.timezone ?? null,
    currency: location.currency?.toUpperCase() ?? null,
  }
}
