/** Finds phone numbers that earlier versions read as numbers of another country. Pure. */
import { identifierKinds } from '@whence/engine'
import type { CountryCode } from 'libphonenumber-js/max'
import { findCountry } from '../../../platform/contract/countries.ts'
import type { EventBody } from '../../facts/events/stored.ts'
import { libPhoneNumber, lineOf, readPhone } from '../../facts/identity/phone.ts'

export type Misread = {
  /** The number of another country, E.164. */
  readAs: string
  readAsCountry: string | null
  /** Null where the number is not valid in its country: it then identifies no one. */
  number: string | null
  country: string
}

/** What versions up to 0.1 did: a `+` in front of the digits, if the length is possible. */
function readWithoutCountry(typed: string) {
  const text = typed.trim().replace(/^p:/i, '').replace(/^00/, '+')
  if (text.startsWith('+')) return undefined
  const parsed = libPhoneNumber().parsePhoneNumberFromString(`+${text.replace(/\D/g, '')}`)
  return parsed?.isPossible() === true ? parsed : undefined
}

/** E.164, or undefined where the number has a country code or was read as no number. */
export const earlierReading = (typed: string): string | undefined => readWithoutCountry(typed)?.number

/** Without a country nothing shows that the earlier reading was wrong. */
export function misreadPhone(typed: string, country: string | null): Misread | undefined {
  const code = findCountry(country)
  if (code === undefined) return undefined
  const before = readWithoutCountry(typed)
  if (
    before === undefined ||
    before.countryCallingCode === libPhoneNumber().getCountryCallingCode(code as CountryCode)
  )
    return undefined
  const number = readPhone(typed, code)
  if (number === before.number) return undefined
  return {
    readAs: before.number,
    readAsCountry: before.country ?? null,
    number: number === undefined ? null : lineOf(number),
    country: code,
  }
}

/** The body with another phone identifier, or with none. */
export function withPhone(body: EventBody, phoneId: string | null): EventBody {
  const others = body.identifiers.filter(({ kind }) => kind !== 'phone')
  const all = phoneId === null ? others : [...others, { kind: 'phone' as const, id: phoneId }]
  const rank = ({ kind }: EventBody['identifiers'][number]) => identifierKinds.indexOf(kind)
  return { ...body, identifiers: all.sort((a, b) => rank(a) - rank(b)) }
}
