/**
 * Orders of the imitated shop in the format of `wc/v3/orders` (field names and formats: WooCommerce REST API
 * documentation, orders and refunds; order attribution: OrderAttributionMeta in WooCommerce's source; read 2026-11-17).
 */
import { DAY_MS } from '../days.ts'
import { seededHex, seededRandom } from '../seeded-random.ts'

type ShopRefund = { id: number; at: Date; amountMinor: number }
export type ShopOrder = {
  id: number
  status: string
  currency: string
  amountMinor: number
  createdAt: Date
  modifiedAt: Date
  paidAt: Date | null
  customerId: number
  email: string | null
  phone: string
  country: string
  meta: Record<string, unknown>
  refunds: ShopRefund[]
}

const names = ['Ines', 'Marek', 'Noor', 'Paulo', 'Runa', 'Theo', 'Vera', 'Wim']
const WORLD_DAYS = 120
const BEGINS = Date.parse('2025-01-01T00:00:00Z')
const gmt = (at: Date) => at.toISOString().slice(0, 19)
const decimal = (minor: number) => (minor / 100).toFixed(2)

/** One order a day, independent of the current time. */
function orderOfDay(seed: string, day: number): ShopOrder {
  const random = seededRandom(seed, 'woocommerce', day)
  const createdAt = new Date(BEGINS + day * DAY_MS + random.int(0, 80_000) * 1000)
  const amountMinor = random.int(1500, 10_500)
  const isGuest = random.chance(0.5)
  const name = random.pick(names)
  const key = seededHex(8, seed, 'woocommerce', day)
  const isRefunded = day % 6 === 0
  const refundedAt = new Date(createdAt.getTime() + 3_600_000)
  return {
    id: 1000 + day * 7,
    status: 'completed',
    currency: 'EUR',
    amountMinor,
    createdAt,
    modifiedAt: isRefunded ? refundedAt : createdAt,
    paidAt: createdAt,
    customerId: isGuest ? 0 : 500 + (day % 40),
    email: `${name.toLowerCase()}.${key}@shoppers.example`,
    phone: `611 ${String(100_000 + (day % 900_000)).slice(0, 3)} ${String(day).padStart(3, '0').slice(-3)}`,
    country: 'ES',
    meta: attribution(day, key, createdAt),
    refunds: isRefunded
      ? [{ id: 900_000 + day, at: refundedAt, amountMinor: Math.floor(amountMinor / 2) }]
      : [],
  }
}

function attribution(day: number, key: string, createdAt: Date): Record<string, unknown> {
  const sessionStart = gmt(new Date(createdAt.getTime() - 12 * 60_000)).replace('T', ' ')
  const common = {
    session_start_time: sessionStart,
    session_pages: '4',
    session_count: '1',
    user_agent: 'Mozilla/5.0',
  }
  const page = 'https://harbor.example/linen/'
  if (day % 3 === 0)
    return withPrefix({
      ...common,
      source_type: 'utm',
      referrer: 'https://l.facebook.com/',
      utm_source: 'facebook',
      utm_medium: 'paid',
      utm_campaign: 'spring',
      session_entry: `${page}?utm_source=facebook&utm_medium=paid&utm_campaign=spring&fbclid=IwAR${key}`,
    })
  if (day % 3 === 1)
    return withPrefix({
      ...common,
      source_type: 'organic',
      referrer: 'https://www.google.com/',
      utm_source: 'google',
      utm_medium: 'organic',
      utm_term: '(none)',
      session_entry: page,
    })
  return {}
}

const withPrefix = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`_wc_order_attribution_${name}`, value]))

export class ShopOrders {
  readonly #seed: string
  readonly #now: () => Date
  readonly #put = new Map<number, ShopOrder | null>()

  constructor(seed: string, now: () => Date) {
    this.#seed = seed
    this.#now = now
  }

  /** By id. */
  list(): ShopOrder[] {
    const today = Math.floor((this.#now().getTime() - BEGINS) / DAY_MS)
    const orders = new Map<number, ShopOrder | null>()
    for (let day = Math.max(0, today - WORLD_DAYS); day <= today; day++) {
      const order = orderOfDay(this.#seed, day)
      if (order.modifiedAt <= this.#now()) orders.set(order.id, order)
    }
    for (const [id, order] of this.#put) orders.set(id, order)
    return [...orders.values()].filter((order) => order !== null).sort((a, b) => a.id - b.id)
  }

  find(id: number): ShopOrder | undefined {
    return this.list().find((order) => order.id === id)
  }

  put(order: ShopOrder): ShopOrder {
    this.#put.set(order.id, order)
    return order
  }

  remove(id: number): void {
    this.#put.set(id, null)
  }

  nextId(): number {
    return (this.list().at(-1)?.id ?? 1000) + 1
  }
}

export function orderJson(order: ShopOrder): Record<string, unknown> {
  const person = { first_name: 'Ines', last_name: 'Prado', company: '' }
  const address = { address_1: 'Rúa Nova 1', address_2: '', city: 'Vigo', state: 'PO', postcode: '36201' }
  const billing = {
    ...person,
    ...address,
    country: order.country,
    email: order.email ?? '',
    phone: order.phone,
  }
  const { email: _, ...shipping } = billing
  return {
    id: order.id,
    parent_id: 0,
    number: String(order.id),
    order_key: `wc_order_${order.id}`,
    created_via: 'checkout',
    version: '10.7.0',
    status: order.status,
    currency: order.currency,
    date_created: gmt(new Date(order.createdAt.getTime() + 3_600_000)),
    date_created_gmt: gmt(order.createdAt),
    date_modified: gmt(new Date(order.modifiedAt.getTime() + 3_600_000)),
    date_modified_gmt: gmt(order.modifiedAt),
    discount_total: '0.00',
    total: decimal(order.amountMinor),
    total_tax: '0.00',
    customer_id: order.customerId,
    billing,
    shipping,
    payment_method: 'stripe',
    date_paid: order.paidAt === null ? null : gmt(new Date(order.paidAt.getTime() + 3_600_000)),
    date_paid_gmt: order.paidAt === null ? null : gmt(order.paidAt),
    meta_data: Object.entries(order.meta).map(([key, value], index) => ({ id: index + 1, key, value })),
    refunds: order.refunds.map(({ id, amountMinor }) => ({
      id,
      reason: '',
      total: `-${decimal(amountMinor)}`,
    })),
    currency_symbol: '€',
  }
}

export const refundJson = (refund: ShopRefund): Record<string, unknown> => ({
  id: refund.id,
  date_created: gmt(new Date(refund.at.getTime() + 3_600_000)),
  date_created_gmt: gmt(refund.at),
  amount: decimal(refund.amountMinor),
  reason: '',
  refunded_by: 1,
  refunded_payment: false,
  meta_data: [],
  line_items: [],
})
