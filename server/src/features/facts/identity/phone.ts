/**
 * Reads phone numbers as people type them. A number without a country code is read in the given country; a number that
 * is not valid there is not resolved, because guessing turns it into a number of another country.
 */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { findCountry } from '../../../platform/contract/countries.ts'

/** E.164, or undefined where the number is not valid or its country is unknown. */
export function readPhone(typed: string, country: string | null): string | undefined {
  const text = typed
    .normalize('NFKC')
    .trim()
    .replace(/^(?:p|tel):\s*/i, '')
    .replace(/^00(?=\s*[1-9])/, '+')
  const code = findCountry(country)
  if (!text.startsWith('+') && code === undefined) return undefined
  const parsed = parse(text, code as CountryCode | undefined)
  if (parsed === undefined) return undefined
  const number = inPresentPlan(parsed.number)
  const checked = number === parsed.number ? parsed : parse(number, undefined)
  return checked?.isValid() === true ? number : undefined
}

const parse = (text: string, defaultCountry: CountryCode | undefined) =>
  parsePhoneNumberFromString(text, {
    extract: false,
    ...(defaultCountry === undefined ? {} : { defaultCountry }),
  })

/**
 * Numbers of retired numbering plans that chat apps and old address books still contain. Mexico dropped the mobile `1`
 * and the prefixes 01, 044 and 045 in 2019. Brazil put a 9 in front of mobile numbers by 2016; local numbers that begin
 * with 2 to 5 are landlines and did not change.
 */
function inPresentPlan(number: string): string {
  return number
    .replace(/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1')
    .replace(/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2')
}

/**
 * The same for every notation of one line. An Argentine mobile is written with a 9 from abroad and without it at home;
 * landlines and mobiles share one numbering space, so the 9 does not tell two lines apart.
 */
export function lineOf(number: string): string {
  return number.replace(/^\+54([1-8]\d{9})$/, '+549$1')
}
