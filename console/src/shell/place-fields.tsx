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

/** A text field with suggestions, because there are 400 time zones. */
function TimeZoneField({ onChange, ...bound }: Bound) {
  const id = useId()
  return (
    <>
      <Field
        label="Time zone"
        hint="Type a city. It defines the days in reports."
        list={id}
        required
        {...bound}
        onChange={(event) => {
          const { target } = event
          target.setCustomValidity(timeZones.includes(target.value) ? '' : 'Choose a time zone from the list')
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

/** Time zone and currency of a business, which define its days and amounts. */
export function PlaceFields({ bind }: { bind: (name: 'timezone' | 'currency') => Bound }) {
  return (
    <div className="form-row">
      <TimeZoneField {...bind('timezone')} />
      <Choice
        label="Currency"
        hint="Reports convert all amounts to it."
        options={currencyOptions}
        {...bind('currency')}
      />
    </div>
  )
}

/** An empty value means no country. */
export function CountryField(bound: Bound) {
  return (
    <Choice
      label="Country of phone numbers"
      hint="Used for numbers without a country code. Applies to new data; use Identity → Repair for earlier numbers."
      options={[{ value: '', label: 'None: ignore such numbers' }, ...countryOptions]}
      {...bound}
    />
  )
}
