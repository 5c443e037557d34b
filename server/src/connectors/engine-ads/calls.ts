/** Calls to the Ads API: login customer (manager account) and GAQL. Access is granted to the OAuth client's project. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type Session, type TokenSet } from '../connector.ts'
import { engineRefusal } from '../engine-oauth.ts'
import { callJson, refusalByStatus } from '../provider-http.ts'
import { type ParsedItem, readableItems } from '../set-aside.ts'
import { versionedBase } from '../versions.ts'
import { type Row, Stream } from './mapping.ts'

export type Caller = { http: Outbound; app: ProviderApp; token: TokenSet; loginCustomerId?: string | null }

export function callAds<T>(caller: Caller, path: string, schema: z.ZodType<T>, json?: unknown): Promise<T> {
  const { app, token } = caller
  const login = caller.loginCustomerId ?? token.extra.loginCustomerId ?? app.extra.loginCustomerId
  return callJson(caller.http, {
    url: `${versionedBase(app.apiBaseUrl, 'engine_ads')}${path}`,
    bearer: token.accessToken,
    headers: login ? { 'login-customer-id': login } : {},
    ...(json === undefined ? {} : { json }),
    schema,
    refusal: engineRefusal,
  })
}

export const searchStream = async (caller: Caller, customerId: string, query: string): Promise<Row[]> =>
  readableItems(await readStream(caller, customerId, query))

export async function readStream(
  caller: Caller,
  customerId: string,
  query: string,
): Promise<ParsedItem<Row>[]> {
  const path = `/customers/${encodeURIComponent(customerId)}/googleAds:searchStream`
  const batches = await callAds(caller, path, Stream, { query })
  // A stream that fails midway reports the error in its last element; the status is still 200.
  const broken = batches.find(({ error }) => error !== undefined && error !== null)
  if (broken !== undefined) {
    const status = z.looseObject({ code: z.number() }).safeParse(broken.error).data?.code ?? 500
    throw engineRefusal({ status, body: broken, headers: {} }) ?? refusalByStatus(status, broken, null)
  }
  return batches.flatMap(({ results }) => results ?? [])
}

/** Ids are inserted into GAQL, so only digits are accepted. */
export function numericId(id: string): string {
  if (!/^\d{1,19}$/.test(id)) throw new ProviderError('not_found', 'The id is not a number')
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
  if (!currency) throw new ProviderError('malformed', 'The account has no currency')
  return currency
}
