const formats = new Map<string, Intl.NumberFormat>()

/** Every figure of the console is written here: below zero with a minus sign, which is as wide as a plus. */
function write(value: number | string, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options)
  let found = formats.get(key)
  if (found === undefined) {
    found = new Intl.NumberFormat('en', { signDisplay: 'negative', ...options })
    formats.set(key, found)
  }
  return found.format(value as number).replace('-', '−')
}

export const NONE = '–'

/** For what differs: more has a plus, and nothing has no sign. */
export const SIGNED = { signDisplay: 'exceptZero' } as const

/** Amounts arrive as decimals, as numbers or as exact strings. */
export function money(value: number | string | null | undefined, currency: string): string {
  if (value === null || value === undefined) return NONE
  return write(value, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
}

/** For an axis: short, and exact for its round values (`$1.25M`). */
export function axisMoney(value: number, currency: string): string {
  return write(value, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  })
}

/** Whole units, for headlines where cents are noise. */
export function wholeMoney(value: number | string | null | undefined, currency: string): string {
  if (value === null || value === undefined) return NONE
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
  return write(Number(value), { ...options, maximumFractionDigits: 0 })
}

export function count(value: number | null | undefined, sign?: typeof SIGNED): string {
  return value === null || value === undefined ? NONE : write(value, { maximumFractionDigits: 2, ...sign })
}

export function ratio(value: number | null | undefined): string {
  return value === null || value === undefined
    ? NONE
    : `${write(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}×`
}

export function percent(
  value: number | null | undefined,
  digits = 1,
  atLeast = 0,
  sign?: typeof SIGNED,
): string {
  return value === null || value === undefined
    ? NONE
    : `${write(value, { minimumFractionDigits: atLeast, maximumFractionDigits: digits, ...sign })}%`
}

const MAX_CHANGE = 999

/** How far a figure moved, in percent. Beyond a tenfold it says only that there was next to nothing before. */
export function changeText(change: number | null | undefined): string {
  return (change ?? 0) > MAX_CHANGE ? `over +${MAX_CHANGE}%` : percent(change, 1, 0, SIGNED)
}

/** `3 deliveries`, `1 delivery`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
