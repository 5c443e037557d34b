/**
 * What a process remembers of the database for a moment. A revoked key is refused within a second
 * on every process, so nothing here is older than half of one; what this process changes itself is
 * forgotten at once.
 */

import type { Service } from '../../context.ts'
import { BoundedCache } from '../bounded-cache.ts'

const REMEMBER_MS = 500
const MAX_REMEMBERED = 20_000

type Entry = { value: unknown; until: number }
type Memory = { entries: BoundedCache<string, Entry>; loading: Map<string, Promise<unknown>> }
const memories = new WeakMap<Service, Map<string, Memory>>()

/**
 * The value itself while it is remembered, so that who asks often pays for no promise; what many ask
 * at once is queried once. Each kind has keys of its own: joining the two for every lookup
 * would cost more than the answer.
 */
export function remember<T>(
  service: Service,
  kind: string,
  key: string,
  load: () => Promise<T>,
): T | Promise<T> {
  const memory = memoryOf(service, kind)
  const known = memory.entries.get(key)
  if (known !== undefined && known.until > performance.now()) return known.value as T
  return (memory.loading.get(key) as Promise<T> | undefined) ?? learn(memory, key, load)
}

function memoryOf(service: Service, kind: string): Memory {
  return memories.get(service)?.get(kind) ?? addMemory(service, kind)
}

function addMemory(service: Service, kind: string): Memory {
  const kinds = memories.get(service) ?? new Map<string, Memory>()
  const memory = { entries: new BoundedCache<string, Entry>(MAX_REMEMBERED), loading: new Map() }
  memories.set(service, kinds.set(kind, memory))
  return memory
}

function learn<T>(memory: Memory, key: string, load: () => Promise<T>): Promise<T> {
  const asked = performance.now()
  const loading = load()
    .then((value) => {
      memory.entries.set(key, { value, until: asked + REMEMBER_MS })
      return value
    })
    .finally(() => memory.loading.delete(key))
  memory.loading.set(key, loading)
  return loading
}

/** A query in flight started before the change, so its result is dropped with the rest. */
export function forget(service: Service): void {
  memories.delete(service)
}
