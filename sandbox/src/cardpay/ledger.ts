/** Objects of the cardpay sandbox in the provider's own form: those of the world, and those that actions added. */
import { seededHex } from '../seeded-random.ts'
import { type SandboxPayment, type SandboxPerson, sandboxPeople } from '../world.ts'

export type Json = Record<string, unknown>
export type Item = Json & { id: string; created: number }
export type Kind = 'charges' | 'checkout_sessions' | 'refunds' | 'disputes'

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Shelves = Record<Kind, Map<string, Item>>
const emptyShelves = (): Shelves => ({
  charges: new Map(),
  checkout_sessions: new Map(),
  refunds: new Map(),
  disputes: new Map(),
})

export class Ledger {
  readonly #seed: string
  readonly #now: () => Date
  readonly #added = emptyShelves()
  /** The world as of one second, cached because building it for every item of a page would be slow. */
  #world: { second: number; shelves: Shelves } | null = null

  constructor(seed: string, now: () => Date) {
    this.#seed = seed
    this.#now = now
  }

  put(kind: Kind, item: Item): Item {
    this.#added[kind].set(item.id, item)
    return item
  }

  /** Newest first, as the provider lists. */
  list(kind: Kind): Item[] {
    const items = new Map([...this.#shelves()[kind], ...this.#added[kind]])
    return [...items.values()].sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
  }

  find(kind: Kind, id: string): Item | null {
    return this.#added[kind].get(id) ?? this.#shelves()[kind].get(id) ?? null
  }

  #shelves(): Shelves {
    const second = Math.floor(this.#now().getTime() / 1000)
    if (this.#world?.second === second) return this.#world.shelves
    const shelves = emptyShelves()
    for (const person of sandboxPeople(this.#seed, new Date(second * 1000))) {
      for (const payment of person.payments.filter(({ provider }) => provider === 'cardpay')) {
        for (const kind of Object.keys(shelves) as Kind[]) {
          for (const item of worldItems(kind, person, payment)) shelves[kind].set(item.id, item)
        }
      }
    }
    this.#world = { second, shelves }
    return shelves
  }
}

function worldItems(kind: Kind, person: SandboxPerson, payment: SandboxPayment): Item[] {
  switch (kind) {
    case 'charges':
      return [worldCharge(person, payment)]
    case 'checkout_sessions':
      return person.kind === 'shopper' ? [worldSession(person, payment)] : []
    case 'refunds':
      return payment.refund?.kind === 'refund' ? [worldRefund(payment)] : []
    case 'disputes':
      return payment.refund?.kind === 'dispute' ? [worldDispute(payment)] : []
  }
}

function worldCharge(person: SandboxPerson, payment: SandboxPayment): Item {
  const succeeded = payment.status === 'succeeded'
  return {
    id: `ch_${payment.id}`,
    object: 'charge',
    amount: payment.amountMinor,
    amount_captured: succeeded ? payment.amountMinor : 0,
    amount_refunded: payment.refund?.kind === 'refund' ? payment.refund.amountMinor : 0,
    currency: payment.currency.toLowerCase(),
    created: seconds(payment.at),
    status: payment.status,
    captured: succeeded,
    disputed: payment.refund?.kind === 'dispute',
    paid: succeeded,
    description: payment.description,
    customer: `cus_${person.id.slice(0, 14)}`,
    payment_intent: `pi_${payment.id}`,
    receipt_email: person.email,
    billing_details: {
      email: person.email,
      phone: person.phone,
      name: `${person.firstName} ${person.lastName}`,
      address: { country: 'US', postal_code: null },
    },
    metadata: { order_id: `D-${payment.id.slice(-6)}` },
    livemode: false,
  }
}

function worldSession(person: SandboxPerson, payment: SandboxPayment): Item {
  return {
    id: `cs_${payment.id}`,
    object: 'checkout.session',
    created: seconds(payment.at) - 60,
    status: 'complete',
    payment_status: payment.status === 'succeeded' ? 'paid' : 'unpaid',
    client_reference_id: person.anonymousId,
    customer_details: {
      email: person.email,
      phone: person.phone,
      name: `${person.firstName} ${person.lastName}`,
    },
    customer: `cus_${person.id.slice(0, 14)}`,
    metadata: person.click ? { [person.click.name]: person.click.value, ad_id: person.click.adId } : {},
    // Every fourth checkout begins a subscription.
    ...paidThrough('0123'.includes(payment.id.at(-1)!), payment.id),
    amount_total: payment.amountMinor,
    currency: payment.currency.toLowerCase(),
  }
}

/** A session's reference to its payment: direct, or through the first invoice of its subscription. */
export function paidThrough(subscription: boolean, id: string): Json {
  return subscription
    ? { mode: 'subscription', payment_intent: null, invoice: `in_${id}`, subscription: `sub_${id}` }
    : { mode: 'payment', payment_intent: `pi_${id}`, invoice: null, subscription: null }
}

/** The first invoice of a trial has the amount 0 and no payment. */
export function invoiceOf(session: Item, isPaid: boolean): Json {
  const invoice = String(session.invoice)
  const intent = invoice.replace('in_', 'pi_')
  const payment = {
    id: invoice.replace('in_', 'inpay_'),
    object: 'invoice_payment',
    invoice,
    is_default: true,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: intent },
  }
  const data = isPaid ? [payment] : []
  return { id: invoice, object: 'invoice', payments: { object: 'list', data, has_more: false } }
}

function worldRefund(payment: SandboxPayment): Item {
  const refund = payment.refund!
  return {
    id: `re_${refund.id}`,
    object: 'refund',
    amount: refund.amountMinor,
    currency: payment.currency.toLowerCase(),
    created: seconds(refund.at),
    charge: `ch_${payment.id}`,
    payment_intent: `pi_${payment.id}`,
    reason: 'requested_by_customer',
    status: 'succeeded',
  }
}

function worldDispute(payment: SandboxPayment): Item {
  const dispute = payment.refund!
  return {
    id: `dp_${dispute.id}`,
    object: 'dispute',
    amount: dispute.amountMinor,
    currency: payment.currency.toLowerCase(),
    created: seconds(dispute.at),
    charge: `ch_${payment.id}`,
    payment_intent: `pi_${payment.id}`,
    reason: 'product_not_received',
    status: 'lost',
  }
}

/** A new charge, created by a test or the demo. */
export function createCharge(args: {
  now: Date
  serial: number
  amount: number
  currency: string
  email: string | null
  orderId: string | null
  /** A subscription always has a customer, a single payment may be from a guest. */
  hasCustomer: boolean
}): Item {
  const id = seededHex(24, 'made charge', args.now.getTime(), args.serial)
  return {
    id: `ch_${id}`,
    object: 'charge',
    amount: args.amount,
    amount_captured: args.amount,
    amount_refunded: 0,
    currency: args.currency.toLowerCase(),
    created: seconds(args.now),
    status: 'succeeded',
    captured: true,
    disputed: false,
    paid: true,
    customer: args.hasCustomer ? `cus_${id.slice(0, 14)}` : null,
    payment_intent: `pi_${id}`,
    billing_details: { email: args.email, phone: null, name: null },
    metadata: args.orderId === null ? {} : { order_id: args.orderId },
    livemode: false,
  }
}
