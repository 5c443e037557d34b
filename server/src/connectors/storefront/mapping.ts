/**
 * Maps storefront orders (Shopify's public API) to records. Lists come from the GraphQL Admin API,
 * webhooks have the older REST format; both are first parsed to an `Order`. An order is an outcome (gross);
 * the money received for it is a payment.
 */
import { z } from 'zod'
import { decimalMoney, decimalToMinor } from '../amounts.ts'
import type { Money, PersonRecord, SyncRecord } from '../connector.ts'
import {
  countryField,
  emptyPerson,
  mergeTracking,
  readTrackingPairs,
  readTrackingUrl,
  readUtm,
  utmNames,
} from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>
type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type RefundRecord = Extract<SyncRecord, { type: 'refund' }>
type VisitRecord = Extract<SyncRecord, { type: 'visit' }>

const decimal = z.union([z.string(), z.number()])

const MoneySet = z
  .looseObject({ shopMoney: z.looseObject({ amount: decimal, currencyCode: z.string() }) })
  .transform(({ shopMoney }) => decimalMoney(shopMoney.amount, shopMoney.currencyCode))

const Visit = z.looseObject({
  id: text,
  occurredAt: text,
  landingPage: text,
  referrerUrl: text,
  utmParameters: z
    .looseObject({ source: text, medium: text, campaign: text, content: text, term: text })
    .nullish(),
})
type Visit = z.infer<typeof Visit>

export type Order = {
  id: string
  placedAt: string
  updatedAt: string
  cancelled: boolean
  test: boolean
  financialStatus: string
  total: Money
  received: Money
  person: PersonRecord
  refunds: { id: string; at: string; amount: Money }[]
  /** Only in lists; a webhook contains only the buyer's landing page. */
  visits: Visit[]
  aside: Record<string, unknown>
}

const instant = z.string().transform((value, context) => {
  const at = toInstant(value)
  if (at !== null) return at
  context.addIssue({ code: 'custom', message: 'not an instant' })
  return z.NEVER
})

/** The GraphQL format. */
const OrderNodeFields = z.looseObject({
  legacyResourceId: id,
  createdAt: instant,
  processedAt: text,
  updatedAt: text,
  cancelledAt: text,
  test: flag,
  displayFinancialStatus: text,
  email: text,
  phone: text,
  billingAddress: z.looseObject({ countryCodeV2: text }).nullish(),
  totalPriceSet: MoneySet,
  totalReceivedSet: MoneySet,
  customAttributes: z
    .array(z.looseObject({ key: z.string(), value: text }))
    .nullish()
    .transform((list) => list ?? []),
  customer: z
    .looseObject({
      legacyResourceId: maybeId,
      firstName: text,
      lastName: text,
      defaultEmailAddress: z.looseObject({ emailAddress: text }).nullish(),
      defaultPhoneNumber: z.looseObject({ phoneNumber: text }).nullish(),
    })
    .nullish(),
  customerJourneySummary: z
    .looseObject({
      firstVisit: Visit.nullish(),
      lastVisit: Visit.nullish(),
      // A moment that is not a visit has no id.
      moments: z.looseObject({ nodes: z.array(Visit) }).nullish(),
    })
    .nullish(),
  refunds: z
    .array(z.looseObject({ legacyResourceId: id, createdAt: text, totalRefundedSet: MoneySet }))
    .nullish()
    .transform((list) => list ?? []),
})

export const OrderNode = OrderNodeFields.transform((node): Order => {
  const attributes = node.customAttributes.map(({ key, value }) => [key, value ?? ''] as const)
  return {
    id: node.legacyResourceId,
    placedAt: toInstant(node.processedAt) ?? node.createdAt,
    updatedAt: toInstant(node.updatedAt) ?? node.createdAt,
    cancelled: node.cancelledAt !== null,
    test: node.test === true,
    financialStatus: (node.displayFinancialStatus ?? 'PENDING').toLowerCase(),
    total: node.totalPriceSet,
    received: node.totalReceivedSet,
    person: {
      ...emptyPerson(),
      // Without landing pages: the visits are separate touches.
      ...readTrackingPairs(Object.fromEntries(attributes)),
      contactId: node.customer?.legacyResourceId ?? null,
      email: node.email ?? node.customer?.defaultEmailAddress?.emailAddress ?? null,
      phone: node.phone ?? node.customer?.defaultPhoneNumber?.phoneNumber ?? null,
      ...countryField(node.billingAddress?.countryCodeV2),
      firstName: node.customer?.firstName ?? null,
      lastName: node.customer?.lastName ?? null,
    },
    refunds: node.refunds.map((refund) => ({
      id: refund.legacyResourceId,
      at: toInstant(refund.createdAt) ?? toInstant(node.updatedAt) ?? node.createdAt,
      amount: refund.totalRefundedSet,
    })),
    visits: visitsOf(node.customerJourneySummary),
    aside: fieldsAside(OrderNodeFields, node),
  }
})

type Journey = z.infer<typeof OrderNodeFields>['customerJourneySummary']

/** Each visit once: first and last visit also occur among the moments, if these are returned. */
function visitsOf(journey: Journey): Visit[] {
  const all = [journey?.firstVisit, ...(journey?.moments?.nodes ?? []), journey?.lastVisit]
  const entries = all.flatMap((visit) => (visit?.id == null ? [] : [[visit.id, visit] as const]))
  return [...new Map(entries).values()]
}

function toVisit(order: Order, visit: Visit): VisitRecord[] {
  const occurredAt = toInstant(visit.occurredAt)
  if (occurredAt === null) return []
  const parameters = visit.utmParameters ?? {}
  const utm = {
    ...readUtm(visit.landingPage),
    ...Object.fromEntries(
      utmNames.flatMap((name) => {
        const value = parameters[name as keyof typeof parameters]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
  }
  const { anonymousId: _, ...tracking } = readTrackingUrl(visit.landingPage)
  return [
    {
      type: 'visit',
      // A visit before two orders is reported by both; the touches of one click are deduplicated later.
      externalId: `${order.id}:${visit.id!.split('/').at(-1)}`,
      occurredAt,
      reportedAt: order.placedAt,
      landingPage: visit.landingPage,
      referrer: visit.referrerUrl,
      person: {
        ...order.person,
        ...tracking,
        ...(Object.keys(utm).length === 0 ? {} : { utm }),
        visitedAt: occurredAt,
      },
    },
  ]
}

/** Order attributes take precedence, because a theme or the tracker set them deliberately. */
function readVisitor(attributes: Record<string, string>, pages: (string | null)[]) {
  return pages.reduce(
    (tracking, page) => mergeTracking(tracking, readTrackingUrl(page)),
    readTrackingPairs(attributes),
  )
}

/** An amount in both currencies, in newer parts of webhooks. */
const PayloadSet = z
  .looseObject({
    shop_money: z.looseObject({ amount: decimal, currency_code: z.string() }),
    presentment_money: z.looseObject({ amount: decimal, currency_code: z.string() }).nullish(),
  })
  .nullish()

const RefundPayload = z.looseObject({
  id,
  order_id: maybeId,
  created_at: instant,
  transactions: z
    .array(z.looseObject({ kind: text, status: text, amount: decimal, currency: text }))
    .nullish()
    .transform((list) => list ?? []),
})
type RefundPayload = z.infer<typeof RefundPayload>

/** The same amount in the store's and the buyer's currency, for conversion. */
type Rate = { shop: Money; buyer: Money }

function rateOf(set: z.infer<typeof PayloadSet>): Rate | null {
  if (!set?.presentment_money) return null
  return {
    shop: decimalMoney(set.shop_money.amount, set.shop_money.currency_code),
    buyer: decimalMoney(set.presentment_money.amount, set.presentment_money.currency_code),
  }
}

/**
 * The refunded amount in the store's currency: the successful refund transactions, none for a mere
 * restocking. They are in the buyer's currency if the store sells in several; the order's two
 * totals are used for conversion. Null if the amount cannot be determined.
 */
function refundAmount(refund: RefundPayload, currency: string, rate: Rate | null): Money | null {
  const successful = refund.transactions.filter(
    ({ kind, status }) => kind === 'refund' && status === 'success',
  )
  if (successful.length === 0) return null
  const paid = (successful[0]!.currency ?? currency).toUpperCase()
  const amountMinor = successful.reduce((sum, { amount }) => sum + decimalToMinor(amount, paid), 0)
  if (paid === currency.toUpperCase()) return { amountMinor, currency: paid }
  if (rate === null || rate.buyer.currency !== paid || rate.buyer.amountMinor === 0) return null
  const { shop, buyer } = rate
  const scaled =
    (BigInt(amountMinor) * BigInt(shop.amountMinor) * 2n + BigInt(buyer.amountMinor)) /
    (BigInt(buyer.amountMinor) * 2n)
  return { amountMinor: Number(scaled), currency: shop.currency }
}

/** The webhook format. */
const OrderPayloadFields = z.looseObject({
  id,
  created_at: instant,
  processed_at: text,
  updated_at: text,
  cancelled_at: text,
  test: flag,
  financial_status: text,
  email: text,
  phone: text,
  billing_address: z.looseObject({ country_code: text }).nullish(),
  currency: z.string().length(3),
  total_price: decimal,
  total_price_set: PayloadSet,
  total_outstanding: decimal.nullish(),
  landing_site: text,
  note_attributes: z
    .array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]).nullish() }))
    .nullish()
    .transform((list) => list ?? []),
  customer: z
    .looseObject({ id: maybeId, email: text, phone: text, first_name: text, last_name: text })
    .nullish(),
  refunds: z
    .array(RefundPayload)
    .nullish()
    .transform((list) => list ?? []),
})

export const OrderPayload = OrderPayloadFields.transform((payload): Order => {
  const total = decimalMoney(payload.total_price, payload.currency)
  const outstanding = decimalMoney(payload.total_outstanding ?? 0, payload.currency)
  const status = payload.financial_status ?? 'pending'
  const attributes = payload.note_attributes.map(({ name, value }) => [name, String(value ?? '')] as const)
  const partly = status === 'partially_paid'
  return {
    id: payload.id,
    placedAt: toInstant(payload.processed_at) ?? payload.created_at,
    updatedAt: toInstant(payload.updated_at) ?? payload.created_at,
    cancelled: payload.cancelled_at !== null,
    test: payload.test === true,
    financialStatus: status,
    total,
    received: partly ? { ...total, amountMinor: total.amountMinor - outstanding.amountMinor } : total,
    person: {
      ...emptyPerson(),
      ...readVisitor(Object.fromEntries(attributes), [payload.landing_site]),
      contactId: payload.customer?.id ?? null,
      email: payload.email ?? payload.customer?.email ?? null,
      phone: payload.phone ?? payload.customer?.phone ?? null,
      ...countryField(payload.billing_address?.country_code),
      firstName: payload.customer?.first_name ?? null,
      lastName: payload.customer?.last_name ?? null,
    },
    refunds: payload.refunds.flatMap((refund) => {
      const amount = refundAmount(refund, payload.currency, rateOf(payload.total_price_set))
      return amount === null ? [] : [{ id: refund.id, at: refund.created_at, amount }]
    }),
    visits: [],
    aside: fieldsAside(OrderPayloadFields, payload),
  }
})

const paidStatuses = new Set(['paid', 'partially_paid', 'partially_refunded', 'refunded'])
const openStatuses = new Set(['pending', 'authorized'])

function toOutcome(order: Order): OutcomeRecord {
  return {
    type: 'outcome',
    externalId: order.id,
    outcomeType: 'order_placed',
    occurredAt: order.placedAt,
    value: order.total,
    person: order.person,
    stageId: null,
    retracted: order.cancelled,
    aside: order.aside,
  }
}

function toPayment(order: Order): PaymentRecord {
  const paid = paidStatuses.has(order.financialStatus)
  return {
    type: 'payment',
    externalId: order.id,
    occurredAt: order.placedAt,
    amount: paid ? order.received : order.total,
    status: paid ? 'succeeded' : openStatuses.has(order.financialStatus) ? 'pending' : 'failed',
    person: order.person,
    orderId: order.id,
  }
}

/** A cancelled order keeps its payment status in the store, but is reported as cancelled. */
const toOrderStatus = (order: Order): SyncRecord => ({
  type: 'order_status',
  externalId: order.id,
  status: order.cancelled ? 'cancelled' : order.financialStatus,
  placedAt: order.placedAt,
  occurredAt: order.updatedAt,
})

/** Test orders are ignored. */
export function toRecords(order: Order): SyncRecord[] {
  if (order.test) return []
  const refunds = order.refunds
    .filter(({ amount }) => amount.amountMinor !== 0)
    .map(
      (refund): RefundRecord => ({
        type: 'refund',
        externalId: refund.id,
        paymentExternalId: order.id,
        occurredAt: refund.at,
        amount: refund.amount,
        kind: 'refund',
      }),
    )
  const visits = order.visits.flatMap((visit) => toVisit(order, visit))
  return [...visits, toOutcome(order), toPayment(order), ...refunds, toOrderStatus(order)]
}

/** The order of a refund webhook, which lacks the store's currency, so the order is read. */
export const refundedOrder = (payload: unknown): string | null => RefundPayload.parse(payload).order_id
