/** The one way out of the process. Everything that leaves goes through an `Outbound`. */
import type { Writable } from 'node:stream'

/** A body that is sent as it comes and never held as a whole. It can be read once, so such a request needs `once`. */
export type BodyStream = { size: number; chunks: AsyncIterable<Uint8Array> }

export type ReplyHead = Pick<OutboundReply, 'status' | 'headers'>

export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | BodyStream
  /**
   * Where the body of a reply with this head goes as it comes, at the reader's pace; null collects it in `bytes`.
   * Needs `once`: what was written cannot be taken back.
   */
  receive?: (head: ReplyHead) => Writable | null
  /** Whole budget of one try, connecting included; where a body is streamed, of each pause. */
  timeoutMs?: number
  signal?: AbortSignal
  /** A failure that is an answer to this very request: asking the same again would be in vain. */
  isFinalReply?: (reply: OutboundReply) => boolean
  /** Never repeated: what it does must not be done twice, and an answer that was lost may have been a yes. */
  once?: boolean
  /** The largest reply that is read, where this one may be larger or has to be smaller than usual. */
  maxBytes?: number
}

export type OutboundReply = {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  bytes: Uint8Array
}

/** Why no reply came: never carries the URL's query or a header, so it may be logged. */
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
