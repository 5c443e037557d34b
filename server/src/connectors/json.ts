/** JSON of providers, whose ids do not all fit into a JavaScript number. */

/** A number that may be too long, where JSON can have one; not the ids that come as text, which are far more common. */
const LONG_NUMBER = /(?:^|[\s:,[])-?\d{16}/

/**
 * Whole numbers beyond 2^53 come as the text that was written, so that ids keep their digits; the schemas of ids take
 * both. All other values are as `JSON.parse` gives them.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context!.source
      : value,
  )
}
