/** Money as big integers of minor units, parsed from decimal text. */

const decimals: Record<string, number> = { EUR: 2, USD: 2, CHF: 2, JPY: 0, BHD: 3 }
export const DAY = 86_400_000
const CARRIED_DAYS = 7

export function toMinor(value: number | string, currency: string): bigint {
  return toUnits(String(value), decimals[currency]!)
}

/** Whether it has more decimals than the currency, which every route refuses. */
export function isTooFine(value: number | string, currency: string): boolean {
  const [, fraction = ''] = String(value).split('.')
  return /[1-9]/.test(fraction.slice(decimals[currency]!))
}

/** Formats minor units as a decimal in the currency. */
export function inCurrency(minor: number, currency: string): string {
  return toText(BigInt(minor), currency)
}

/** Rounded half up at the last kept place; never negative here. */
export function toUnits(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  const truncated = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  return fraction.charAt(places) >= '5' ? truncated + 1n : truncated
}

export function toText(minor: bigint, currency: string): string {
  const places = decimals[currency]!
  const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, '0')
  const cut = digits.length - places
  return `${minor < 0n ? '-' : ''}${digits.slice(0, cut)}${places === 0 ? '' : `.${digits.slice(cut)}`}`
}

export function toNumber(minor: bigint, currency: string): number {
  return Number(toText(minor, currency))
}

type Rate = { day: string; currency: string; rate: string }

/** Converts by the last rate of the past seven days; null if there is none. */
export function exchange(
  minor: bigint,
  from: string,
  to: string,
  day: string,
  rates: readonly Rate[],
): bigint | null {
  if (from === to) return minor
  const fromRate = findRate(from, day, rates)
  const toRate = findRate(to, day, rates)
  if (fromRate === null || toRate === null) return null
  // Both rates scaled to ten places: value × to ÷ from, then the currencies' own places.
  const scaled = (rate: string) => toUnits(rate, 10)
  const top = minor * scaled(toRate) * 10n ** BigInt(decimals[to]!)
  const bottom = scaled(fromRate) * 10n ** BigInt(decimals[from]!)
  return (top * 2n + bottom) / (bottom * 2n)
}

function findRate(currency: string, day: string, rates: readonly Rate[]): string | null {
  let best: Rate | null = null
  for (const rate of rates) {
    if (rate.currency !== currency || rate.day > day) continue
    if ((Date.parse(day) - Date.parse(rate.day)) / DAY > CARRIED_DAYS) continue
    if (best === null || rate.day > best.day) best = rate
  }
  return best === null ? null : best.rate
}

/** Largest remainder method: every part is rounded down, then the largest remainders get one more unit each, earlier ones first. */
export function split(amount: bigint, weights: readonly bigint[]): bigint[] {
  let total = 0n
  for (const weight of weights) total += weight
  if (total === 0n) return weights.map(() => 0n)
  const sign = amount < 0n ? -1n : 1n
  const size = amount * sign
  const parts = weights.map((weight) => (size * weight) / total)
  const rests = weights.map((weight, index) => ({ index, rest: (size * weight) % total }))
  let remainder = size
  for (const part of parts) remainder -= part
  rests.sort((a, b) => (a.rest > b.rest ? -1 : a.rest < b.rest ? 1 : a.index - b.index))
  for (const { index } of rests) {
    if (remainder === 0n) break
    parts[index] = parts[index]! + 1n
    remainder -= 1n
  }
  return parts.map((part) => part * sign)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day in the zone, from the runtime's own calendar. */
export function dayIn(zone: string, time: number): string {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(zone, format)
  }
  return format.format(time)
}
