/** The interface for all outgoing HTTP requests. */
import type { Writable } from 'node:stream'

/** A streamed body, never buffered as a whole. It can be read only once, so the request needs `once`. */
export type BodyStream = { size: number; chunks: AsyncIterable<Uint8Array> }

export type ReplyHead = Pick<OutboundReply, 'status' | 'headers'>

export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | BodyStream
  /**
   * Returns a stream for the response body, with backpressure; null collects it in `bytes`. Needs `once`, because
   * written data cannot be withdrawn on a retry.
   */
  receive?: (head: ReplyHead) => Writable | null
  /** Timeout of one attempt including connecting; for streamed bodies, of each pause. */
  timeoutMs?: number
  signal?: AbortSignal
  /** True if an error response is specific to this request, so that a retry would fail again. */
  isFinalReply?: (reply: OutboundReply) => boolean
  /** Never retried, because the effect must not happen twice, and a lost response may have been a success. */
  once?: boolean
  /** Overrides the maximum response size. */
  maxBytes?: number
}

export type OutboundReply = {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  bytes: Uint8Array
}

/** Why there was no response. Never contains the URL's query or a header, so it may be logged. */
export class OutboundError extends Error {
  readonly kind: 'timeout' | 'unreachable' | 'blocked' | 'too_large' | 'breaker_open'
  constructor(kind: OutboundError['kind'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'OutboundError'
    this.kind = kind
  }
}

export type Outbound = {
  send(request: OutboundRequest): Promise<OutboundReply>
  close(): Promise<void>
}
