/** Finds phone numbers that earlier releases read as numbers of another country. Pure. */
import { identifierKinds } from '@whence/engine'
import type { CountryCode } from 'libphonenumber-js/max'
import { findCountry } from '../../../platform/contract/countries.ts'
import type { EventBody } from '../../facts/events/stored.ts'
import { libPhoneNumber, lineOf, readPhone } from '../../facts/identity/phone.ts'

export type Misread = {
  /** The number of another country, E.164. */
  readAs: string
  readAsCountry: string | null
  /** Null if the number is not valid in its country; it then identifies no customer. */
  number: string | null
  country: string
}

/** Releases up to 0.1 put a `+` in front of the digits if the length was possible. */
function readWithoutCountry(typed: string) {
  const text = typed.trim().replace(/^p:/i, '').replace(/^00/, '+')
  if (text.startsWith('+')) return undefined
  const parsed = libPhoneNumber().parsePhoneNumberFromString(`+${text.replace(/\D/g, '')}`)
  return parsed?.isPossible() === true ? parsed : undefined
}

/** The number as earlier releases read it (E.164). Undefined if it has a country code or was not accepted. */
export const earlierReading = (typed: string): string | undefined => readWithoutCountry(typed)?.number

/** Undefined without a country, because then the earlier reading cannot be checked. */
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

/** Replaces the phone identifier of the body, or removes it if `phoneId` is null. */
export function withPhone(body: EventBody, phoneId: string | null): EventBody {
  const otherIdentifiers = body.identifiers.filter(({ kind }) => kind !== 'phone')
  const all =
    phoneId === null ? otherIdentifiers : [...otherIdentifiers, { kind: 'phone' as const, id: phoneId }]
  const rank = ({ kind }: EventBody['identifiers'][number]) => identifierKinds.indexOf(kind)
  return { ...body, identifiers: all.sort((a, b) => rank(a) - rank(b)) }
}
