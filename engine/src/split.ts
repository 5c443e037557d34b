/**
 * Exact division of money in minor units by the largest remainder method: the parts always sum to the amount. A negative
 * amount is split like its absolute value, negated, so a refund mirrors its sale.
 */

/** Splits `amountMinor` over integer `weights`; equal remainders favour the earlier part. */
export function splitMinor(amountMinor: number, weights: readonly number[]): number[] {
  const parts = new Float64Array(weights.length)
  splitInto(amountMinor, Float64Array.from(weights), 0, weights.length, sum(weights), parts, 0)
  return Array.from(parts)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

let remainders = new Float64Array(64)

/**
 * `splitMinor` without allocation. Reads `count` weights from `weightsAt` and writes the parts from `partsAt`. With a total
 * weight of 0 all parts are 0.
 */
export function splitInto(
  amountMinor: number,
  weights: Float64Array,
  weightsAt: number,
  count: number,
  totalWeight: number,
  parts: Float64Array,
  partsAt: number,
): void {
  if (amountMinor === 0 || totalWeight === 0) {
    for (let i = partsAt; i < partsAt + count; i++) parts[i] = 0
    return
  }
  if (remainders.length < count) remainders = new Float64Array(count * 2)
  const magnitude = Math.abs(amountMinor)
  const remainingMinor = divide(magnitude, weights, weightsAt, count, totalWeight, parts, partsAt)
  if (remainingMinor > 0) giveRemainder(remainingMinor, count, parts, partsAt)
  if (amountMinor < 0) for (let i = partsAt; i < partsAt + count; i++) parts[i] = 0 - parts[i]!
}

/** Splits by equal weights: all remainders are equal, so the first parts get the remaining units. */
export function splitEvenlyInto(
  amountMinor: number,
  count: number,
  parts: Float64Array,
  partsAt: number,
): void {
  const magnitude = Math.abs(amountMinor)
  const sign = amountMinor < 0 ? -1 : 1
  const each = Math.floor(magnitude / count)
  const remainingMinor = magnitude - each * count
  for (let i = 0; i < count; i++) {
    const part = i < remainingMinor ? each + 1 : each
    parts[partsAt + i] = sign * part + 0
  }
}

/**
 * Rounds every part down, stores its remainder and returns the number of remaining units. Long division over the digits of
 * the magnitude, in a base small enough that each step is below 2^53, where doubles are exact. Usual amounts are one digit.
 */
function divide(
  magnitude: number,
  weights: Float64Array,
  weightsAt: number,
  count: number,
  totalWeight: number,
  parts: Float64Array,
  partsAt: number,
): number {
  const fits = magnitude * totalWeight <= Number.MAX_SAFE_INTEGER
  const base = fits ? Number.MAX_SAFE_INTEGER : 2 ** (51 - Math.ceil(Math.log2(totalWeight)))
  if (base < 2) throw new RangeError('weights to split by must sum to less than 2^50')
  const digitCount = fits ? 1 : digitsOf(magnitude, base)
  if (fits) digits[0] = magnitude
  let remainingMinor = magnitude
  for (let i = 0; i < count; i++) {
    const weight = weights[weightsAt + i]!
    let quotient = 0
    let remainder = 0
    for (let digit = digitCount - 1; digit >= 0; digit--) {
      const step = remainder * base + digits[digit]! * weight
      // Below 2^53 a quotient of integers never rounds up to a whole number, so the floor is exact.
      const times = Math.floor(step / totalWeight)
      remainder = step - times * totalWeight
      quotient = quotient * base + times
    }
    parts[partsAt + i] = quotient
    remainders[i] = remainder
    remainingMinor -= quotient
  }
  return remainingMinor
}

const digits = new Float64Array(53)

/** Writes the digits of a number, lowest first, and returns their count. */
function digitsOf(magnitude: number, base: number): number {
  let count = 0
  for (let remaining = magnitude; remaining > 0; count++) {
    const higher = Math.floor(remaining / base)
    digits[count] = remaining - higher * base
    remaining = higher
  }
  return count
}

/** Adds a unit to each of the `left` largest remainders. There are always at least `left` non-zero remainders. */
function giveRemainder(remainingMinor: number, count: number, parts: Float64Array, partsAt: number): void {
  if (remainingMinor * count > 4096) {
    const order = Array.from({ length: count }, (_, i) => i)
    order.sort((a, b) => remainders[b]! - remainders[a]! || a - b)
    for (const i of order.slice(0, remainingMinor)) parts[partsAt + i]! += 1
    return
  }
  for (; remainingMinor > 0; remainingMinor--) {
    let largest = 0
    for (let i = 1; i < count; i++) if (remainders[i]! > remainders[largest]!) largest = i
    parts[partsAt + largest]! += 1
    remainders[largest] = -1
  }
}
