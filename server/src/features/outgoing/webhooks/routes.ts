import { toPage } from '../../../platform/contract/page.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { bind, JsonText, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as deliveries from './deliveries.ts'
import {
  type DeliverySummary,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  type SubscriptionRow,
} from './queries.ts'
import { listRecordedOutcomes, readCursor, readDeliveryCursor } from './replay/replay.ts'
import { deliveryWarnings, describeReason } from './rules.ts'
import * as subscriptions from './subscriptions.ts'

const stillAhead = (date: Date | null, now: Date) => (date !== null && date > now ? date : null)

const toSubscription = (row: SubscriptionRow, now: Date) =>
  toReply(contract.Subscription, row, {
    status_reason: describeReason(row.status_reason),
    previous_secret_expires_at: stillAhead(row.previous_secret_expires_at, now),
    warnings: deliveryWarnings(row),
  })

const toDelivery = (row: DeliverySummary) =>
  toReply(contract.Delivery, row, { status_reason: describeReason(row.status_reason) })

export const webhookRoutes: readonly Route[] = [
  route(contract.listWebhookSubscriptions, async (context) => ({
    data: (await listWebhookSubscriptions(context.db, subscriptions.ownerOf(context))).map((row) =>
      toSubscription(row, context.now),
    ),
  })),
  route(
    contract.createWebhookSubscription,
    async (context, { body }) => {
      const { row, secret } = await subscriptions.createWebhookSubscription(context, body)
      return { data: { ...toSubscription(row, context.now), secret } }
    },
    ({ body }, context) => subscriptions.checkUrl(context, body.url),
  ),
  route(
    contract.updateWebhookSubscription,
    async (context, { params, body }) => {
      const row = await subscriptions.updateWebhookSubscription(context, params.id, body)
      return { data: toSubscription(row, context.now) }
    },
    ({ body }, context) => body.url !== undefined && subscriptions.checkUrl(context, body.url),
  ),
  ...bind(contract, { deleteWebhookSubscription: subscriptions.deleteWebhookSubscription }),
  route(contract.rotateWebhookSecret, async (context, { params, body }) => {
    const { row, secret } = await subscriptions.rotateWebhookSecret(context, params.id, body.grace_days)
    return { data: { ...toSubscription(row, context.now), secret } }
  }),
  ...bind(contract, { testWebhookSubscription: deliveries.testWebhookSubscription }),
  route(
    contract.recoverWebhookEvents,
    async (context, { params, body }) => ({
      data: await deliveries.recoverWebhookEvents(context, params.id, new Date(body.since)),
    }),
    ({ body }, { now }) => deliveries.checkSince(new Date(body.since), now),
  ),
  route(
    contract.listWebhookDeliveries,
    async (context, { query }) => {
      const rows = await listWebhookDeliveries(context.db, {
        ...subscriptions.ownerOf(context),
        subscriptionId: query.subscription_id ?? null,
        status: query.status ?? null,
        before: readDeliveryCursor(query.cursor),
        limit: query.limit + 1,
      })
      const page = toPage(rows, query.limit, (row) => [row.id])
      return {
        data: page.rows.map(toDelivery),
        extra: { pagination: page.pagination },
      }
    },
    ({ query }) => readDeliveryCursor(query.cursor),
  ),
  route(contract.getWebhookDelivery, async (context, { params }) => {
    const row = await deliveries.getWebhookDelivery(context, params.id)
    return {
      data: {
        ...toDelivery(row),
        attempts: row.attempts as deliveries.AttemptEntry[],
        payload: JSON.parse(row.payload) as Record<string, unknown>,
      },
    }
  }),
  ...bind(contract, { replayWebhookDelivery: deliveries.replayWebhookDelivery }),
  route(
    contract.listRecordedOutcomes,
    async (context, { query }) => {
      const { outcomes, pagination } = await listRecordedOutcomes(context, query)
      return { data: new JsonText(outcomes), extra: { pagination } }
    },
    ({ query }) => readCursor(null, query.cursor),
  ),
]
