/** Reads fields of third-party messages; a value of the wrong type counts as missing. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/**
 * Truncates long values: refusing them would lose the event, because the sender does not retry. NUL characters, which
 * cannot be stored, are removed; lone surrogates are replaced.
 */
export function text(value: unknown, max: number): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  return value.replaceAll('\0', '').slice(0, max).toWellFormed() || undefined
}

/** Milliseconds; NaN if the value is not a time. */
export const instantOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Date.parse(String(value)) : Number.NaN

/** Undefined if the value is not a time or outside the range of dates. */
export function isoOf(ms: number): string | undefined {
  const at = new Date(ms)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export const withoutMissing = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
