/** Amounts that people search for: a decimal without its currency, compared with amounts of every currency. */
import { currencies, findExponent, MAX_AMOUNT_MINOR } from './money.ts'

/** Plain decimals: no sign, no grouping. */
export const amountForm = /^\d{1,11}(?:\.\d{1,4})?$/

const FINEST = 4

/** Bounds in minor units for currencies with `exponent` decimals; the range is empty if `min` > `max`. */
export type AmountBounds = { exponent: number; min: number; max: number }

/** Bounds are inclusive plain decimals; null means unbounded. */
export function amountBounds(range: { min: string | null; max: string | null }): AmountBounds[] {
  return exponents.map((exponent) => {
    const unit = 10 ** (FINEST - exponent)
    return {
      exponent,
      min: range.min === null ? 0 : Math.ceil(toFinest(range.min) / unit),
      max: range.max === null ? MAX_AMOUNT_MINOR : Math.floor(toFinest(range.max) / unit),
    }
  })
}

const exponents = [...new Set(currencies.map((code) => findExponent(code)!))]

/** A whole number of ten-thousandths: at most 15 digits, so it is exact. */
function toFinest(decimal: string): number {
  const [whole = '', fraction = ''] = decimal.split('.')
  return Number(whole + fraction.padEnd(FINEST, '0'))
}

export const currenciesWith = (exponent: number): string[] =>
  currencies.filter((code) => findExponent(code) === exponent)

/** Reads `129.90`, `129,90`, `€1,299.90` and `1.299,90 EUR` as plain decimals; undefined for other text. */
export function readAmountText(text: string): string | undefined {
  const digits = /^(?:[A-Za-z]{3}|\p{Sc})?(\d[\d.,]*)(?:[A-Za-z]{3}|\p{Sc})?$/u.exec(
    text.replace(/[\s'’]/g, ''),
  )?.[1]
  if (digits === undefined) return undefined
  const [, decimals = ''] = /[.,](\d{1,2})$/.exec(digits) ?? []
  const whole = decimals === '' ? digits : digits.slice(0, -decimals.length - 1)
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})?(?:\1\d{3})*$/.test(whole)
  if (!/^\d+$/.test(whole) && !isGrouped) return undefined
  const plain = whole.replace(/[.,]/g, '')
  const amount = decimals === '' ? plain : `${plain}.${decimals}`
  return amountForm.test(amount) ? amount : undefined
}
