/**
 * Maps orders of WooCommerce's REST API to records. An order is an outcome (gross); the money received for it is a
 * payment; each refund is a separate record. WooCommerce's order attribution becomes a visit.
 */
import { z } from 'zod'
import { decimalMoney } from '../amounts.ts'
import { type PersonRecord, ProviderError, type SyncRecord } from '../connector.ts'
import {
  countryField,
  emptyPerson,
  readTrackingPairs,
  readTrackingUrl,
  readUtm,
  utmNames,
} from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type OutcomeRecord = Extract<SyncRecord, { type: 'outcome' }>
type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type VisitRecord = Extract<SyncRecord, { type: 'visit' }>

const instant = z.string().transform((value, context) => {
  const at = toInstant(value)
  if (at !== null) return at
  context.addIssue({ code: 'custom', message: 'not an instant' })
  return z.NEVER
})

const Address = z
  .looseObject({
    first_name: text,
    last_name: text,
    city: text,
    state: text,
    postcode: text,
    country: text,
    email: text,
    phone: text,
  })
  .nullish()

/** Plugins store values of any type; only strings and numbers are used. */
const MetaData = z
  .array(z.looseObject({ key: z.string(), value: z.unknown() }))
  .nullish()
  .transform((list) =>
    Object.fromEntries(
      (list ?? []).flatMap(({ key, value }) =>
        typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
      ),
    ),
  )

/** Fields ending in `_gmt` are UTC without a zone; the others are in the shop's time zone. */
const OrderFields = z.looseObject({
  id,
  status: z.string().min(1),
  currency: z.string().length(3),
  total: z.union([z.string(), z.number()]),
  date_created_gmt: instant,
  date_modified_gmt: text,
  date_paid_gmt: text,
  customer_id: maybeId,
  billing: Address,
  shipping: Address,
  meta_data: MetaData,
  refunds: z
    .array(z.looseObject({ id }))
    .nullish()
    .transform((list) => list ?? []),
})

export type Order = z.infer<typeof OrderFields> & { aside: Record<string, unknown> }

export const Order: z.ZodType<Order> = OrderFields.transform((order) => ({
  ...order,
  aside: fieldsAside(OrderFields, order),
}))

/** From the refunds list of an order, the only place with the time of a refund. */
export const Refund = z.looseObject({
  id,
  amount: z.union([z.string(), z.number()]),
  date_created_gmt: instant,
})
export type Refund = z.infer<typeof Refund>

/** An unfinished cart, not an order. */
const drafts = new Set(['checkout-draft', 'auto-draft', 'draft'])
/** Orders that were not placed or no longer exist. Custom statuses of a shop count as placed. */
const notPlaced = new Set(['pending', 'failed', 'cancelled', 'trash'])

function personOf(order: Order): PersonRecord {
  const billing = order.billing ?? null
  const shipping = order.shipping ?? null
  const address = billing?.country || billing?.postcode ? billing : (shipping ?? billing)
  return {
    ...emptyPerson(),
    ...readTrackingPairs(order.meta_data),
    // 0: a guest.
    contactId: order.customer_id === null || order.customer_id === '0' ? null : order.customer_id,
    email: billing?.email ?? null,
    phone: billing?.phone ?? shipping?.phone ?? null,
    ...countryField(address?.country),
    firstName: billing?.first_name ?? shipping?.first_name ?? null,
    lastName: billing?.last_name ?? shipping?.last_name ?? null,
    ...(address === null
      ? {}
      : { address: { city: address.city, region: address.state, postalCode: address.postcode } }),
  }
}

const prefix = '_wc_order_attribution_'
/** Source types of visits; `admin` and `mobile_app` are no visits. */
const visitTypes = new Set(['utm', 'organic', 'referral', 'typein'])

/** The session in which the order was placed, if WooCommerce recorded it. Values like `(none)` are empty. */
function visitOf(order: Order, person: PersonRecord): VisitRecord[] {
  const attribute = (name: string) => {
    const value = order.meta_data[`${prefix}${name}`]?.trim() ?? ''
    return value === '' || value.startsWith('(') ? null : value
  }
  const type = attribute('source_type')
  if (type === null || !visitTypes.has(type)) return []
  const landingPage = attribute('session_entry')
  const startedAt = toInstant(attribute('session_start_time'))
  const occurredAt =
    startedAt !== null && startedAt < order.date_created_gmt ? startedAt : order.date_created_gmt
  // For other types WooCommerce sets utm_source to the detected search engine or host.
  const tagged =
    type === 'utm'
      ? utmNames.flatMap((name) => {
          const value = attribute(`utm_${name}`)
          return value === null ? [] : [[name, value] as const]
        })
      : []
  const utm = { ...readUtm(landingPage), ...Object.fromEntries(tagged) }
  const { anonymousId: _, ...tracking } = readTrackingUrl(landingPage)
  return [
    {
      type: 'visit',
      externalId: order.id,
      occurredAt,
      reportedAt: order.date_created_gmt,
      landingPage,
      referrer: attribute('referrer'),
      person: {
        ...person,
        ...tracking,
        ...(Object.keys(utm).length === 0 ? {} : { utm }),
        visitedAt: occurredAt,
      },
    },
  ]
}

function paymentStatus(order: Order): PaymentRecord['status'] {
  if (order.date_paid_gmt !== null || order.status === 'completed' || order.status === 'refunded')
    return 'succeeded'
  return order.status === 'failed' || order.status === 'cancelled' || order.status === 'trash'
    ? 'failed'
    : 'pending'
}

export function toRecords({ order, refunds }: { order: Order; refunds: readonly Refund[] }): SyncRecord[] {
  if (drafts.has(order.status)) return []
  const total = decimalMoney(order.total, order.currency)
  if (total.amountMinor < 0) throw new ProviderError('malformed', 'The order has a negative total')
  const person = personOf(order)
  const placedAt = order.date_created_gmt
  const outcome: OutcomeRecord = {
    type: 'outcome',
    externalId: order.id,
    outcomeType: 'order_placed',
    occurredAt: placedAt,
    value: total,
    person,
    stageId: null,
    retracted: notPlaced.has(order.status),
    aside: order.aside,
  }
  const payment: PaymentRecord = {
    type: 'payment',
    externalId: order.id,
    occurredAt: placedAt,
    amount: total,
    status: paymentStatus(order),
    person,
    orderId: order.id,
  }
  const refundRecords = refunds
    .map((refund) => ({ refund, amount: decimalMoney(refund.amount, order.currency) }))
    .filter(({ amount }) => amount.amountMinor > 0)
    .map(
      ({ refund, amount }): SyncRecord => ({
        type: 'refund',
        externalId: refund.id,
        paymentExternalId: order.id,
        occurredAt: refund.date_created_gmt,
        amount,
        kind: 'refund',
      }),
    )
  const status: SyncRecord = {
    type: 'order_status',
    externalId: order.id,
    status: order.status,
    placedAt,
    occurredAt: toInstant(order.date_modified_gmt) ?? placedAt,
  }
  return [...visitOf(order, person), outcome, payment, ...refundRecords, status]
}
