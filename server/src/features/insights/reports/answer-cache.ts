import type { Service } from '../../../context.ts'
import type { JsonText } from '../../../platform/http/route.ts'

export type CachedAnswer = {
  data: JsonText
  meta: Record<string, unknown>
  extra: Record<string, unknown> | undefined
}

const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_CHARACTERS_OF_ONE = 1024 * 1024

/** Answers by ETag. A full cache is emptied, as in bounded-cache.ts; here size counts instead of number. */
export class AnswerCache {
  #answers = new Map<string, CachedAnswer>()
  #characters = 0

  get(etag: string): CachedAnswer | undefined {
    return this.#answers.get(etag)
  }

  set(etag: string, answer: CachedAnswer): void {
    const characters = answer.data.text.length
    if (characters > MAX_CHARACTERS_OF_ONE || this.#answers.has(etag)) return
    if (this.#characters + characters > MAX_CHARACTERS) this.clear()
    this.#answers.set(etag, answer)
    this.#characters += characters
  }

  clear(): void {
    this.#answers.clear()
    this.#characters = 0
  }

  get characters(): number {
    return this.#characters
  }
}

const caches = new WeakMap<Service, AnswerCache>()

export function answerCacheOf(service: Service): AnswerCache {
  const known = caches.get(service)
  if (known !== undefined) return known
  const cache = new AnswerCache()
  caches.set(service, cache)
  return cache
}
