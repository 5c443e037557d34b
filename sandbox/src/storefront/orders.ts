/** Orders of the storefront sandbox, in their GraphQL and webhook formats. */
import { DAY_MS } from '../days.ts'
import { seededDigits } from '../seeded-random.ts'
import { type SandboxPayment, type SandboxPerson, sandboxPeople, worldCurrency } from '../world.ts'

export type SandboxOrder = {
  id: string
  placedAt: Date
  updatedAt: Date
  cancelledAt: Date | null
  amountMinor: number
  customer: { id: string; firstName: string; lastName: string; email: string; phone: string } | null
  email: string | null
  attributes: Record<string, string>
  landingSite: string | null
  refunds: { id: string; at: Date; amountMinor: number }[]
}

/** Time from the start of the visit to the order. */
const VISIT_BEFORE_ORDER_MS = 12 * 60_000
const FIRST_VISIT_BEFORE_MS = 3 * DAY_MS

const decimal = (amountMinor: number) => (amountMinor / 100).toFixed(2)
const moneySet = (amountMinor: number) => {
  const money = { amount: decimal(amountMinor), currencyCode: worldCurrency }
  return { shopMoney: money, presentmentMoney: money }
}
const iso = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, 'Z')

export class OrderBook {
  readonly #seed: string
  readonly #now: () => Date
  readonly #put = new Map<string, SandboxOrder>()

  constructor(seed: string, now: () => Date) {
    this.#seed = seed
    this.#now = now
  }

  /** Ordered by last change. */
  list(): SandboxOrder[] {
    const orders = new Map<string, SandboxOrder>()
    for (const person of sandboxPeople(this.#seed, this.#now())) {
      for (const payment of person.payments.filter(({ provider }) => provider === 'storefront')) {
        orders.set(payment.id, worldOrder(person, payment))
      }
    }
    for (const [id, order] of this.#put) orders.set(id, order)
    return [...orders.values()].sort(
      (a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || (a.id < b.id ? -1 : 1),
    )
  }

  find(id: string): SandboxOrder | null {
    return this.list().find((order) => order.id === id) ?? null
  }

  put(order: SandboxOrder): SandboxOrder {
    this.#put.set(order.id, order)
    return order
  }

  make(args: {
    serial: number
    amountMinor: number
    email: string | null
    anonymousId: string | null
    attributes: Record<string, string>
  }): SandboxOrder {
    const now = this.#now()
    return this.put({
      id: seededDigits(13, 'made order', now.getTime(), args.serial),
      placedAt: now,
      updatedAt: now,
      cancelledAt: null,
      amountMinor: args.amountMinor,
      customer: null,
      email: args.email,
      attributes: {
        ...args.attributes,
        ...(args.anonymousId && { whence_anonymous_id: args.anonymousId }),
      },
      landingSite: null,
      refunds: [],
    })
  }
}

function worldOrder(person: SandboxPerson, payment: SandboxPayment): SandboxOrder {
  const refund = payment.refund
  const click = person.click
  const query = click ? `?${new URLSearchParams({ [click.name]: click.value, ad_id: click.adId })}` : ''
  return {
    id: payment.id,
    placedAt: payment.at,
    updatedAt: refund?.at ?? payment.at,
    cancelledAt: null,
    amountMinor: payment.amountMinor,
    customer: {
      id: seededDigits(13, person.id, 'customer'),
      firstName: person.firstName,
      lastName: person.lastName,
      email: person.email,
      phone: person.phone,
    },
    email: person.email,
    attributes: { whence_anonymous_id: person.anonymousId },
    landingSite: `/collections/accessories${query}`,
    // A chargeback appears in a store as a refund by the payment provider.
    refunds: refund === null ? [] : [{ id: refund.id, at: refund.at, amountMinor: refund.amountMinor }],
  }
}

function financialStatus(order: SandboxOrder): string {
  const refundedMinor = order.refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (refundedMinor === 0) return 'paid'
  return refundedMinor >= order.amountMinor ? 'refunded' : 'partially_refunded'
}

export function orderNode(order: SandboxOrder, shop: string): Record<string, unknown> {
  return {
    id: `gid://shopify/Order/${order.id}`,
    legacyResourceId: order.id,
    name: `#${order.id.slice(-4)}`,
    createdAt: iso(order.placedAt),
    processedAt: iso(order.placedAt),
    updatedAt: iso(order.updatedAt),
    cancelledAt: order.cancelledAt === null ? null : iso(order.cancelledAt),
    test: false,
    currencyCode: worldCurrency,
    displayFinancialStatus: financialStatus(order).toUpperCase(),
    email: order.email,
    phone: null,
    billingAddress: { countryCodeV2: 'US' },
    totalPriceSet: moneySet(order.amountMinor),
    totalReceivedSet: moneySet(order.amountMinor),
    customAttributes: Object.entries(order.attributes).map(([key, value]) => ({ key, value })),
    customer: order.customer && {
      id: `gid://shopify/Customer/${order.customer.id}`,
      legacyResourceId: order.customer.id,
      firstName: order.customer.firstName,
      lastName: order.customer.lastName,
      defaultEmailAddress: { emailAddress: order.customer.email },
      defaultPhoneNumber: { phoneNumber: order.customer.phone },
    },
    customerJourneySummary: journeyOf(order, shop),
    refunds: order.refunds.map((refund) => ({
      id: `gid://shopify/Refund/${refund.id}`,
      legacyResourceId: refund.id,
      createdAt: iso(refund.at),
      updatedAt: iso(refund.at),
      totalRefundedSet: moneySet(refund.amountMinor),
    })),
  }
}

/** The visit of the order, and an organic visit some days earlier. */
function journeyOf(order: SandboxOrder, shop: string): Record<string, unknown> | null {
  if (order.landingSite === null) return null
  const last = {
    __typename: 'CustomerVisit',
    id: `gid://shopify/CustomerVisit/${seededDigits(13, order.id, 'last visit')}`,
    occurredAt: iso(new Date(order.placedAt.getTime() - VISIT_BEFORE_ORDER_MS)),
    landingPage: `https://${shop}${order.landingSite}`,
    referrerUrl: null,
    source: 'direct',
    utmParameters: null,
  }
  const first = {
    ...last,
    id: `gid://shopify/CustomerVisit/${seededDigits(13, order.id, 'first visit')}`,
    occurredAt: iso(new Date(order.placedAt.getTime() - FIRST_VISIT_BEFORE_MS)),
    landingPage: `https://${shop}/`,
    referrerUrl: 'https://www.google.com/',
    source: 'Google',
  }
  return {
    ready: true,
    firstVisit: first,
    lastVisit: last,
    moments: {
      edges: [],
      nodes: [first, last],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    },
  }
}

export function refundPayload(order: SandboxOrder, index: number): Record<string, unknown> {
  const refund = order.refunds[index]!
  return {
    id: Number(refund.id),
    order_id: Number(order.id),
    created_at: iso(refund.at),
    transactions: [
      { kind: 'refund', status: 'success', amount: decimal(refund.amountMinor), currency: worldCurrency },
    ],
  }
}

export function orderPayload(order: SandboxOrder): Record<string, unknown> {
  return {
    id: Number(order.id),
    name: `#${order.id.slice(-4)}`,
    created_at: iso(order.placedAt),
    processed_at: iso(order.placedAt),
    updated_at: iso(order.updatedAt),
    cancelled_at: order.cancelledAt === null ? null : iso(order.cancelledAt),
    test: false,
    financial_status: financialStatus(order),
    email: order.email,
    phone: null,
    billing_address: { country_code: 'US' },
    currency: worldCurrency,
    total_price: decimal(order.amountMinor),
    total_outstanding: '0.00',
    landing_site: order.landingSite,
    note_attributes: Object.entries(order.attributes).map(([name, value]) => ({ name, value })),
    customer: order.customer && {
      id: Number(order.customer.id),
      email: order.customer.email,
      phone: order.customer.phone,
      first_name: order.customer.firstName,
      last_name: order.customer.lastName,
    },
    refunds: order.refunds.map((_refund, index) => refundPayload(order, index)),
  }
}
