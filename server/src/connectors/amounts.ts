/** Converts provider amounts to whole minor units of ISO 4217 without binary floating point. */
import { divideHalfEven, findExponent } from '../platform/contract/money.ts'
import { type Money, ProviderError } from './connector.ts'

const decimalNumber = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?$/

/** Decimal digits of a currency. Throws for an unknown currency instead of guessing. */
export function currencyExponent(currency: string): number {
  const exponent = findExponent(currency.toUpperCase())
  if (exponent === undefined) throw new ProviderError('malformed', `Unknown currency ${currency.slice(0, 8)}`)
  return exponent
}

/**
 * Rounds digits beyond the currency's exponent half to even: shops and CRMs store thirds and per-unit prices, and refusing
 * them would lose the sale. `decimalMoney` keeps the amount as it was reported.
 */
export function decimalToMinor(amount: string | number, currency: string): number {
  const { digits, divisor } = readDecimal(amount, currency)
  return toSafe(divideHalfEven(digits, divisor))
}

/** The amount of a record. `reported` is set if it was rounded. */
export function decimalMoney(amount: string | number, currency: string): Money {
  const { digits, divisor } = readDecimal(amount, currency)
  const money = { amountMinor: toSafe(divideHalfEven(digits, divisor)), currency: currency.toUpperCase() }
  return digits % divisor === 0n ? money : { ...money, reported: String(amount).trim() }
}

/** The amount in minor units is `digits` / `divisor`. */
function readDecimal(amount: string | number, currency: string): { digits: bigint; divisor: bigint } {
  const match = decimalNumber.exec(String(amount).trim())
  if (match === null) throw new ProviderError('malformed', 'Amount is not a decimal number')
  const exponent = currencyExponent(currency)
  const fraction = (match[3] ?? '').padEnd(exponent, '0')
  return {
    digits: BigInt(`${match[1]}${match[2]}${fraction}`),
    divisor: 10n ** BigInt(fraction.length - exponent),
  }
}

const scientificNumber = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/

/** For platform totals with more digits than the currency: rounds to the nearest minor unit, halves away from zero. */
export function decimalToNearestMinor(amount: string | number, currency: string): number {
  const match = scientificNumber.exec(String(amount).trim())
  if (match === null) throw new ProviderError('malformed', 'Amount is not a decimal number')
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const shift = currencyExponent(currency) + Number(power) - fraction.length
  const digits = BigInt(`${whole}${fraction}`)
  if (shift >= 0) return toSafe(digits * 10n ** BigInt(shift) * (sign === '-' ? -1n : 1n))
  const divisor = 10n ** BigInt(-shift)
  return toSafe(((digits * 2n + divisor) / (divisor * 2n)) * (sign === '-' ? -1n : 1n))
}

/** Converts an integer amount from the provider's exponent to that of ISO 4217, rounded half to even. */
export function rescaleMinor(amount: number, fromExponent: number, currency: string): number {
  const shift = currencyExponent(currency) - fromExponent
  if (shift >= 0) return toSafe(BigInt(amount) * 10n ** BigInt(shift))
  return toSafe(divideHalfEven(BigInt(amount), 10n ** BigInt(-shift)))
}

/** Formats minor units as a decimal, for providers that expect decimals. */
export function minorToDecimal(money: Money): string {
  return toDecimal(money.amountMinor, currencyExponent(money.currency))
}

/** The decimal of a whole number of units of ten to the power of minus `exponent`. */
export function toDecimal(units: number, exponent: number): string {
  const digits = Math.abs(units)
    .toString()
    .padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const sign = units < 0 ? '-' : ''
  return exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(digits.length - exponent)}`
}

function toSafe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new ProviderError('malformed', 'Amount is out of range')
  return number
}
