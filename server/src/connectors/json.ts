/** Parses JSON of providers, whose ids may exceed the safe integers of JavaScript. */

/** A number of 16 digits or more in a place where JSON allows numbers. Ids in strings, which are far more common, do not match. */
const LONG_NUMBER = /(?:^|[\s:,[])-?\d{16}/

/**
 * Integers beyond 2^53 are returned as their source text, so that ids keep all digits; the schemas of ids accept
 * both. All other values equal those of `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context!.source
      : value,
  )
}
