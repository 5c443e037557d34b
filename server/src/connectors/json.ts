/** JSON of providers, whose ids do not all fit into a JavaScript number. */

/**
 * Whole numbers beyond 2^53 come as the text that was written, so that ids keep their digits; the schemas of ids take
 * both. All other values are as `JSON.parse` gives them.
 */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context!.source
      : value,
  )
}
