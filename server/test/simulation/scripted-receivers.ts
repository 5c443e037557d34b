/** Webhook endpoints that respond, fail, hang, send Retry-After or are gone, depending on the seed. */
import { type Outbound, OutboundError, type OutboundReply } from '../../src/platform/outbound/outbound.ts'
import type { Random } from '../oracle/random.ts'
import type { VirtualTime } from './virtual-time.ts'

/** `steady` always succeeds immediately; `broken` never does; `moody` mixes; `leaving` may respond 410. */
export type Mood = 'steady' | 'moody' | 'broken' | 'leaving'

/** An attempt of a delivery, whether it arrived or not, timed by a monotonic clock. */
export type Try = {
  atMs: number
  endMs: number
  /** How far the other clocks had been moved until then: a retry may be due that much earlier. */
  movedMs: number
  /** The receiver's response; null if the request or the response was lost. */
  status: number | null
}

export type Receivers = {
  outbound: Outbound
  /** By delivery, in order. */
  tries: Map<string, Try[]>
  /** From now on all but the broken ones succeed quickly. */
  calm: boolean
  urlOf(subscriptionId: string, mood: Mood): string
}

type Answer = { status: number | null; afterMs: number; headers?: Record<string, string>; arrives: boolean }

const TIMEOUT_MS = 15_000

export function createReceivers(time: VirtualTime, random: Random, movedMs: () => number): Receivers {
  const receivers: Receivers = {
    tries: new Map(),
    calm: false,
    urlOf: (subscriptionId, mood) => `https://${mood}.example/${subscriptionId}`,
    outbound: { send, close: async () => {} },
  }

  function choose(mood: Mood): Answer {
    const afterMs = random.int(1, 400)
    if (mood === 'broken') return { status: 500, afterMs, arrives: true }
    if (mood === 'steady' || receivers.calm) return { status: 200, afterMs: random.int(1, 60), arrives: true }
    if (mood === 'leaving' && random.chance(0.02)) return { status: 410, afterMs, arrives: true }
    const fate = random.next()
    if (fate < 0.5) return { status: 204, afterMs, arrives: true }
    if (fate < 0.65) return { status: 500, afterMs, arrives: true }
    if (fate < 0.72) return { status: 503, afterMs, arrives: true, headers: { 'retry-after': '120' } }
    if (fate < 0.78)
      return { status: 302, afterMs, arrives: true, headers: { location: 'https://else.example/' } }
    // The request arrives, but the response is lost.
    if (fate < 0.85) return { status: null, afterMs, arrives: true }
    if (fate < 0.92) return { status: null, afterMs, arrives: false }
    return { status: null, afterMs: TIMEOUT_MS, arrives: random.chance(0.5) }
  }

  function send(request: Parameters<Outbound['send']>[0]): Promise<OutboundReply> {
    const url = new URL(request.url)
    const answer = choose(url.hostname.split('.')[0] as Mood)
    const deliveryId = request.headers?.['x-whence-delivery-id'] ?? ''
    const atMs = time.monotonicMs()
    const attempt: Try = { atMs, endMs: atMs + answer.afterMs, movedMs: movedMs(), status: null }
    if (answer.arrives) attempt.status = answer.status
    receivers.tries.set(deliveryId, [...(receivers.tries.get(deliveryId) ?? []), attempt])
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        attempt.endMs = time.monotonicMs()
        if (answer.status === null) reject(new OutboundError('timeout', 'No reply'))
        else resolve({ status: answer.status, headers: answer.headers ?? {}, bytes: new Uint8Array() })
      }, answer.afterMs)
      request.signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(new OutboundError('timeout', 'Given up'))
      })
    })
  }

  return receivers
}
