/** Countries that have phone numbers, by ISO 3166 code, and the inference of a country from time zone and currency. */

const codes = [
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT',
  'BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER',
  'ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE',
  'IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV',
  'LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP',
  'NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK',
  'SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA',
  'VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
]
export const countries: readonly string[] = codes.flatMap((line) => line.split(' '))
const countrySet = new Set(countries)

/** Upper case only. */
export const isCountry = (text: string): boolean => countrySet.has(text)

/** Normalises a country code to upper case; undefined if it is not one. */
export function findCountry(text: string | null | undefined): string | undefined {
  const code = text?.trim().toUpperCase()
  return code !== undefined && isCountry(code) ? code : undefined
}

/** Newer than TypeScript's lib types. */
type ZoneLocale = Intl.Locale & { getTimeZones?(): string[] | undefined }

let zonesByName: Map<string, string> | undefined

/** Time zone to country, from the runtime's list of zones per country; no zone belongs to two countries. */
function listZones(): Map<string, string> {
  const zones = new Map<string, string>()
  for (const country of countries) {
    const locale = new Intl.Locale(`und-${country}`) as ZoneLocale
    for (const zone of locale.getTimeZones?.() ?? []) zones.set(zone, country)
  }
  return zones
}

/** Cache by the zone name as configured, which may be an alias; a few hundred names exist. */
const countriesOfZones = new Map<string, string | undefined>()

function countryOfZone(timezone: string): string | undefined {
  if (!countriesOfZones.has(timezone)) {
    zonesByName ??= listZones()
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions()
    countriesOfZones.set(timezone, zonesByName.get(timeZone))
  }
  return countriesOfZones.get(timezone)
}

/**
 * Infers the country of a business, or null. The time zone decides; if it belongs to no country (UTC), the first two
 * letters of the currency do. USD is ignored because it is the default currency of profiles.
 */
export function countryOf({ timezone, currency }: { timezone: string; currency: string }): string | null {
  const fromZone = countryOfZone(timezone)
  if (fromZone !== undefined) return fromZone
  const fromCurrency = currency.slice(0, 2)
  return currency !== 'USD' && isCountry(fromCurrency) ? fromCurrency : null
}

/** Stored when a person explicitly chose "no country". */
export const NO_COUNTRY = 'ZZ'

/** Default country for parsing a profile's phone numbers that have no country code. */
export function phoneCountryOf(profile: {
  country: string | null
  timezone: string
  currency: string
}): string | null {
  if (profile.country === NO_COUNTRY) return null
  return profile.country ?? countryOf(profile)
}
