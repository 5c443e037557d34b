/** Calls to the Ads API: developer token, the manager an account is reached through, and GAQL. */
import type { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { type ProviderApp, ProviderError, type Session, type TokenSet } from '../connector.ts'
import { engineRefusal } from '../engine-oauth.ts'
import { callJson } from '../provider-http.ts'
import { type Row, Stream } from './mapping.ts'

export type Caller = { http: Outbound; app: ProviderApp; token: TokenSet; loginCustomerId?: string | null }

export function callAds<T>(caller: Caller, path: string, schema: z.ZodType<T>, json?: unknown): Promise<T> {
  const { app, token } = caller
  const login = caller.loginCustomerId ?? token.extra.loginCustomerId ?? app.extra.loginCustomerId
  return callJson(caller.http, {
    url: `${app.apiBaseUrl}${path}`,
    bearer: token.accessToken,
    headers: {
      'developer-token': app.extra.developerToken ?? '',
      ...(login ? { 'login-customer-id': login } : {}),
    },
    ...(json === undefined ? {} : { json }),
    schema,
    refusal: engineRefusal,
  })
}

export async function searchStream(caller: Caller, customerId: string, query: string): Promise<Row[]> {
  const path = `/customers/${encodeURIComponent(customerId)}/googleAds:searchStream`
  const batches = await callAds(caller, path, Stream, { query })
  return batches.flatMap(({ results }) => results ?? [])
}

/** Ids go into GAQL as text, so only digits may. */
export function numericId(id: string): string {
  if (!/^\d{1,19}$/.test(id)) throw new ProviderError('not_found', 'This is no id of the platform')
  return id
}

export async function accountCurrency(session: Session): Promise<string> {
  if (session.currency) return session.currency
  const [row] = await searchStream(
    session,
    session.accountId,
    'SELECT customer.id, customer.currency_code FROM customer',
  )
  const currency = row?.customer?.currencyCode
  if (!currency) throw new ProviderError('malformed', 'The account names no currency')
  return currency
}
