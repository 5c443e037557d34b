/** Members of messages that others write: what has the wrong type counts as missing. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/**
 * Longer ones are cut: refusing them would lose the event, because the sender does not repeat it. What cannot be stored,
 * NUL and half of a surrogate pair, is left out or replaced.
 */
export function text(value: unknown, max: number): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  return value.replaceAll('\0', '').slice(0, max).toWellFormed() || undefined
}

/** Milliseconds; NaN for what is no time. */
export const instantOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Date.parse(String(value)) : Number.NaN

/** Undefined for what is no time, or beyond what a date can be. */
export function isoOf(ms: number): string | undefined {
  const at = new Date(ms)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export const withoutMissing = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
