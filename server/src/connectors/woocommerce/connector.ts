/**
 * WooCommerce's public API. A shop has no OAuth: the person approves in the shop, the shop posts a pair of keys to
 * our callback URL and then redirects the person back. Keys never expire and cannot be revoked by a call.
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import {
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type SyncPage,
  type SyncWindow,
} from '../connector.ts'
import { text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { mapItems, type ParsedItem, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { authForms, callIndex, callShop, type Keys, keysOf } from './calls.ts'
import { Order, Refund, toRecords } from './mapping.ts'
import { at, normaliseShopAddress } from './shop.ts'
import { ensureWebhooks, isPing, mapWebhook, removeWebhooks, verifyWebhook } from './webhooks.ts'

const pageSize = 100

const Currency = z.looseObject({ code: z.string().length(3) })
const currencyOf = async (http: Outbound, app: ProviderApp, keys: Keys): Promise<string> =>
  (await callShop(http, app, keys, '/data/currencies/current', { schema: Currency })).data.code

/** Finds the authentication form that this shop accepts; a successful call proves that the keys belong to it. */
async function openKeys(http: Outbound, app: ProviderApp, keys: Omit<Keys, 'auth'>): Promise<Keys> {
  let refusal: unknown
  for (const auth of authForms) {
    try {
      await currencyOf(http, app, { ...keys, auth })
      return { ...keys, auth }
    } catch (error) {
      if (!(error instanceof ProviderError) || error.reason !== 'invalid_grant') throw error
      refusal = error
    }
  }
  throw refusal
}

const PostedKeys = z.looseObject({
  user_id: z.string().min(1),
  consumer_key: z.string().min(1).max(200),
  consumer_secret: z.string().min(1).max(2000),
  key_permissions: z.string().max(50),
})

const Cursor = z.object({
  status: z.enum(['any', 'trash']),
  page: z.int().min(1),
  total: z.int().nullable(),
  done: z.int(),
})
type Cursor = z.infer<typeof Cursor>
const start: Cursor = { status: 'any', page: 1, total: null, done: 0 }

/** WordPress converts a time with a zone to the shop's zone, although `dates_are_gmt` requests a comparison in UTC. */
const withoutZone = (time: Date) => time.toISOString().slice(0, 19)

/**
 * Filtered by last change, sorted by id. An order that changes during the sync is read again later; one that leaves the
 * list (deleted, or changed past the window) shifts all later ones forward, so the previous page is read again if the
 * total decreased. `any` does not contain the trash, which is read last.
 */
async function syncPage(session: Session, window: SyncWindow, cursorText: string | null): Promise<SyncPage> {
  const { http, app, token } = session
  const cursor = cursorText === null ? start : (Cursor.safeParse(JSON.parse(cursorText)).data ?? start)
  if (cursorText === null) await tryEnsureWebhooks(session)
  const bounds = windowBounds(window)
  const { data, headers } = await callShop(http, app, keysOf(token), '/orders', {
    query: {
      status: cursor.status,
      modified_after: withoutZone(bounds.from),
      modified_before: withoutZone(bounds.until),
      dates_are_gmt: 'true',
      orderby: 'id',
      order: 'asc',
      per_page: pageSize,
      page: cursor.page,
    },
    schema: z.array(parsedOrSetAside('order', Order)),
  })
  const { records, setAside } = mapItems('order', await withRefunds(session, data), toRecords)
  const done = cursor.done + readableItems(data).length
  const next = nextCursor(cursor, headers, done)
  return {
    records,
    setAside,
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: null, unit: 'orders' },
  }
}

const countIn = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null

function nextCursor(cursor: Cursor, headers: Record<string, string>, done: number): Cursor | null {
  const total = countIn(headers['x-wp-total'])
  const pages = countIn(headers['x-wp-totalpages']) ?? 0
  const removedCount = total === null || cursor.total === null ? 0 : Math.max(0, cursor.total - total)
  const page =
    removedCount === 0 ? cursor.page + 1 : Math.max(1, cursor.page - Math.ceil(removedCount / pageSize))
  if (page <= pages) return { ...cursor, page, total, done }
  return cursor.status === 'any' ? { ...start, status: 'trash', done } : null
}

/** The refunds within an order lack their times. */
async function withRefunds(
  session: Session,
  orders: readonly ParsedItem<Order>[],
): Promise<ParsedItem<{ id: string; order: Order; refunds: Refund[] }>[]> {
  const read: ParsedItem<{ id: string; order: Order; refunds: Refund[] }>[] = []
  for (const entry of orders) {
    if (entry.item === null) read.push(entry)
    else {
      const order = entry.item
      const refunds = order.refunds.length === 0 ? [] : await refundsOf(session, order.id)
      read.push({ item: { id: order.id, order, refunds }, setAside: null })
    }
  }
  return read
}

async function refundsOf({ http, app, token }: Session, orderId: string): Promise<Refund[]> {
  const { data } = await callShop(http, app, keysOf(token), `/orders/${orderId}/refunds`, {
    query: { per_page: pageSize },
    schema: z.array(parsedOrSetAside('refund', Refund)),
  })
  return readableItems(data)
}

/** Webhooks only reduce the delay: a shop that refuses them is still synced. */
async function tryEnsureWebhooks({ http, app, token }: Session): Promise<void> {
  try {
    await ensureWebhooks(http, app, token)
  } catch (error) {
    const isRefused =
      error instanceof ProviderError && ['permission_missing', 'not_found', 'rejected'].includes(error.reason)
    if (!isRefused) throw error
  }
}

export const woocommerce: Connector = {
  provider: 'woocommerce',
  accountKind: 'store',
  exclusiveAccount: true,
  oauth: {
    authorizeUrl(app, { redirectUri, state, shop }) {
      const address = normaliseShopAddress(shop ?? '')
      if (address === null) throw new ProviderError('rejected', 'The shop’s address is required')
      const query = new URLSearchParams({
        app_name: app.clientId,
        scope: app.extra.webhooks === 'on' ? 'read_write' : 'read',
        user_id: state,
        return_url: `${redirectUri}?${new URLSearchParams({ state, shop: address })}`,
        callback_url: redirectUri,
      })
      return `${at(app.authorizeBaseUrl, address)}/wc-auth/v1/authorize?${query}`
    },
    readDeposit(body) {
      const { data } = PostedKeys.safeParse(body)
      if (data === undefined) return null
      const { user_id: state, consumer_key, consumer_secret, key_permissions } = data
      return { state, fields: { consumer_key, consumer_secret, key_permissions } }
    },
    readCallback(_app, query, deposit) {
      if (query.success === '0') return { type: 'cancelled' }
      return query.success === '1' && deposit?.consumer_key
        ? { type: 'code', code: deposit.consumer_key }
        : { type: 'error' }
    },
    async exchange(http, app, { query, deposit = {}, redirectUri }) {
      const shop = normaliseShopAddress(query.shop ?? '')
      const { consumer_key: consumerKey, consumer_secret: consumerSecret, key_permissions: scope } = deposit
      if (shop === null || !consumerKey || !consumerSecret)
        throw new ProviderError('invalid_grant', 'The shop sent no keys')
      const { auth } = await openKeys(http, app, { shop, consumerKey, consumerSecret })
      const inbound = redirectUri.replace(/\/connect\/callback\/[^/]+$/, '/webhooks/in/woocommerce')
      return {
        accessToken: consumerSecret,
        refreshToken: null,
        expiresAt: null,
        scopes: [scope ?? 'read'],
        extra: { shop, consumerKey, auth, webhookUrl: `${inbound}?${new URLSearchParams({ shop })}` },
      }
    },
    /** Only a person can delete the keys, under WooCommerce → Settings → Advanced → REST API. */
    revoke: (http, app, token) => endGrant(removeWebhooks(http, app, token)),
  },
  async listAccounts(http, app, token) {
    const keys = keysOf(token)
    const currency = await currencyOf(http, app, keys)
    const schema = z.looseObject({ name: text, timezone_string: text })
    const { name, timezone_string: timezone } = await callIndex(http, app, keys.shop, schema)
    return [{ id: keys.shop, name: name ?? keys.shop, kind: 'store', currency, timezone }]
  },
  sync: { page: syncPage },
  webhooks: {
    verify: verifyWebhook,
    map: mapWebhook,
    isPing,
    async readBack(session, resource, id) {
      if (resource !== 'order' || !/^\d+$/.test(id))
        throw new ProviderError('rejected', `No ${resource} can be read back`)
      const { http, app, token } = session
      const { data: order } = await callShop(http, app, keysOf(token), `/orders/${id}`, { schema: Order })
      const refunds = order.refunds.length === 0 ? [] : await refundsOf(session, id)
      return toRecords({ order, refunds })
    },
  },
}
