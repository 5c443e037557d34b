/** Converts provider amounts to whole minor units of ISO 4217 exactly, without binary floating point. */
import { findExponent } from '../platform/contract/money.ts'
import { type Money, ProviderError } from './connector.ts'

const decimalNumber = /^(-?)(\d+)(?:\.(\d+))?$/

/** Decimal digits of a currency. Throws for an unknown currency instead of guessing. */
export function currencyExponent(currency: string): number {
  const exponent = findExponent(currency.toUpperCase())
  if (exponent === undefined) throw new ProviderError('malformed', `Unknown currency ${currency.slice(0, 8)}`)
  return exponent
}

/** Digits beyond the currency's exponent must be zero: an amount that has no exact value in minor units is malformed. */
export function decimalToMinor(amount: string | number, currency: string): number {
  const match = decimalNumber.exec(String(amount).trim())
  if (match === null) throw new ProviderError('malformed', 'Amount is not a decimal number')
  const exponent = currencyExponent(currency)
  const fraction = match[3] ?? ''
  if (/[1-9]/.test(fraction.slice(exponent))) {
    throw new ProviderError('malformed', `Amount has more digits than ${currency.toUpperCase()} allows`)
  }
  return toSafe(BigInt(`${match[1]}${match[2]}${fraction.slice(0, exponent).padEnd(exponent, '0')}`))
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

/** Converts an integer amount from the provider's exponent to that of ISO 4217. */
export function rescaleMinor(amount: number, fromExponent: number, currency: string): number {
  const shift = currencyExponent(currency) - fromExponent
  if (shift >= 0) return toSafe(BigInt(amount) * 10n ** BigInt(shift))
  const divisor = 10n ** BigInt(-shift)
  if (BigInt(amount) % divisor !== 0n)
    throw new ProviderError('malformed', 'Amount is more precise than its currency')
  return toSafe(BigInt(amount) / divisor)
}

/** Formats minor units as a decimal, for providers that expect decimals. */
export function minorToDecimal(money: Money): string {
  const exponent = currencyExponent(money.currency)
  const digits = Math.abs(money.amountMinor)
    .toString()
    .padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const sign = money.amountMinor < 0 ? '-' : ''
  return exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(digits.length - exponent)}`
}

function toSafe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new ProviderError('malformed', 'Amount is out of range')
  return number
}
