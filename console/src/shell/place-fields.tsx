import { countries } from '@whence/server/platform/contract/countries.ts'
import { currencies } from '@whence/server/platform/contract/money.ts'
import type { ComponentProps } from 'react'
import { Choice } from '../ui/field.tsx'

const names = new Intl.DisplayNames('en', { type: 'currency' })

const currencyOptions = currencies.map((code) => ({ value: code, label: `${code} · ${names.of(code)}` }))

const regions = new Intl.DisplayNames('en', { type: 'region' })

export const countryOptions = countries
  .map((code) => ({ value: code, label: regions.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label))

export function homeTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** By continent: there are 400. */
function timeZoneOptions(): { value: string; label: string; group: string }[] {
  const zones = new Set([homeTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...zones].sort().map((zone) => {
    const [region, ...city] = zone.replaceAll('_', ' ').split('/')
    return { value: zone, label: city.join(', ') || region!, group: city.length > 0 ? region! : 'Other' }
  })
}

type Bound = Omit<ComponentProps<typeof Choice>, 'label' | 'options'>

/** Where a business is: its days and its money follow from it. */
export function PlaceFields({ bind }: { bind: (name: 'timezone' | 'currency') => Bound }) {
  return (
    <div className="form-row">
      <Choice
        label="Time zone"
        hint="Days in reports follow it."
        options={timeZoneOptions()}
        {...bind('timezone')}
      />
      <Choice
        label="Currency"
        hint="Reports convert every amount to it."
        options={currencyOptions}
        {...bind('currency')}
      />
    </div>
  )
}

/** Empty: no country. */
export function CountryField(bound: Bound) {
  return (
    <Choice
      label="Country of phone numbers"
      hint="Numbers without a country code are read as numbers of this country. Applies to new data; Identity → Repair fills in earlier numbers that identify no one."
      options={[{ value: '', label: 'None: such numbers identify no one' }, ...countryOptions]}
      {...bound}
    />
  )
}
