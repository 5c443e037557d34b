/** Signatures of storefront: over the callback's query (hex) and the raw bytes of webhooks (base64), both with the app's secret. */
import { z } from 'zod'
import type {
  CallbackQuery,
  InboundWebhook,
  PrivacyRequest,
  ProviderApp,
  WebhookAction,
} from '../connector.ts'
import { maybeId, text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'
import { toInstant } from '../window.ts'
import { OrderPayload, refundedOrder, toRecords } from './mapping.ts'
import { normaliseShop } from './shop.ts'

/** Sorted pairs without the signature. Values are signed unencoded, or percent-encoded by newer senders. */
export function signedQueries(query: CallbackQuery): string[] {
  const pairs = Object.entries(query)
    .filter(([name]) => name !== 'hmac' && name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const plain = pairs.map(
    ([name, value]) => `${escapePart(name).replaceAll('=', '%3D')}=${escapePart(value)}`,
  )
  return [plain.join('&'), new URLSearchParams(pairs).toString()]
}

const escapePart = (part: string) => part.replaceAll('%', '%25').replaceAll('&', '%26')

export function verifyCallback(app: ProviderApp, query: CallbackQuery): boolean {
  // Node's hex decoder ignores everything after the last digit, so one signature would have many spellings.
  if (app.clientSecret === '' || !/^[0-9a-f]{64}$/i.test(query.hmac ?? '')) return false
  if (query.shop === undefined || normaliseShop(query.shop) !== query.shop) return false
  const signature = Buffer.from(query.hmac!, 'hex')
  return signedQueries(query).some((line) => isSameDigest(hmacSha256(app.clientSecret, line), signature))
}

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook): boolean {
  // A manually connected store signs with its own secret.
  const secret = app.extra.webhookSecret ?? app.clientSecret
  const signature = Buffer.from(webhook.headers['x-shopify-hmac-sha256'] ?? '', 'base64')
  return secret !== '' && isSameDigest(hmacSha256(secret, webhook.rawBody), signature)
}

const ProductPayload = z.looseObject({ id: maybeId, updated_at: text })

function productChange(
  accountId: string,
  change: 'created' | 'updated' | 'deleted',
  payload: unknown,
): WebhookAction[] {
  const { id: externalId, updated_at: updatedAt } = ProductPayload.parse(payload)
  if (externalId === null) return [{ type: 'ignored' }]
  const changedAt = toInstant(updatedAt)
  return [
    { type: 'records', accountId, records: [{ type: 'product_change', externalId, change, changedAt }] },
  ]
}

const ShopPayload = z.looseObject({ myshopify_domain: text })

export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const accountId = normaliseShop(webhook.headers['x-shopify-shop-domain'] ?? '')
  if (accountId === null) return [{ type: 'ignored' }]
  const payload = readJsonBody(webhook.rawBody)
  if (payload === undefined) return [{ type: 'ignored' }]
  switch (webhook.headers['x-shopify-topic']) {
    case 'orders/create':
    case 'orders/updated':
    case 'orders/paid':
    case 'orders/cancelled':
      return [{ type: 'records', accountId, records: toRecords(OrderPayload.parse(payload)) }]
    case 'refunds/create': {
      // Transactions may be in the buyer's currency; stores without a token get the refund by orders/updated.
      const id = refundedOrder(payload)
      return id === null ? [{ type: 'ignored' }] : [{ type: 'read_back', accountId, resource: 'order', id }]
    }
    case 'products/create':
      return productChange(accountId, 'created', payload)
    case 'products/update':
      return productChange(accountId, 'updated', payload)
    case 'products/delete':
      return productChange(accountId, 'deleted', payload)
    case 'app/uninstalled': {
      // The body is signed and the header is not, so the store is taken from the body.
      const signed = normaliseShop(ShopPayload.parse(payload).myshopify_domain ?? '')
      return signed === null ? [{ type: 'ignored' }] : [{ type: 'uninstalled', accountId: signed }]
    }
    default:
      return [{ type: 'ignored' }]
  }
}

const PrivacyPayload = z.looseObject({
  shop_domain: text,
  customer: z.looseObject({ id: maybeId, email: text, phone: text }).nullish(),
})

/**
 * The three webhooks that the platform requires of listed apps
 * (https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance, read 2026-11-16).
 */
export function readPrivacyRequest(webhook: InboundWebhook): PrivacyRequest | null {
  const payload = PrivacyPayload.safeParse(readJsonBody(webhook.rawBody)).data
  const accountId = normaliseShop(payload?.shop_domain ?? '')
  if (payload === undefined || accountId === null) return null
  const { id: contactId = null, email = null, phone = null } = payload.customer ?? {}
  const person = { contactId, email, phone }
  switch (webhook.headers['x-shopify-topic']) {
    case 'customers/data_request':
      return { type: 'data_request', accountId, person }
    case 'customers/redact':
      return { type: 'customer_redact', accountId, person }
    case 'shop/redact':
      return { type: 'shop_redact', accountId, person: null }
    default:
      return null
  }
}
