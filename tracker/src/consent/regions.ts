// Whether a visitor may be in a region of consent mode; the page knows only the browser's time zone.
const EUROPEAN =
  /^(AT|BE|BG|HR|CY|CZ|DK|EE|FI|FR|DE|GR|HU|IE|IT|LV|LT|LU|MT|NL|PL|PT|RO|SK|SI|ES|SE|IS|LI|NO|GB|CH)(-|$)/i
const EUROPEAN_ZONE =
  /^(Europe\/|Arctic\/|Atlantic\/(Canary|Madeira|Azores|Reykjavik|Faroe)$|Asia\/(Nicosia|Famagusta)$)/
const AMERICAN = /^(US|CA)(-|$)/i
const AMERICAN_ZONE = /^(America\/|Pacific\/Honolulu$)/

/**
 * Errors go towards asking: where the zone does not decide, a denial applies and a grant does not. A zone of Europe is
 * not enough for the grant of one country there.
 */
export function mayLieIn(code: string, timeZone: string, isDenial: boolean): boolean {
  if (EUROPEAN.test(code)) return isDenial && EUROPEAN_ZONE.test(timeZone)
  if (AMERICAN.test(code)) return AMERICAN_ZONE.test(timeZone)
  return isDenial
}
