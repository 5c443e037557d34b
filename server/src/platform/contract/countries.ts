/** Countries that have phone numbers, by their ISO 3166 codes, and the country that a zone and a currency point to. */

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
const known = new Set(countries)

/** Upper case only. */
export const isCountry = (text: string): boolean => known.has(text)

/** The country's code, any case in, upper case out; undefined for what is none. */
export function findCountry(text: string | null | undefined): string | undefined {
  const code = text?.trim().toUpperCase()
  return code !== undefined && isCountry(code) ? code : undefined
}

/** Newer than the types that TypeScript brings. */
type ZoneLocale = Intl.Locale & { getTimeZones?(): string[] | undefined }

let zonesByName: Map<string, string> | undefined

/** The runtime lists the zones of each country; no zone is listed for two. */
function listZones(): Map<string, string> {
  const zones = new Map<string, string>()
  for (const country of countries) {
    const locale = new Intl.Locale(`und-${country}`) as ZoneLocale
    for (const zone of locale.getTimeZones?.() ?? []) zones.set(zone, country)
  }
  return zones
}

/** By the name that a profile uses, which may be an alias; there are a few hundred names. */
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
 * Where a business with this zone and currency is, or null. The zone decides. Where the zone belongs to no country
 * (UTC), the first two letters of the currency name its country. The US dollar is left out: profiles have it by default.
 */
export function countryOf({ timezone, currency }: { timezone: string; currency: string }): string | null {
  const fromZone = countryOfZone(timezone)
  if (fromZone !== undefined) return fromZone
  const fromCurrency = currency.slice(0, 2)
  return currency !== 'USD' && isCountry(fromCurrency) ? fromCurrency : null
}

/** Stored in place of a country where somebody chose that there is none. */
export const NO_COUNTRY = 'ZZ'

/** The country in which a profile's phone numbers without a country code are read. */
export function phoneCountryOf(profile: {
  country: string | null
  timezone: string
  currency: string
}): string | null {
  if (profile.country === NO_COUNTRY) return null
  return profile.country ?? countryOf(profile)
}
