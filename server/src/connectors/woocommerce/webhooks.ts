/**
 * Webhooks of a shop. WooCommerce has a secret per webhook; ours is derived from the registration's secret and the
 * shop's address, so that no shop can sign for another and no lookup is needed. The address is a parameter of
 * the delivery URL, because the header with the shop's address depends on a setting that the shop can change.
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { InboundWebhook, ProviderApp, TokenSet, WebhookAction } from '../connector.ts'
import { id, text } from '../reply-fields.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'
import { callShop, keysOf } from './calls.ts'
import { normaliseShopAddress } from './shop.ts'

/** There is no topic for refunds: a refund is an update of its order. */
const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored']

const webhookSecret = (app: ProviderApp, shop: string): string =>
  hmacSha256(app.clientSecret, `woocommerce webhook ${shop}`).toString('hex')

const shopOf = ({ query }: InboundWebhook): string | null => {
  const shop = query.shop ?? ''
  return shop !== '' && normaliseShopAddress(shop) === shop ? shop : null
}

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook): boolean {
  const shop = shopOf(webhook)
  if (shop === null || app.clientSecret === '') return false
  const signature = Buffer.from(webhook.headers['x-wc-webhook-signature'] ?? '', 'base64')
  return isSameDigest(hmacSha256(webhookSecret(app, shop), webhook.rawBody), signature)
}

/** A new webhook is tested with an unsigned form that contains only its id. */
export const isPing = ({ rawBody, headers }: InboundWebhook): boolean =>
  headers['x-wc-webhook-topic'] === undefined &&
  rawBody.length < 64 &&
  /^webhook_id=\d+$/.test(Buffer.from(rawBody).toString('utf8'))

/** Deliveries may be late, repeated or out of sequence, so the order is read back. */
export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const accountId = shopOf(webhook)
  const payload = z.looseObject({ id }).safeParse(readJsonBody(webhook.rawBody)).data
  const isOrder = topics.includes(webhook.headers['x-wc-webhook-topic'] ?? '')
  if (accountId === null || payload === undefined || !isOrder) return [{ type: 'ignored' }]
  return [{ type: 'read_back', accountId, resource: 'order', id: payload.id }]
}

const Webhook = z.looseObject({ id, topic: text, status: text, delivery_url: text })

/** The delivery URL; null if the keys may not create webhooks. */
const webhookUrlOf = ({ scopes, extra }: TokenSet): string | null =>
  scopes.includes('read_write') ? (extra.webhookUrl ?? null) : null

/**
 * Ensures one active webhook per topic. The shop disables a webhook after more than five consecutive failures; it
 * is replaced, which resets the count.
 */
export async function ensureWebhooks(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void> {
  const deliveryUrl = webhookUrlOf(token)
  if (deliveryUrl === null) return
  const keys = keysOf(token)
  const call = <T>(path: string, request: Parameters<typeof callShop<T>>[4]) =>
    callShop(http, app, keys, path, request)
  const { data } = await call('/webhooks', { query: { per_page: 100 }, schema: z.array(Webhook) })
  const ours = data.filter((webhook) => webhook.delivery_url === deliveryUrl)
  const ignored = z.unknown()
  for (const topic of topics) {
    const topicWebhooks = ours.filter((webhook) => webhook.topic === topic)
    if (topicWebhooks.some(({ status }) => status === 'active')) continue
    for (const webhook of topicWebhooks)
      await call(`/webhooks/${webhook.id}`, { method: 'DELETE', query: { force: 'true' }, schema: ignored })
    const secret = webhookSecret(app, keys.shop)
    const json = {
      name: `${app.clientId} ${topic}`,
      topic,
      delivery_url: deliveryUrl,
      secret,
      status: 'active',
    }
    await call('/webhooks', { method: 'POST', json, schema: ignored })
  }
}

export async function removeWebhooks(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void> {
  const deliveryUrl = webhookUrlOf(token)
  if (deliveryUrl === null) return
  const keys = keysOf(token)
  const list = { query: { per_page: 100 }, schema: z.array(Webhook) }
  const { data } = await callShop(http, app, keys, '/webhooks', list)
  for (const webhook of data.filter(({ delivery_url }) => delivery_url === deliveryUrl))
    await callShop(http, app, keys, `/webhooks/${webhook.id}`, {
      method: 'DELETE',
      query: { force: 'true' },
      schema: z.unknown(),
    })
}
