/** One delivery attempt: sends the signed request and interprets the response. */
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import { OutboundError } from '../../../../platform/outbound/outbound.ts'
import { signWebhook } from '../../../../platform/outbound/standard-webhooks.ts'
import { retryAfterMs } from '../../../../platform/retry.ts'
import type { ReadyDelivery } from './load.ts'

export type AttemptResult = {
  ok: boolean
  status: number | null
  error: string | null
  retryAfterMs: number | null
  durationMs: number
}

const GONE = 410

/** Undefined if the attempt was aborted, which does not count as a failure of the receiver. */
export async function attemptDelivery(
  http: Outbound,
  delivery: ReadyDelivery,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const startedAt = performance.now()
  const toResult = (result: Omit<AttemptResult, 'durationMs'>): AttemptResult => ({
    ...result,
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    // Receivers compare the timestamp with real time, so it must not come from the service's clock, which a sandbox may move.
    const sentAt = new Date()
    const reply = await http.send({
      method: 'POST',
      url: delivery.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Whence-Webhooks',
        'x-whence-delivery-id': delivery.id,
        ...signWebhook(delivery.keys, { id: delivery.eventId, sentAt, body: delivery.body }),
      },
      body: delivery.body,
      signal,
    })
    const { status } = reply
    const ok = status >= 200 && status < 300
    return toResult({
      ok,
      status,
      error: ok ? null : status === GONE ? 'gone' : 'status',
      retryAfterMs: ok ? null : retryAfterMs(reply.headers['retry-after'], sentAt.getTime()),
    })
  } catch (error) {
    if (signal.aborted) return undefined
    const kind = error instanceof OutboundError ? error.kind : 'unexpected'
    return toResult({ ok: false, status: null, error: kind, retryAfterMs: null })
  }
}
