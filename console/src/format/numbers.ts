const formats = new Map<string, Intl.NumberFormat>()

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  let found = formats.get(key)
  if (found === undefined) {
    found = new Intl.NumberFormat('en', options)
    formats.set(key, found)
  }
  return found
}

export const NONE = '–'

/** Amounts arrive as decimals, as numbers or as exact strings. */
export function money(value: number | string | null | undefined, currency: string): string {
  if (value === null || value === undefined) return NONE
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
  return format(options).format(value as number)
}

/** Beside an axis: short, and exact for its round values (`$1.25M`). */
export function axisMoney(value: number, currency: string): string {
  return format({
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  }).format(value)
}

/** Whole units, for headlines where cents are noise. */
export function wholeMoney(value: number | string | null | undefined, currency: string): string {
  if (value === null || value === undefined) return NONE
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
  return format({ ...options, maximumFractionDigits: 0 }).format(Number(value))
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : format({ maximumFractionDigits: 2 }).format(value)
}

export function ratio(value: number | null | undefined): string {
  return value === null || value === undefined
    ? NONE
    : `${format({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)}×`
}

export function percent(value: number | null | undefined, digits = 1, atLeast = 0): string {
  return value === null || value === undefined
    ? NONE
    : `${format({ minimumFractionDigits: atLeast, maximumFractionDigits: digits }).format(value)}%`
}

/** `3 deliveries`, `1 delivery`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
