/**
 * Conversion of money between decimals (on the wire) and integer minor units (internal). Decimals are parsed digit by
 * digit, never multiplied as floats. An amount with more decimals than its currency is rejected, or rounded half to even
 * where the sender cannot correct it.
 */
import { withoutTrailing } from './text.ts'

/** ISO 4217 by number of decimals, without the codes that have no minor unit (metals, funds, tests). */
const codesByExponent: Record<number, string> = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF
    XPF`,
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD
    CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP
    GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
    MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN
    QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD
    TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW
    ZWG`,
  3: `BHD IQD JOD KWD LYD OMR
    TND`,
  4: `CLF
    UYW`,
}

const exponents = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(exponent)] as const),
  ),
)

/** All supported currencies, sorted. */
export const currencies: readonly string[] = [...exponents.keys()].sort()

/** Normalises a currency code to upper case; undefined if it is not one. */
export function findCurrency(text: string): string | undefined {
  const code = text.toUpperCase()
  return exponents.has(code) ? code : undefined
}

/** Number of decimals of the currency; undefined if it is not one. */
export function findExponent(currency: string): number | undefined {
  return exponents.get(currency)
}

export type ParsedMoney =
  | { ok: true; amountMinor: number }
  | {
      ok: false
      reason: 'unknown_currency' | 'not_a_number' | 'too_many_digits' | 'too_fine' | 'too_large'
      message: string
    }

const MAX_DIGITS = 15
/**
 * Maximum of a single amount, also after conversion: 100 billion in a currency with cents. Together with the limit per
 * day (docs/decisions/0440) it keeps every sum in a report a safe integer.
 */
export const MAX_AMOUNT_MINOR = 10_000_000_000_000
const decimalForm = /^([+-]?)(\d+)(?:\.(\d+))?$/
const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** Parses an amount (a number or a plain decimal string) into minor units. */
export function parseMoney(value: number | string, currency: string): ParsedMoney {
  const exponent = exponents.get(currency)
  if (exponent === undefined)
    return refusal('unknown_currency', `${quoted(currency)} is not an ISO 4217 currency`)
  const match = typeof value === 'number' ? numberForm.exec(String(value)) : decimalForm.exec(value)
  if (!match) return refusal('not_a_number', 'The amount is not a decimal number')
  const [, sign, whole = '', fraction = '', shift = '0'] = match
  const digits = whole + fraction
  if (withoutTrailing(digits, '0').replace(/^0+/, '').length > MAX_DIGITS) {
    return refusal('too_many_digits', `The amount has more than ${MAX_DIGITS} significant digits`)
  }
  /** Number of digits up to the minor unit. */
  const minorDigits = whole.length + Number(shift) + exponent
  if (minorDigits > digits.length + 30) return refusal('too_large', tooLarge(currency))
  if (/[1-9]/.test(digits.slice(Math.max(0, minorDigits))))
    return refusal('too_fine', `The amount has more decimals than ${currency} has (${exponent})`)
  const minor = minorDigits <= 0 ? 0 : Number(digits.slice(0, minorDigits).padEnd(minorDigits, '0'))
  if (!isAmount(minor)) return refusal('too_large', tooLarge(currency))
  return { ok: true, amountMinor: sign === '-' && minor !== 0 ? -minor : minor }
}

/** The quotient rounded to the nearest integer, halves to the even one, so that many roundings do not add up. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -divideHalfEven(-dividend, divisor)
  const quotient = dividend / divisor
  const twice = (dividend % divisor) * 2n
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient
}

const finestForm = /^([+-]?)(\d{1,40})\.(\d{1,60})$/

/** The amount without the decimals that its currency does not have; undefined if it has none to cut. */
export function roundDecimal(value: unknown, currency: string): string | undefined {
  const exponent = exponents.get(currency)
  const match = typeof value === 'number' || typeof value === 'string' ? finestForm.exec(String(value)) : null
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (exponent === undefined || match === null || fraction.length <= exponent) return undefined
  const divisor = 10n ** BigInt(fraction.length - exponent)
  const digits = String(divideHalfEven(BigInt(whole + fraction), divisor)).padStart(exponent + 1, '0')
  const cut = digits.length - exponent
  return `${sign}${digits.slice(0, cut)}${exponent === 0 ? '' : `.${digits.slice(cut)}`}`
}

/** Whether it is within the limit of a single amount. */
export function isAmount(amountMinor: number): boolean {
  return Math.abs(amountMinor) <= MAX_AMOUNT_MINOR
}

function tooLarge(currency: string): string {
  return `The amount is larger than ${toDecimalString(MAX_AMOUNT_MINOR, currency)} ${currency}`
}

/** The amount in minor units; undefined for anything that is not an amount in a known currency. */
export function toMinor(value: number | string, currency: string): number | undefined {
  const parsed = parseMoney(value, currency)
  return parsed.ok ? parsed.amountMinor : undefined
}

/** `1234` USD → `"12.34"`, with all decimals of the currency. */
export function toDecimalString(amountMinor: number, currency: string): string {
  const exponent = exponentOf(amountMinor, currency)
  const absoluteMinor = Math.abs(amountMinor)
  const plain = Number.isSafeInteger(absoluteMinor) ? `${absoluteMinor}` : `${BigInt(absoluteMinor)}`
  const digits = plain.padStart(exponent + 1, '0')
  const cut = digits.length - exponent
  const text = exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return amountMinor < 0 ? `-${text}` : text
}

/**
 * `1234` USD → `12.34`: the double nearest to the decimal, which prints as that decimal. IEEE 754 division is correctly
 * rounded, so no string conversion is needed.
 */
export function toDecimalNumber(amountMinor: number, currency: string): number {
  // Adding zero turns -0 into 0.
  return amountMinor / 10 ** exponentOf(amountMinor, currency) + 0
}

function exponentOf(amountMinor: number, currency: string): number {
  const exponent = exponents.get(currency)
  if (exponent === undefined) throw new RangeError(`${quoted(currency)} is not an ISO 4217 currency`)
  if (!Number.isInteger(amountMinor)) throw new RangeError('An amount is a whole number of minor units')
  return exponent
}

function refusal(reason: Exclude<ParsedMoney, { ok: true }>['reason'], message: string): ParsedMoney {
  return { ok: false, reason, message }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 20))
}
