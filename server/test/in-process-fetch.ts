/**
 * A fetch that passes requests to the service's router without a socket, which saves two thirds of the CPU of a small
 * request. Tests of the wire protocol use a real fetch at `baseUrl`. Follows no redirects.
 */
import type { FastifyInstance, InjectOptions } from 'fastify'

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array | Blob }

export function inProcessFetch(http: FastifyInstance): typeof fetch {
  return (async (url: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const reply = await http.inject({
      method: method as InjectOptions['method'] & string,
      url,
      headers,
      ...(body === undefined ? {} : { payload: await toPayload(body) }),
    })
    const { statusCode: status } = reply
    return {
      status,
      ok: status >= 200 && status < 300,
      get headers() {
        return new Headers(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
      },
      text: async () => reply.payload,
      json: async () => JSON.parse(reply.payload),
    }
  }) as unknown as typeof fetch
}

async function toPayload(body: string | Uint8Array | Blob): Promise<string | Buffer> {
  if (typeof body === 'string') return body
  return body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : Buffer.from(body)
}
