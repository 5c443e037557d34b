import type { Service } from '../../../context.ts'
import type { JsonText } from '../../../platform/http/route.ts'

export type CachedResponse = {
  data: JsonText
  meta: Record<string, unknown>
  extra: Record<string, unknown> | undefined
}

const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_CHARACTERS_PER_RESPONSE = 1024 * 1024

/** Responses by ETag, bounded by size. A full cache is cleared, as in bounded-cache.ts. */
export class ResponseCache {
  #responses = new Map<string, CachedResponse>()
  #characters = 0

  get(etag: string): CachedResponse | undefined {
    return this.#responses.get(etag)
  }

  set(etag: string, response: CachedResponse): void {
    const characters = response.data.text.length
    if (characters > MAX_CHARACTERS_PER_RESPONSE || this.#responses.has(etag)) return
    if (this.#characters + characters > MAX_CHARACTERS) this.clear()
    this.#responses.set(etag, response)
    this.#characters += characters
  }

  clear(): void {
    this.#responses.clear()
    this.#characters = 0
  }

  get characters(): number {
    return this.#characters
  }
}

const caches = new WeakMap<Service, ResponseCache>()

export function responseCacheOf(service: Service): ResponseCache {
  const existing = caches.get(service)
  if (existing !== undefined) return existing
  const cache = new ResponseCache()
  caches.set(service, cache)
  return cache
}
