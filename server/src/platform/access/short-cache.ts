/**
 * Per-process cache of database lookups for half a second, so that a revoked key is refused within a second on every
 * process. Changes made by this process clear it immediately.
 */

import type { Service } from '../../context.ts'
import { BoundedCache } from '../bounded-cache.ts'

const TTL_MS = 500
const MAX_ENTRIES = 20_000

type Entry = { value: unknown; until: number }
type Cache = { entries: BoundedCache<string, Entry>; loading: Map<string, Promise<unknown>> }
const cachesByService = new WeakMap<Service, Map<string, Cache>>()

/**
 * Returns the value synchronously on a hit, to save the promise; concurrent misses share one load. Each kind has a
 * separate map: building a combined key for every lookup would cost more than the lookup.
 */
export function cachedBriefly<T>(
  service: Service,
  kind: string,
  key: string,
  load: () => Promise<T>,
): T | Promise<T> {
  const cache = cacheOf(service, kind)
  const entry = cache.entries.get(key)
  if (entry !== undefined && entry.until > performance.now()) return entry.value as T
  return (cache.loading.get(key) as Promise<T> | undefined) ?? loadInto(cache, key, load)
}

function cacheOf(service: Service, kind: string): Cache {
  return cachesByService.get(service)?.get(kind) ?? addCache(service, kind)
}

function addCache(service: Service, kind: string): Cache {
  const kinds = cachesByService.get(service) ?? new Map<string, Cache>()
  const cache = { entries: new BoundedCache<string, Entry>(MAX_ENTRIES), loading: new Map() }
  cachesByService.set(service, kinds.set(kind, cache))
  return cache
}

function loadInto<T>(cache: Cache, key: string, load: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const loading = load()
    .then((value) => {
      cache.entries.set(key, { value, until: startedAt + TTL_MS })
      return value
    })
    .finally(() => cache.loading.delete(key))
  cache.loading.set(key, loading)
  return loading
}

/** Queries in flight started before the change, so their results are discarded too. */
export function clearShortCache(service: Service): void {
  cachesByService.delete(service)
}
