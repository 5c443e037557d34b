/** What somebody meant who wrote an address or a number in a way that names nobody. Pure. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { normaliseEmail, normalisePhone } from '../identity/identifiers.ts'

export type Repairable = 'email' | 'phone'

/** Undefined where nothing certain can be made of it, or it names somebody as it is. */
export function repairOf(trait: Repairable, value: string, country: string | null): string | undefined {
  if (trait === 'email') return normaliseEmail(value) === undefined ? repairEmail(value) : undefined
  return normalisePhone(value) === undefined ? repairPhone(value, country) : undefined
}

/** `Ana Paz <ana@example.com>`, `<mailto:ana@example.com>`, `ana @ example.com,` */
function repairEmail(value: string): string | undefined {
  const inside = /<([^<>]+)>/.exec(value)?.[1] ?? value
  const plain = inside
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/(?<![.,;])[.,;]+$/, '')
    .replace(/(?<!\s)\s*([@.])\s*/g, '$1')
  return normaliseEmail(plain)
}

/** A number as it is written at home; which country that is has to be given. */
function repairPhone(value: string, country: string | null): string | undefined {
  if (country === null) return undefined
  const code = country.toUpperCase()
  if (!isSupportedCountry(code)) return undefined
  const parsed = parsePhoneNumberFromString(
    value.normalize('NFKC').replace(/^(p:|tel:)/i, ''),
    code as CountryCode,
  )
  return parsed?.isPossible() === true ? parsed.number : undefined
}
