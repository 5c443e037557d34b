const formats = new Map<string, Intl.NumberFormat>()

/** Formats every figure of the console. Negative values get a minus sign instead of a hyphen, because it is as wide as a plus. */
function formatNumber(value: number | string, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options)
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat('en', { signDisplay: 'negative', ...options })
    formats.set(key, format)
  }
  return format.format(value as number).replace('-', '−')
}

export const NONE = '–'

/** For differences: a plus for positive values, no sign for zero. */
export const SIGNED = { signDisplay: 'exceptZero' } as const

/** Amounts are numbers or exact decimal strings. */
export function money(value: number | string | null | undefined, currency: string): string {
  if (value === null || value === undefined) return NONE
  return formatNumber(value, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
}

/** Zero spend means that none is known: an account that is not connected, a day without a report, a paused campaign. */
export const knownSpend = (spend: number | null | undefined): number | null => spend || null

/** Spend per payment; without spend there is no cost. */
export const costPerPayment = (row: {
  cac?: number | null | undefined
  spend?: number | null | undefined
}): number | null => (knownSpend(row.spend) === null ? null : (row.cac ?? null))

/** Short form for axes, exact for round values (`$1.25M`). */
export function axisMoney(value: number, currency: string): string {
  return formatNumber(value, {
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
  return formatNumber(Number(value), { ...options, maximumFractionDigits: 0 })
}

export function count(value: number | null | undefined, sign?: typeof SIGNED): string {
  return value === null || value === undefined
    ? NONE
    : formatNumber(value, { maximumFractionDigits: 2, ...sign })
}

export function ratio(value: number | null | undefined): string {
  return value === null || value === undefined
    ? NONE
    : `${formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}×`
}

export function percent(
  value: number | null | undefined,
  digits = 1,
  atLeast = 0,
  sign?: typeof SIGNED,
): string {
  return value === null || value === undefined
    ? NONE
    : `${formatNumber(value, { minimumFractionDigits: atLeast, maximumFractionDigits: digits, ...sign })}%`
}

const MAX_CHANGE = 999

/** A change in percent. More than tenfold is capped, because the previous value was close to nothing. */
export function changeText(change: number | null | undefined): string {
  return (change ?? 0) > MAX_CHANGE ? `over +${MAX_CHANGE}%` : percent(change, 1, 0, SIGNED)
}

/** `3 deliveries`, `1 delivery`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
