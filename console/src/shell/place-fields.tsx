import { countries } from '@whence/server/platform/contract/countries.ts'
import { currencies } from '@whence/server/platform/contract/money.ts'
import { useId } from 'react'
import { Choice, Field } from '../ui/field.tsx'
import type { useFields } from '../ui/form.tsx'

const names = new Intl.DisplayNames('en', { type: 'currency' })

const currencyOptions = currencies.map((code) => ({ value: code, label: `${code} · ${names.of(code)}` }))

const regions = new Intl.DisplayNames('en', { type: 'region' })

export const countryOptions = countries
  .map((code) => ({ value: code, label: regions.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label))

export function homeTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const timeZones = [...new Set([homeTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()

/** Typed, because there are 400: the list narrows with each letter of a city. */
function TimeZoneField({ onChange, ...bound }: Bound) {
  const id = useId()
  return (
    <>
      <Field
        label="Time zone"
        hint="Type a city. Days in reports follow it."
        list={id}
        required
        {...bound}
        onChange={(event) => {
          const { target } = event
          target.setCustomValidity(timeZones.includes(target.value) ? '' : 'Choose a time zone of the list')
          onChange(event)
        }}
      />
      <datalist id={id}>
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </datalist>
    </>
  )
}

type Bound = ReturnType<ReturnType<typeof useFields>['bind']>

/** Where a business is: its days and its money follow from it. */
export function PlaceFields({ bind }: { bind: (name: 'timezone' | 'currency') => Bound }) {
  return (
    <div className="form-row">
      <TimeZoneField {...bind('timezone')} />
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
