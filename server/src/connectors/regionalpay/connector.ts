/** Mercado Pago's public API: OAuth with rotating refresh tokens, payments search, read back. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { codeOAuth } from '../code-oauth.ts'
import {
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type SyncPage,
  type SyncRecord,
  type SyncWindow,
  type TokenSet,
} from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { Token, toTokenSet } from '../oauth-token.ts'
import { callJson } from '../provider-http.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { mapItems, type ParsedItem, readableItems, toSetAside } from '../set-aside.ts'
import { toInstant, windowBounds } from '../window.ts'
import { isIncome, lacksRefunds, Payment, PaymentSearch, toRecords } from './mapping.ts'
import { Order, paymentIdOf, paymentsOf, toOrderRecords } from './orders.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const pageSize = 50

/** The provider's country sites, each with one currency. */
const siteCurrency: Record<string, string> = {
  MLA: 'ARS',
  MLB: 'BRL',
  MLC: 'CLP',
  MLM: 'MXN',
  MCO: 'COP',
  MPE: 'PEN',
  MLU: 'UYU',
}

const SellerToken = Token.extend({ expires_in: z.number().positive(), user_id: id })

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  now: Date,
  body: Record<string, string>,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: `${app.apiBaseUrl}/oauth/token`,
    json: { client_id: app.clientId, client_secret: app.clientSecret, ...body },
    schema: SellerToken,
  })
  return toTokenSet(token, now, { userId: token.user_id })
}

const User = z.looseObject({
  id,
  nickname: text,
  email: text,
  first_name: text,
  last_name: text,
  site_id: text,
  status: z.looseObject({ site_status: text }).nullish(),
})

const Cursor = z.object({
  begin: z.string(),
  offset: z.number().int(),
  /** Payments of the instant `begin` that were already returned. */
  seen: z.array(z.string()),
  done: z.number().int(),
})
type Cursor = z.infer<typeof Cursor>

/**
 * Sorted by last change, so that refunds of old payments are found too. A payment that changes during
 * pagination moves to the end and would shift the others past an offset, so each page begins at
 * the time at which the previous one ended; the offset is used only within one instant.
 */
async function syncPage(session: Session, window: SyncWindow, cursorText: string | null): Promise<SyncPage> {
  const bounds = windowBounds(window)
  const start: Cursor = { begin: bounds.from.toISOString(), offset: 0, seen: [], done: 0 }
  const cursor = cursorText === null ? start : Cursor.parse(JSON.parse(cursorText))
  const page = await callJson(session.http, {
    url: `${session.app.apiBaseUrl}/v1/payments/search`,
    query: {
      sort: 'date_last_updated',
      criteria: 'asc',
      range: 'date_last_updated',
      begin_date: cursor.begin,
      end_date: bounds.until.toISOString(),
      'collector.id': session.accountId,
      offset: cursor.offset,
      limit: pageSize,
    },
    bearer: session.token.accessToken,
    schema: PaymentSearch,
  })
  const fresh = page.results.filter(({ item }) => item === null || !cursor.seen.includes(item.id))
  const done = cursor.done + fresh.length
  const before = cursor.done - cursor.offset - cursor.seen.length
  const isLast = page.results.length < pageSize
  const next = isLast ? null : nextCursor(cursor, readableItems(page.results), page.results.length, done)
  const payments = await Promise.all(fresh.map((entry) => withRefunds(session, entry)))
  return {
    ...mapItems('payment', payments, (payment) =>
      isIncome(payment, session.accountId) ? toRecords(payment) : [],
    ),
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: Math.max(done, before + page.paging.total), unit: 'payments' },
  }
}

function nextCursor(cursor: Cursor, results: Payment[], resultCount: number, done: number): Cursor {
  const at = (payment: Payment) => toInstant(payment.date_last_updated) ?? cursor.begin
  const latest = results.at(-1)
  const last = latest === undefined ? cursor.begin : at(latest)
  if (Date.parse(last) <= Date.parse(cursor.begin))
    return { ...cursor, offset: cursor.offset + resultCount, done }
  const seen = results.filter((payment) => at(payment) === last).map(({ id }) => id)
  return { begin: last, offset: 0, seen, done }
}

/** Payments whose refunds are missing in the search are read individually. */
async function withRefunds(session: Session, entry: ParsedItem<Payment>): Promise<ParsedItem<Payment>> {
  if (entry.item === null || !isIncome(entry.item, session.accountId)) return entry
  try {
    return lacksRefunds(entry.item)
      ? { item: await readPayment(session, entry.item.id), setAside: null }
      : entry
  } catch (error) {
    return { item: null, setAside: toSetAside('payment', entry.item, error) }
  }
}

const get = <T>(session: Session, path: string, schema: z.ZodType<T>): Promise<T> =>
  callJson(session.http, {
    url: `${session.app.apiBaseUrl}${path}`,
    bearer: session.token.accessToken,
    schema,
  })

const readPayment = (session: Session, id: string) =>
  get(session, `/v1/payments/${encodeURIComponent(id)}`, Payment)

async function readBack(session: Session, resource: string, id: string): Promise<SyncRecord[]> {
  if (resource === 'order') return readOrder(session, id)
  if (resource === 'chargeback' || resource === 'claim') {
    const paymentId = await disputedPayment(session, resource, id)
    return paymentId === null ? [] : ((await readKnownPayment(session, paymentId)) ?? [])
  }
  if (resource !== 'payment') throw new ProviderError('rejected', `No ${resource} can be read back`)
  const payment = await readPayment(session, id)
  return isIncome(payment, session.accountId) ? toRecords(payment) : []
}

/** `payment_id` by the official client mercadopago 3.6.1; the reference of the API lists `payments` instead. */
const Chargeback = z.looseObject({ payment_id: maybeId, payments: z.array(maybeId).nullish() })
const Claim = z.looseObject({ resource: text, resource_id: maybeId })

/** Null if the dispute is not about a payment. */
async function disputedPayment(
  session: Session,
  resource: 'chargeback' | 'claim',
  id: string,
): Promise<string | null> {
  if (resource === 'chargeback') {
    const chargeback = await get(session, `/v1/chargebacks/${encodeURIComponent(id)}`, Chargeback)
    return chargeback.payment_id ?? chargeback.payments?.[0] ?? null
  }
  const claim = await get(session, `/post-purchase/v1/claims/${encodeURIComponent(id)}`, Claim)
  return claim.resource === 'payment' ? claim.resource_id : null
}

async function readOrder(session: Session, id: string): Promise<SyncRecord[]> {
  const order = await get(session, `/v1/orders/${encodeURIComponent(id)}`, Order)
  if (order.user_id !== null && order.user_id !== session.accountId) return []
  const records: SyncRecord[] = []
  for (const payment of paymentsOf(order)) {
    const paymentRecords = await readKnownPayment(session, paymentIdOf(payment))
    records.push(...(paymentRecords ?? toOrderRecords(order, payment, session.currency ?? null)))
  }
  return records
}

/** Null if the payments API does not have the payment. */
async function readKnownPayment(session: Session, id: string | null): Promise<SyncRecord[] | null> {
  if (id === null) return null
  try {
    return await readBack(session, 'payment', id)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return null
    throw error
  }
}

export const regionalpay: Connector = {
  provider: 'regionalpay',
  accountKind: 'account',
  exclusiveAccount: true,
  oauth: codeOAuth({
    authorizeUrl: (app) => `${app.authorizeBaseUrl}/authorization`,
    query: { response_type: 'code', platform_id: 'mp' },
    hasPkce: true,
    requestToken,
    async revoke(http, app, token) {
      const user = encodeURIComponent(token.extra.userId ?? '')
      await endGrant(
        callJson(http, {
          method: 'DELETE',
          url: `${app.apiBaseUrl}/users/${user}/applications/${encodeURIComponent(app.clientId)}`,
          bearer: token.accessToken,
          schema: z.unknown(),
        }),
      )
    },
  }),
  /** One consent covers one seller; a deactivated seller is not offered. */
  async listAccounts(http, app, token) {
    const user = await callJson(http, {
      url: `${app.apiBaseUrl}/users/me`,
      bearer: token.accessToken,
      schema: User,
    })
    if (user.status?.site_status === 'deactive') return []
    const name = [user.first_name, user.last_name].filter((part) => part !== null).join(' ')
    return [
      {
        id: user.id,
        name: user.nickname ?? (name || user.email || user.id),
        kind: 'account',
        currency: lookUp(siteCurrency, user.site_id) ?? null,
        timezone: null,
      },
    ]
  },
  sync: { page: syncPage },
  webhooks: { verify: verifyWebhook, map: mapWebhook, readBack },
}
