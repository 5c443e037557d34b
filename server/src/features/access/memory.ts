/**
 * What a process remembers of the database for a moment. A revoked key is refused within a second
 * on every process, so nothing here is older than half of one; what this process changes itself is
 * forgotten at once.
 */
import type { Service } from '../../context.ts'

const REMEMBER_MS = 500
const MOST_REMEMBERED = 20_000

type Entry = { value: unknown; until: number }
const memories = new WeakMap<Service, Map<string, Entry>>()

export async function remember<T>(service: Service, key: string, load: () => Promise<T>): Promise<T> {
  const memory = memories.get(service) ?? new Map<string, Entry>()
  memories.set(service, memory)
  const known = memory.get(key)
  const wallMs = performance.now()
  if (known !== undefined && known.until > wallMs) return known.value as T
  const value = await load()
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  memory.set(key, { value, until: wallMs + REMEMBER_MS })
  return value
}

export function forget(service: Service): void {
  memories.get(service)?.clear()
}
