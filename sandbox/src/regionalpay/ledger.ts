/** Payments of the regionalpay sandbox in the provider's own form. */
import { seededDigits, seededHex } from '../seeded-random.ts'
import { type SandboxPayment, type SandboxPerson, sandboxPeople, worldCurrency } from '../world.ts'

export type SandboxMpPayment = {
  id: number
  date_created: string
  date_last_updated: string
  transaction_amount: number
  transaction_amount_refunded: number
  refunds: Record<string, unknown>[]
} & Record<string, unknown>

/** Times have the offset of the provider's own zone. */
export const wireTime = (at: Date): string =>
  `${new Date(at.getTime() - 4 * 3_600_000).toISOString().slice(0, -1)}-04:00`

const decimal = (amountMinor: number): number => Number((amountMinor / 100).toFixed(2))

export class PaymentLedger {
  readonly #seed: string
  readonly #collectorId: string
  readonly #now: () => Date
  readonly #put = new Map<number, SandboxMpPayment>()
  readonly #orders = new Map<string, Record<string, unknown>>()

  constructor(seed: string, collectorId: string, now: () => Date) {
    this.#seed = seed
    this.#collectorId = collectorId
    this.#now = now
  }

  list(): SandboxMpPayment[] {
    const all = new Map<number, SandboxMpPayment>()
    for (const person of sandboxPeople(this.#seed, this.#now())) {
      for (const payment of person.payments.filter(({ provider }) => provider === 'regionalpay')) {
        const shaped = worldPayment(person, payment, this.#collectorId)
        all.set(shaped.id, shaped)
      }
    }
    for (const [id, payment] of this.#put) all.set(id, payment)
    return [...all.values()]
  }

  find(id: string): SandboxMpPayment | null {
    return this.list().find((payment) => String(payment.id) === id) ?? null
  }

  put(payment: SandboxMpPayment): SandboxMpPayment {
    this.#put.set(payment.id, payment)
    return payment
  }

  make(args: {
    serial: number
    amountMinor: number
    email: string | null
    anonymousId: string | null
    metadata: Record<string, string>
    orderId: string | null
    operationType?: string | null
    payerId?: string | null
    collectorId?: string | null
    currency?: string | null
  }): SandboxMpPayment {
    const at = wireTime(this.#now())
    return {
      id: Number(seededDigits(13, 'made payment', at, args.serial)),
      date_created: at,
      date_approved: at,
      date_last_updated: at,
      status: 'approved',
      status_detail: 'accredited',
      currency_id: args.currency ?? worldCurrency,
      transaction_amount: decimal(args.amountMinor),
      transaction_amount_refunded: 0,
      collector_id: Number(args.collectorId ?? this.#collectorId),
      operation_type: args.operationType ?? 'regular_payment',
      external_reference: args.orderId,
      metadata: { ...args.metadata, ...(args.anonymousId && { anonymous_id: args.anonymousId }) },
      payer: { id: args.payerId ?? null, email: args.email, first_name: null, last_name: null },
      refunds: [],
    }
  }

  order(id: string): Record<string, unknown> | null {
    return this.#orders.get(id.toUpperCase()) ?? null
  }

  /** An order of the newer checkouts for a payment; `isKnown`: the payments API has it too. */
  putOrder(payment: SandboxMpPayment, isKnown: boolean): string {
    const serial = seededDigits(20, 'order', payment.id)
    const id = `ORD${serial}`
    const amount = payment.transaction_amount.toFixed(2)
    const at = new Date(payment.date_created).toISOString()
    if (isKnown) this.put(payment)
    this.#orders.set(id, {
      id,
      type: 'online',
      processing_mode: 'automatic',
      user_id: this.#collectorId,
      external_reference: payment.external_reference,
      status: 'processed',
      status_detail: 'accredited',
      total_amount: amount,
      total_paid_amount: amount,
      currency: worldCurrency,
      created_date: at,
      last_updated_date: at,
      payer: { email: (payment.payer as { email: string | null }).email },
      transactions: {
        payments: [
          {
            id: `PAY${serial}`,
            reference_id: isKnown ? String(payment.id) : seededHex(12, 'reference', payment.id),
            amount,
            paid_amount: amount,
            status: 'processed',
            status_detail: 'accredited',
          },
        ],
      },
    })
    return id
  }

  refunded(payment: SandboxMpPayment, amountMinor: number | null, serial: number): SandboxMpPayment {
    const at = wireTime(this.#now())
    const remainingAmount = decimal(
      Math.round((payment.transaction_amount - payment.transaction_amount_refunded) * 100),
    )
    const amount = amountMinor === null ? remainingAmount : decimal(amountMinor)
    const isFull = amount >= remainingAmount
    return {
      ...payment,
      date_last_updated: at,
      status: isFull ? 'refunded' : 'approved',
      status_detail: isFull ? 'refunded' : 'partially_refunded',
      transaction_amount_refunded: decimal(Math.round((payment.transaction_amount_refunded + amount) * 100)),
      refunds: [
        ...payment.refunds,
        {
          id: Number(seededDigits(11, 'made refund', payment.id, serial)),
          payment_id: payment.id,
          amount,
          date_created: at,
          status: 'approved',
        },
      ],
    }
  }

  chargedBack(payment: SandboxMpPayment, detail: string): SandboxMpPayment {
    return {
      ...payment,
      date_last_updated: wireTime(this.#now()),
      status: 'charged_back',
      status_detail: detail,
    }
  }
}

function worldPayment(person: SandboxPerson, payment: SandboxPayment, collectorId: string): SandboxMpPayment {
  const refund = payment.refund
  const disputed = refund?.kind === 'dispute'
  const isFull = refund !== null && !disputed && refund.amountMinor === payment.amountMinor
  const settled = isFull ? 'refunded' : 'approved'
  const isFailed = payment.status === 'failed'
  return {
    id: Number(payment.id),
    date_created: wireTime(new Date(payment.at.getTime() - 4_000)),
    date_approved: isFailed ? null : wireTime(payment.at),
    date_last_updated: wireTime(refund?.at ?? payment.at),
    operation_type: 'regular_payment',
    payment_method_id: 'master',
    payment_type_id: 'credit_card',
    status: isFailed ? 'rejected' : disputed ? 'charged_back' : settled,
    status_detail: isFailed ? 'cc_rejected_insufficient_amount' : disputed ? 'settled' : 'accredited',
    currency_id: payment.currency,
    description: payment.description,
    transaction_amount: decimal(payment.amountMinor),
    transaction_amount_refunded: refund?.kind === 'refund' ? decimal(refund.amountMinor) : 0,
    collector_id: Number(collectorId),
    external_reference: `D-${payment.id.slice(-6)}`,
    metadata: { anonymous_id: person.anonymousId },
    payer: {
      id: seededDigits(9, person.id, 'payer'),
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      phone: { area_code: null, number: person.phone, extension: null },
      identification: { type: null, number: null },
    },
    refunds:
      refund?.kind === 'refund'
        ? [
            {
              id: Number(refund.id),
              payment_id: Number(payment.id),
              amount: decimal(refund.amountMinor),
              date_created: wireTime(refund.at),
              status: 'approved',
            },
          ]
        : [],
  }
}
