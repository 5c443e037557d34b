import { currencies } from '@whence/server/contract/money.ts'

const names = new Intl.DisplayNames('en', { type: 'currency' })

export const currencyOptions = currencies.map((code) => ({
  value: code,
  label: `${code} · ${names.of(code)}`,
}))

export function homeTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function timeZoneOptions(): { value: string; label: string }[] {
  const zones = new Set([homeTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
