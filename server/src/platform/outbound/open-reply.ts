/** Streams a response body: resolves as soon as the response head has arrived. */
import { PassThrough, Readable } from 'node:stream'
import type { Outbound, OutboundRequest, ReplyHead } from './outbound.ts'

type OpenReply = ReplyHead & { body: Readable }

/** Only a body with status 200 is streamed; others are small. */
export function openReply(http: Outbound, request: OutboundRequest): Promise<OpenReply> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenReply>()
  const body = new PassThrough()
  // The error is delivered to the reader, if there is one.
  body.on('error', () => {})
  const receive = (head: ReplyHead) => {
    if (head.status !== 200) return null
    resolve({ ...head, body })
    return body
  }
  http.send({ ...request, once: true, receive }).then(({ status, headers, bytes }) => {
    resolve({ status, headers, body: Readable.from([bytes], { objectMode: false }) })
  }, reject)
  return promise
}
