/** Syncs an account: charges with their checkouts, then refunds, then disputes. */
import { z } from 'zod'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { mapItems, type ParsedItem, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { call } from './calls.ts'
import {
  Charge,
  CheckoutSession,
  chargeOf,
  Dispute,
  disputedCharge,
  intentsOf,
  listOf,
  PaymentIntent,
  Refund,
  toCheckoutContact,
  toDisputeRefund,
  toPayment,
  toRefund,
} from './mapping.ts'

const pageSize = 100
const daySeconds = 86_400

const phases = ['charges', 'refunds', 'disputes'] as const
const Cursor = z.object({ phase: z.enum(phases), after: z.string().nullable(), done: z.number().int() })
type Cursor = z.infer<typeof Cursor>
type Query = Record<string, string | number | undefined>
type ListPage = Pick<SyncPage, 'records' | 'setAside'> & { ids: string[]; hasMore: boolean }

/** Disputes may be decided and refunds may fail long after they were created, so these lists are read further back. */
const lookbackDays = { charges: 0, refunds: 30, disputes: 120 } as const

const notNull = <T>(items: (T | null)[]): T[] => items.filter((item) => item !== null)

function readList<T extends z.ZodType>(session: Session, path: string, item: T, query: Query) {
  return call(session.http, session.app, session.token, path, listOf(item), query)
}

/** All items of a short list, without those that cannot be parsed. */
async function readAll<T extends { id: string }>(
  session: Session,
  path: string,
  item: z.ZodType<T>,
  query: Query,
): Promise<T[]> {
  const items: ParsedItem<T>[] = []
  for (;;) {
    const last = items.at(-1)
    const after = last?.item?.id ?? last?.setAside?.externalId
    const page = await readList(session, path, parsedOrSetAside('item', item), {
      ...query,
      limit: pageSize,
      starting_after: after,
    })
    items.push(...page.data)
    if (!page.has_more || page.data.length === 0) return readableItems(items)
  }
}

/** A checkout is open for at most a day, so the checkout of a charge started within the day before it. */
async function checkoutsOf(session: Session, charges: Charge[]): Promise<Map<string, CheckoutSession>> {
  const paid = charges.filter(({ payment_intent: intent }) => intent !== null)
  if (paid.length === 0) return new Map()
  if (paid.length === 1) {
    const singleCheckout = await checkoutOf(session, paid[0]!)
    return new Map(singleCheckout === null ? [] : [[paid[0]!.payment_intent!, singleCheckout]])
  }
  const times = paid.map(({ created }) => created)
  const checkouts = await readAll(session, '/v1/checkout/sessions', CheckoutSession, {
    status: 'complete',
    'created[gte]': Math.min(...times) - daySeconds,
    'created[lte]': Math.max(...times),
    'expand[0]': 'data.invoice.payments',
  })
  return new Map(
    checkouts.flatMap((checkout) => intentsOf(checkout).map((intent) => [intent, checkout] as const)),
  )
}

/** Finds the checkout by payment intent; subscription sessions have none and are searched by customer. */
async function checkoutOf(session: Session, charge: Charge): Promise<CheckoutSession | null> {
  const { payment_intent: intent, customer, created } = charge
  if (intent === null) return null
  const path = '/v1/checkout/sessions'
  const [byIntent] = await readAll(session, path, CheckoutSession, { payment_intent: intent })
  if (byIntent !== undefined || customer === null) return byIntent ?? null
  const checkouts = await readAll(session, path, CheckoutSession, {
    customer,
    'created[gte]': created - daySeconds,
    'created[lte]': created,
    'expand[0]': 'data.invoice.payments',
  })
  return checkouts.find((checkout) => intentsOf(checkout).includes(intent)) ?? null
}

async function toPayments(session: Session, charges: Charge[]): Promise<SyncRecord[]> {
  const toOne = await paymentMapper(session, charges)
  return charges.map(toOne)
}

async function mapPayments(session: Session, charges: ParsedItem<Charge>[]) {
  return mapItems('charge', charges, await paymentMapper(session, readableItems(charges)))
}

/** Reads the related objects of the charges and returns the mapping of a charge. */
async function paymentMapper(session: Session, charges: Charge[]): Promise<(charge: Charge) => SyncRecord> {
  const checkouts = await checkoutsOf(session, charges)
  const disputes = new Map<string, Dispute[]>()
  for (const { id, disputed } of charges)
    if (disputed === true) disputes.set(id, await readAll(session, '/v1/disputes', Dispute, { charge: id }))
  return (charge) =>
    toPayment(charge, {
      checkout: checkouts.get(charge.payment_intent ?? '') ?? null,
      disputes: disputes.get(charge.id) ?? [],
    })
}

async function listPhase(session: Session, window: SyncWindow, cursor: Cursor): Promise<ListPage> {
  const bounds = windowBounds(window)
  const windowFrom = Math.floor(bounds.from.getTime() / 1000)
  const query: Query = {
    limit: pageSize,
    'created[gte]': windowFrom - lookbackDays[cursor.phase] * daySeconds,
    'created[lt]': Math.ceil(bounds.until.getTime() / 1000),
    starting_after: cursor.after ?? undefined,
  }
  const listed = <T extends { id: string }>(
    page: { data: ParsedItem<T>[]; has_more: boolean },
    read: Pick<SyncPage, 'records' | 'setAside'>,
  ): ListPage => ({
    ids: page.data.map(({ item, setAside }) => item?.id ?? setAside!.externalId),
    ...read,
    hasMore: page.has_more,
  })
  switch (cursor.phase) {
    case 'charges': {
      const page = await readList(session, '/v1/charges', parsedOrSetAside('charge', Charge), query)
      return listed(page, await mapPayments(session, page.data))
    }
    case 'refunds': {
      const page = await readList(session, '/v1/refunds', parsedOrSetAside('refund', Refund), query)
      return listed(
        page,
        mapItems('refund', page.data, (refund) => notNull([toRefund(refund)])),
      )
    }
    case 'disputes': {
      const page = await readList(session, '/v1/disputes', parsedOrSetAside('dispute', Dispute), {
        ...query,
        'expand[0]': 'data.charge',
      })
      // Charges in the window were read with their disputes; an older charge may have changed through this dispute.
      const olderCharge = ({ charge }: Dispute) =>
        typeof charge === 'string' || charge.created >= windowFrom ? null : charge
      const checkouts = new Map<string, CheckoutSession | null>()
      for (const charge of readableItems(page.data).map(olderCharge))
        if (charge !== null) checkouts.set(charge.id, await checkoutOf(session, charge))
      return listed(
        page,
        mapItems('dispute', page.data, (dispute) => {
          const charge = olderCharge(dispute)
          const related = { checkout: checkouts.get(charge?.id ?? ''), disputes: [dispute] }
          return [
            ...(charge === null ? [] : [toPayment(charge, related)]),
            ...notNull([toDisputeRefund(dispute)]),
          ]
        }),
      )
    }
  }
}

export async function syncPage(
  session: Session,
  window: SyncWindow,
  cursorText: string | null,
): Promise<SyncPage> {
  const cursor =
    cursorText === null ? { phase: phases[0], after: null, done: 0 } : Cursor.parse(JSON.parse(cursorText))
  const listed = await listPhase(session, window, cursor)
  const done = cursor.done + listed.ids.length
  const nextPhase = phases[phases.indexOf(cursor.phase) + 1]
  const last = listed.ids.at(-1)
  let next: Cursor | null = null
  if (listed.hasMore && last !== undefined) next = { phase: cursor.phase, after: last, done }
  else if (nextPhase !== undefined) next = { phase: nextPhase, after: null, done }
  return {
    records: listed.records,
    setAside: listed.setAside ?? [],
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: null, unit: 'payments' },
  }
}

/** A subscription's session refers to an invoice, the invoice to its payments, each payment to an intent with its charge. */
async function invoiceCharges(session: Session, checkout: CheckoutSession): Promise<Charge[]> {
  const charges: Charge[] = []
  for (const id of intentsOf(checkout)) {
    const path = `/v1/payment_intents/${encodeURIComponent(id)}`
    const query = { 'expand[0]': 'latest_charge' }
    const intent = await call(session.http, session.app, session.token, path, PaymentIntent, query)
    if (typeof intent.latest_charge === 'object' && intent.latest_charge !== null)
      charges.push(intent.latest_charge)
  }
  return charges
}

export async function readBack(session: Session, resource: string, id: string): Promise<SyncRecord[]> {
  const get = <T>(path: string, schema: z.ZodType<T>, query: Query = {}) =>
    call(session.http, session.app, session.token, path, schema, query)
  const idPart = encodeURIComponent(id)
  switch (resource) {
    case 'payment':
      return toPayments(session, [await get(`/v1/charges/${idPart}`, Charge)])
    case 'charge': {
      const charge = await get(`/v1/charges/${idPart}`, Charge)
      const refunds = await readAll(session, '/v1/refunds', Refund, { charge: id })
      return [...(await toPayments(session, [charge])), ...notNull(refunds.map(toRefund))]
    }
    case 'dispute': {
      const dispute = await get(`/v1/disputes/${idPart}`, Dispute)
      const charge = await get(`/v1/charges/${encodeURIComponent(disputedCharge(dispute))}`, Charge)
      return [...(await toPayments(session, [charge])), ...notNull([toDisputeRefund(dispute)])]
    }
    case 'checkout_session': {
      const query = { 'expand[0]': 'payment_intent.latest_charge', 'expand[1]': 'invoice.payments' }
      const checkout = await get(`/v1/checkout/sessions/${idPart}`, CheckoutSession, query)
      const directCharge = chargeOf(checkout)
      const charges = directCharge === null ? await invoiceCharges(session, checkout) : [directCharge]
      if (charges.length === 0) return toCheckoutContact(checkout)
      return charges.map((charge) => toPayment(charge, { checkout }))
    }
    default:
      throw new ProviderError('rejected', `No ${resource} can be read back`)
  }
}
