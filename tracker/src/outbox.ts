// Stores every event until the collector responds with 202. One entry per event, so that tabs writing
// concurrently cannot overwrite each other. Resending is harmless because event ids never change.
import { backoffMs, fitBatch, retryAfterMs, verdictOf } from './delivery.ts'
import { erase, names, read, write } from './store.ts'
import {
  type CollectBody,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  type SentEvent,
  type WireEvent,
} from './wire.ts'

const PATH = '/api/tracking/collect'
const ENTRY = 'e.'
const MAX_WAITING = 500
const TIMEOUT_MS = 10_000
const BATCH_DELAY_MS = 100
const PREFER_CANONICAL_MS = 600_000
const DAY_MS = 86_400_000

type Reply = { status: number; retryAfter: string | null }
type WaitingEvent = { name: string; text: string; event: WireEvent; size: number }

export type Outbox = { add(event: WireEvent): void; flush(): void; leave(): void; retryNow(): void }

export function openOutbox(
  config: { key: string; origin: string; canonical: string },
  isAllowed: () => boolean,
): Outbox {
  const inFlight = new Set<string>()
  const beaconed = new Set<string>()
  let busy = false
  let stopped = false
  let failures = 0
  let retryAt = 0
  let maxEvents = MAX_BATCH_EVENTS
  let timer: ReturnType<typeof setTimeout> | undefined

  function origins(): string[] {
    const hasCanonical = config.canonical && config.canonical !== config.origin
    if (!hasCanonical) return [config.origin]
    return until('canonical') > 0 ? [config.canonical, config.origin] : [config.origin, config.canonical]
  }

  /** Milliseconds until the stored time. A time further away than any wait we set means that the clock was changed; it is ignored. */
  function until(name: string): number {
    const ms = Number(read(name) || 0) - Date.now()
    return ms > DAY_MS ? 0 : ms
  }

  function waiting(): WaitingEvent[] {
    const entries: WaitingEvent[] = []
    for (const name of names()) {
      if (!name.startsWith(ENTRY) || inFlight.has(name)) continue
      const text = read(name)
      if (!text) continue
      try {
        // The size includes `sent_at`, which is added when sending.
        entries.push({ name, text, event: JSON.parse(text), size: new Blob([text]).size + 40 })
      } catch {
        erase(name)
      }
    }
    entries.sort((a, b) => (a.event.occurred_at < b.event.occurred_at ? -1 : 1))
    for (const old of entries.splice(0, Math.max(0, entries.length - MAX_WAITING))) erase(old.name)
    return entries
  }

  function next(from: WaitingEvent[]): WaitingEvent[] {
    const sizes = from.map((entry) => entry.size)
    return from.slice(0, fitBatch(sizes, maxEvents))
  }

  function bodyOf(batch: WaitingEvent[]): string {
    const sent_at = new Date().toISOString()
    const events = batch.map((entry): SentEvent => ({ ...entry.event, sent_at }))
    return JSON.stringify({ key: config.key, events } satisfies CollectBody)
  }

  async function post(origin: string, body: string): Promise<Reply> {
    const abort = new AbortController()
    const deadline = setTimeout(() => abort.abort(), TIMEOUT_MS)
    try {
      const response = await fetch(origin + PATH, {
        method: 'POST',
        body,
        // text/plain needs no preflight.
        headers: { 'Content-Type': 'text/plain' },
        credentials: 'omit',
        keepalive: true,
        signal: abort.signal,
      })
      return { status: response.status, retryAfter: response.headers.get('Retry-After') }
    } catch {
      return { status: 0, retryAfter: null }
    } finally {
      clearTimeout(deadline)
    }
  }

  async function postWithFallback(body: string): Promise<Reply> {
    const [first, second] = origins() as [string, string?]
    // An attempt that starts offline proves nothing about the first origin, even if the network is back since.
    const offline = navigator.onLine === false
    const answer = await post(first, body)
    if (!second || offline || verdictOf(answer.status) !== 'failed' || !isAllowed()) return answer
    const secondAnswer = await post(second, body)
    // If both fail, it is the network, which proves nothing about the first origin.
    if (verdictOf(secondAnswer.status) !== 'failed' && isAllowed()) {
      if (second === config.canonical) write('canonical', String(Date.now() + PREFER_CANONICAL_MS))
      else erase('canonical')
    }
    return secondAnswer
  }

  function settle(batch: WaitingEvent[], answer: Reply): void {
    // If consent was withdrawn meanwhile, the storage is empty and must stay empty.
    if (!isAllowed()) return
    // A newer version of an order may have been written under the same id meanwhile; it was not in this request.
    const forget = () => {
      for (const { name, text } of batch) if (read(name) === text) erase(name)
    }
    const verdict = verdictOf(answer.status)
    if (verdict === 'stored' || verdict === 'drop' || verdict === 'stop') {
      forget()
      failures = 0
      maxEvents = MAX_BATCH_EVENTS
      stopped = verdict === 'stop'
    } else if (verdict === 'split') {
      if (batch.length === 1) forget()
      else maxEvents = batch.length >> 1
    } else {
      // At least our own backoff, so that "Retry-After: 0" causes no busy loop.
      const requestedMs = retryAfterMs(answer.retryAfter, Date.now()) || 0
      const ms = Math.max(requestedMs, backoffMs(failures++, Math.random()))
      if (verdict === 'wait') write('wait', String(Date.now() + ms))
      else retryAt = Date.now() + ms
    }
  }

  function scheduleFlush(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(flush, ms)
  }

  function flush(): void {
    if (busy || stopped || !isAllowed()) return
    const pause = Math.max(until('wait'), retryAt - Date.now())
    const batch = next(waiting())
    if (!batch.length) return
    if (pause > 0) {
      scheduleFlush(pause)
      return
    }
    busy = true
    for (const entry of batch) inFlight.add(entry.name)
    void postWithFallback(bodyOf(batch)).then((answer) => {
      for (const entry of batch) inFlight.delete(entry.name)
      settle(batch, answer)
      busy = false
      flush()
    })
  }

  return {
    add(event) {
      const text = JSON.stringify(event)
      if (new Blob([text]).size > MAX_BATCH_BYTES - 200) throw new Error('event too large')
      write(ENTRY + event.event_id, text)
      scheduleFlush(BATCH_DELAY_MS)
    },
    flush,
    /**
     * The response to a beacon cannot be read, so its events stay stored until a later request confirms them. Leaving
     * fires several events; each stored event is sent by beacon only once.
     */
    leave() {
      if (stopped || !isAllowed() || until('wait') > 0) return
      const unsent = waiting().filter((entry) => !beaconed.has(entry.name))
      while (unsent.length) {
        const batch = unsent.splice(0, next(unsent).length)
        for (const entry of batch) beaconed.add(entry.name)
        const body = new Blob([bodyOf(batch)], { type: 'text/plain' })
        if (!navigator.sendBeacon?.(origins()[0] + PATH, body)) return
      }
    },
    retryNow() {
      retryAt = 0
      failures = 0
      flush()
    },
  }
}
