/**
 * Parses phone numbers as people type them. A number without a country code is parsed for the given country; if it is not
 * valid there, it is not used, because guessing would turn it into a number of another country.
 */
import type * as LibPhoneNumber from 'libphonenumber-js/max'
import { findCountry } from '../../../platform/contract/countries.ts'
import { loadOnFirstUse } from '../../../platform/load-on-first-use.ts'

export const libPhoneNumber = loadOnFirstUse<typeof LibPhoneNumber>('libphonenumber-js/max')
type CountryCode = LibPhoneNumber.CountryCode

/** The number in E.164, or undefined if it is invalid or its country unknown. */
export function readPhone(typed: string, country: string | null): string | undefined {
  const text = typed
    .normalize('NFKC')
    .trim()
    .replace(/^(?:p|tel):\s*/i, '')
    .replace(/^00(?=\s*[1-9])/, '+')
  const code = findCountry(country)
  if (!text.startsWith('+') && code === undefined) return undefined
  const parsed = parse(withoutDoubleMark(text, code), code as CountryCode | undefined)
  if (parsed === undefined) return undefined
  const number = inPresentPlan(parsed.number)
  const checked = number === parsed.number ? parsed : parse(number, undefined)
  return checked?.isValid() === true ? number : undefined
}

const parse = (text: string, defaultCountry: CountryCode | undefined) =>
  libPhoneNumber().parsePhoneNumberFromString(text, {
    extract: false,
    ...(defaultCountry === undefined ? {} : { defaultCountry }),
  })

/** Argentine mobile numbers have a 9 (international) or a 15 (national); address books often contain both. */
function withoutDoubleMark(text: string, country: string | undefined): string {
  if (!text.startsWith('+') && country !== 'AR') return text
  const [, domestic] = /^5490?(\d{12})$/.exec(text.replace(/\D/g, '')) ?? []
  return domestic === undefined ? text : `+54${domestic}`
}

/**
 * Converts numbers of retired numbering plans, which chat apps and old address books still contain. Mexico dropped the
 * mobile `1` and the prefixes 01, 044 and 045 in 2019. Brazil added a 9 in front of mobile numbers by 2016; local numbers
 * that start with 2 to 5 are landlines and did not change. WhatsApp keeps the ids of both old plans: 521 in Mexico, and no
 * 9 in Brazil outside the area codes 11 to 28 (https://www.zoko.io/learning-article/whatsapp-id-brazil-mexico, read
 * 2026-11-17). A newer Brazilian mobile whose id without the 9 looks like a landline cannot be distinguished from one and
 * is left unchanged.
 */
function inPresentPlan(number: string): string {
  return number
    .replace(/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1')
    .replace(/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2')
}

/**
 * A canonical form, the same for every notation of a number. Argentine mobile numbers have a 9 in international notation
 * and none in national; landlines and mobiles share one numbering space, so the 9 distinguishes no numbers. WhatsApp ids
 * have the 9
 * (https://support.whapi.cloud/help-desk/faq/specifics-of-sending-messages-to-numbers-of-different-countries, read
 * 2026-11-17).
 */
export function lineOf(number: string): string {
  return number.replace(/^\+54([1-8]\d{9})$/, '+549$1')
}
