/** Most times come as UTC to the millisecond or microsecond; the general parser costs five times this one. */
const UTC_SUFFIX = '+00'
const MODERN_LENGTH = '2026-01-01 00:00:00+00'.length

export function parseTimestamp(text: string, otherwise: (text: string) => unknown): unknown {
  if (!text.endsWith(UTC_SUFFIX) || text.length < MODERN_LENGTH || text[10] !== ' ') return otherwise(text)
  const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, -UTC_SUFFIX.length)}Z`)
  return Number.isNaN(ms) ? otherwise(text) : new Date(ms)
}
