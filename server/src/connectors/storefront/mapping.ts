/**
 * Storefront orders (Shopify's public API) to plain records. Lists come from the GraphQL Admin API,
 * webhooks carry the older REST shape; both become one `Order` first. An order is an outcome (gross);
 * the money received for it is a payment.
 */
import { z } from 'zod'
import { decimalToMinor } from '../amounts.ts'
import type { Money, PersonRecord, SyncRecord } from '../connector.ts'
import { emptyPerson, mergeTracking, readTrackingPairs, readTrackingUrl } from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>
type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type RefundRecord = Extract<SyncRecord, { type: 'refund' }>

const toMoney = (amount: string | number, currency: string): Money => ({
  amountMinor: decimalToMinor(amount, currency),
  currency: currency.toUpperCase(),
})

const decimal = z.union([z.string(), z.number()])

const MoneySet = z
  .looseObject({ shopMoney: z.looseObject({ amount: decimal, currencyCode: z.string() }) })
  .transform(({ shopMoney }) => toMoney(shopMoney.amount, shopMoney.currencyCode))

const Visit = z.looseObject({ landingPage: text, occurredAt: text }).nullish()

type Order = {
  id: string
  placedAt: string
  cancelled: boolean
  test: boolean
  financialStatus: string
  total: Money
  received: Money
  person: PersonRecord
  refunds: { id: string; at: string; amount: Money }[]
  aside: Record<string, unknown>
}

const instant = z.string().transform((value, context) => {
  const at = toInstant(value)
  if (at !== null) return at
  context.addIssue({ code: 'custom', message: 'not an instant' })
  return z.NEVER
})

/** As GraphQL answers. */
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
  customerJourneySummary: z.looseObject({ firstVisit: Visit, lastVisit: Visit }).nullish(),
  refunds: z
    .array(z.looseObject({ legacyResourceId: id, createdAt: instant, totalRefundedSet: MoneySet }))
    .nullish()
    .transform((list) => list ?? []),
})

export const OrderNode = OrderNodeFields.transform((node): Order => {
  const attributes = node.customAttributes.map(({ key, value }) => [key, value ?? ''] as const)
  const journey = node.customerJourneySummary
  const visits = [journey?.lastVisit, journey?.firstVisit].flatMap((visit) => visit ?? [])
  const pages = visits.map((visit) => visit.landingPage)
  return {
    id: node.legacyResourceId,
    placedAt: toInstant(node.processedAt) ?? node.createdAt,
    cancelled: node.cancelledAt !== null,
    test: node.test === true,
    financialStatus: (node.displayFinancialStatus ?? 'PENDING').toLowerCase(),
    total: node.totalPriceSet,
    received: node.totalReceivedSet,
    person: {
      ...emptyPerson(),
      ...readVisitor(Object.fromEntries(attributes), pages),
      visitedAt: visitTime(visits),
      contactId: node.customer?.legacyResourceId ?? null,
      email: node.email ?? node.customer?.defaultEmailAddress?.emailAddress ?? null,
      phone: node.phone ?? node.customer?.defaultPhoneNumber?.phoneNumber ?? null,
      firstName: node.customer?.firstName ?? null,
      lastName: node.customer?.lastName ?? null,
    },
    refunds: node.refunds.map((refund) => ({
      id: refund.legacyResourceId,
      at: refund.createdAt,
      amount: refund.totalRefundedSet,
    })),
    aside: fieldsAside(OrderNodeFields, node),
  }
})

/** Of the visit whose page names a click or an ad, else of the order's own. */
function visitTime(
  visits: readonly { landingPage: string | null; occurredAt: string | null }[],
): string | null {
  const named = visits.find(({ landingPage }) => {
    const { clickIds, ad } = readTrackingUrl(landingPage)
    return Object.keys(clickIds).length > 0 || ad.adId !== null
  })
  return toInstant((named ?? visits[0])?.occurredAt ?? null)
}

/** The order's own attributes come first: a theme or the tracker put them there on purpose. */
function readVisitor(attributes: Record<string, string>, pages: (string | null)[]) {
  return pages.reduce(
    (known, page) => mergeTracking(known, readTrackingUrl(page)),
    readTrackingPairs(attributes),
  )
}

const RefundPayload = z.looseObject({
  id,
  order_id: maybeId,
  created_at: instant,
  transactions: z
    .array(z.looseObject({ kind: text, status: text, amount: decimal, currency: text }))
    .nullish()
    .transform((list) => list ?? []),
})

/** What a refund gave back: its successful refund transactions, none for a mere restocking. */
function refundAmount(refund: z.infer<typeof RefundPayload>, currency: string | null): Money | null {
  const given = refund.transactions.filter(({ kind, status }) => kind === 'refund' && status === 'success')
  const code = given[0]?.currency ?? currency
  if (given.length === 0 || code === null) return null
  const amountMinor = given.reduce((sum, { amount }) => sum + decimalToMinor(amount, code), 0)
  return { amountMinor, currency: code.toUpperCase() }
}

/** As webhooks carry it. */
const OrderPayloadFields = z.looseObject({
  id,
  created_at: instant,
  processed_at: text,
  cancelled_at: text,
  test: flag,
  financial_status: text,
  email: text,
  phone: text,
  currency: z.string().length(3),
  total_price: decimal,
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
  const total = toMoney(payload.total_price, payload.currency)
  const owed = toMoney(payload.total_outstanding ?? 0, payload.currency)
  const status = payload.financial_status ?? 'pending'
  const attributes = payload.note_attributes.map(({ name, value }) => [name, String(value ?? '')] as const)
  const partly = status === 'partially_paid'
  return {
    id: payload.id,
    placedAt: toInstant(payload.processed_at) ?? payload.created_at,
    cancelled: payload.cancelled_at !== null,
    test: payload.test === true,
    financialStatus: status,
    total,
    received: partly ? { ...total, amountMinor: total.amountMinor - owed.amountMinor } : total,
    person: {
      ...emptyPerson(),
      ...readVisitor(Object.fromEntries(attributes), [payload.landing_site]),
      contactId: payload.customer?.id ?? null,
      email: payload.email ?? payload.customer?.email ?? null,
      phone: payload.phone ?? payload.customer?.phone ?? null,
      firstName: payload.customer?.first_name ?? null,
      lastName: payload.customer?.last_name ?? null,
    },
    refunds: payload.refunds.flatMap((refund) => {
      const amount = refundAmount(refund, payload.currency)
      return amount === null ? [] : [{ id: refund.id, at: refund.created_at, amount }]
    }),
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

/** Test orders are nobody's sale. */
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
  return [toOutcome(order), toPayment(order), ...refunds]
}

/** A refund that came by itself. */
export function toRefundRecord(payload: unknown): RefundRecord | null {
  const refund = RefundPayload.parse(payload)
  const amount = refundAmount(refund, null)
  if (refund.order_id === null || amount === null || amount.amountMinor === 0) return null
  return {
    type: 'refund',
    externalId: refund.id,
    paymentExternalId: refund.order_id,
    occurredAt: refund.created_at,
    amount,
    kind: 'refund',
  }
}
