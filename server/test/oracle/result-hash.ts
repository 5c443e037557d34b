import { createHash } from 'node:crypto'

/** SHA-256 over compact JSON with sorted keys. */
export function hashOf(data: unknown): string {
  return createHash('sha256').update(ordered(data)).digest('hex')
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${ordered((value as Record<string, unknown>)[key])}`).join(',')}}`
}
