/** Converts rows of sales to events. A row that the server would reject gets a problem instead. */
import type { EventInput } from '@whence/sdk'
import { findCurrency } from '@whence/server/platform/contract/money.ts'
import type { CsvRecord } from './csv-records.ts'
import { type Mapping, type SaleField, saleFieldIds, saleFields } from './sale-fields.ts'
import {
  type Consent,
  type DateOrder,
  type DecimalMark,
  type Parsed,
  readAmount,
  readConsent,
  readDate,
  unsigned,
} from './sale-values.ts'

export type SaleSettings = {
  mapping: Mapping
  /** Event name of every row. */
  eventName: string
  needsAmount: boolean
  /** Default for rows without a currency. */
  currency: string
  consent: Consent | null
  timeZone: string
  dateOrder: DateOrder
  decimalMark: DecimalMark
}

type SaleEvent = EventInput & Required<Pick<EventInput, 'idempotency_key' | 'properties'>>

export type Sale = {
  line: number
  values: Partial<Record<SaleField, string>>
  event: SaleEvent | null
  problem: string | null
  warning: string | null
}

/** A problem with the mapping that affects the whole file, or null. */
export function mappingProblem({ mapping, needsAmount }: SaleSettings): string | null {
  if (mapping.date === undefined) return 'Choose the column with the date.'
  if (needsAmount && mapping.amount === undefined) return 'Choose the column with the amount.'
  return null
}

export function readSales(records: readonly CsvRecord[], settings: SaleSettings): Sale[] {
  const lineOfKey = new Map<string, number>()
  return records.map(({ number, fields }) => {
    const values = valuesOf(fields, settings.mapping)
    const parsed = toEvent(values, settings)
    if ('problem' in parsed) return { line: number, values, event: null, warning: null, ...parsed }
    const key = parsed.value.idempotency_key
    const firstLine = lineOfKey.get(key)
    if (firstLine !== undefined)
      return {
        line: number,
        values,
        event: null,
        warning: null,
        problem: duplicateProblem(firstLine, values),
      }
    lineOfKey.set(key, number)
    const lacksCustomer = !values.email && !values.phone && !values.external_id
    return {
      line: number,
      values,
      event: parsed.value,
      problem: null,
      warning: lacksCustomer ? noCustomer : null,
    }
  })
}

const noCustomer = 'No email, phone or customer id: the sale counts, but no ad can be credited.'

/** Of a row with a negative amount, or of every row. */
export const REFUND = 'refund'

const duplicateProblem = (line: number, values: Sale['values']) =>
  values.order_id
    ? `Order or receipt number is the same as in line ${line}.`
    : `The same as line ${line}. Two sales that are alike need an order or receipt number.`

function valuesOf(fields: readonly string[], mapping: Mapping): Sale['values'] {
  const values: Sale['values'] = {}
  for (const field of saleFieldIds) {
    const column = mapping[field]
    const text = column === undefined ? '' : (fields[column] ?? '').trim()
    if (text !== '') values[field] = text
  }
  return values
}

/** The server's length limits for events. */
const maxLengths: Partial<Record<SaleField, number>> = {
  amount: 40,
  order_id: 200,
  phone: 64,
  first_name: 200,
  last_name: 200,
}
const MAX_TEXT = 320
const MAX_KEY = 255

function toEvent(values: Sale['values'], settings: SaleSettings): Parsed<SaleEvent> {
  const problemWith = (field: SaleField, problem: string) => ({
    problem: `${saleFields[field].label} ${problem}.`,
  })
  if (values.date === undefined) return problemWith('date', 'is missing')
  const date = readDate(values.date, settings.dateOrder, settings.timeZone)
  if ('problem' in date) return problemWith('date', date.problem)
  const currency = findCurrency(values.currency ?? settings.currency)
  if (currency === undefined) return problemWith('currency', 'is not a code such as EUR')
  const refunded = values.amount === undefined ? null : unsigned(values.amount)
  const eventName = refunded === null ? settings.eventName : REFUND
  if (eventName === REFUND && values.order_id === undefined)
    return problemWith('order_id', 'is missing, so the payment of the refund is unknown')
  if (values.amount === undefined && settings.needsAmount) return problemWith('amount', 'is missing')
  const amount =
    values.amount === undefined
      ? { value: null }
      : readAmount(refunded ?? values.amount, settings.decimalMark, currency)
  if ('problem' in amount) return problemWith('amount', amount.problem)
  const consent = readConsent(values.consent ?? '')
  if ('problem' in consent) return problemWith('consent', consent.problem)
  if (values.email !== undefined && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(values.email))
    return problemWith('email', 'is not an address such as ana@example.com')
  if (values.phone !== undefined && values.phone.replaceAll(/\D/g, '').length < 6)
    return problemWith('phone', 'has too few digits')
  const sale = { date: date.value, amount: amount.value, currency }
  const key = keyOf(values, sale, eventName)
  if (key.length > MAX_KEY) return problemWith('order_id', 'is too long')
  const tooLong = saleFieldIds.find((field) => (values[field]?.length ?? 0) > (maxLengths[field] ?? MAX_TEXT))
  if (tooLong !== undefined) return problemWith(tooLong, 'is too long')
  return {
    value: {
      event_name: eventName,
      timestamp: sale.date,
      idempotency_key: key,
      properties: {
        ...(sale.amount === null ? {} : { value: sale.amount, currency }),
        ...(values.order_id === undefined ? {} : { order_id: values.order_id }),
        ...consentOf(consent.value ?? settings.consent),
      },
      user_traits: traitsOf(values),
    },
  }
}

function consentOf(consent: Consent | null) {
  return consent === null ? {} : { consent: { ad_user_data: consent, ad_personalization: consent } }
}

function traitsOf(values: Sale['values']): Record<string, string> {
  const { email, phone, external_id, first_name, last_name } = values
  const traits = Object.entries({ email, phone, external_id, first_name, last_name })
  return Object.fromEntries(traits.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The idempotency key depends only on the row's content, so importing the row again changes nothing. */
function keyOf(
  values: Sale['values'],
  sale: { date: string; amount: string | null; currency: string },
  eventName: string,
): string {
  if (values.order_id !== undefined && eventName !== REFUND) return `offline:${eventName}:${values.order_id}`
  const person = [values.email?.toLowerCase(), values.phone?.replaceAll(/\D/g, ''), values.external_id]
  // An order may be refunded in parts.
  const order = eventName === REFUND ? [values.order_id] : []
  const content = JSON.stringify([eventName, sale.date, sale.amount, sale.currency, person, ...order])
  return `offline:${eventName}:${fingerprint(content, 1)}${fingerprint(content, 2)}`
}

/** 53-bit hash (cyrb53), so that the key contains no email or phone. */
function fingerprint(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36).padStart(11, '0')
}
