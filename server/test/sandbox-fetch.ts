/**
 * A `fetch` for official clients that sends every request to one sandbox, regardless of the host.
 * In this process, without a socket.
 */
import type { Sandbox } from '@whence/sandbox/sandbox.ts'

const origin = 'https://whence.test'

export function sandboxFetch(sandbox: Sandbox, prefix = ''): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const reply = await sandbox.handle({
      method: request.method,
      path: `${prefix}${url.pathname}`,
      query: url.searchParams,
      rawQuery: url.search.slice(1),
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
      baseUrl: `${origin}/sandbox/${sandbox.name}`,
    })
    if (reply.cut) throw new TypeError('fetch failed')
    const isText = typeof reply.body === 'string' || reply.body instanceof Uint8Array
    const body = isText ? Buffer.from(reply.body as string) : JSON.stringify(reply.body)
    return new Response(body, {
      status: reply.status,
      headers: { ...(body.length === 0 ? {} : { 'content-type': 'application/json' }), ...reply.headers },
    })
  }
}
