/** Members of messages that others write: what has the wrong type counts as missing. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Longer ones are cut: refusing them would lose the event, because the sender does not repeat it. */
export function text(value: unknown, max: number): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined
}

export const withoutMissing = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
