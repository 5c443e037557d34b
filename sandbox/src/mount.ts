/**
 * Mounts sandboxes on an HTTP server: `/sandbox/<name>/…` becomes a request below that sandbox's base
 * URL. The service and the tests share this code.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox, SandboxReply, SandboxRequest } from './sandbox.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024

/** The used part of an incoming request; its body may have been buffered already. */
export type SandboxHttpRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'> & AsyncIterable<unknown>

export type SandboxMount = {
  /** Largest body that any sandbox accepts. */
  maxBodyBytes: number
  /** Null when the URL belongs to no sandbox. */
  answer(request: SandboxHttpRequest): Promise<SandboxReply | null>
  /** Sends the response, including delays and cut connections. */
  send(response: ServerResponse, reply: SandboxReply): Promise<void>
}

export type SandboxMountOptions = {
  sandboxes: Sandbox[]
  /** Scheme, host, port and path prefix of this server for the browser and the connectors. */
  origin: () => string
  prefix?: string
}

export function mountSandboxes(options: SandboxMountOptions): SandboxMount {
  const prefix = options.prefix ?? '/sandbox'
  const byName = new Map(options.sandboxes.map((sandbox) => [sandbox.name, sandbox]))
  return {
    maxBodyBytes: Math.max(MAX_BODY_BYTES, ...options.sandboxes.map(({ uploadBytes = 0 }) => uploadBytes)),
    async answer(request) {
      const url = new URL(request.url ?? '/', options.origin())
      if (!url.pathname.startsWith(`${prefix}/`)) return null
      const [name = '', ...rest] = url.pathname.slice(prefix.length + 1).split('/')
      const sandbox = byName.get(name)
      if (!sandbox) return null
      const path = `/${rest.join('/')}`
      const body = await readBody(
        request,
        sandbox.isUpload?.(path) ? (sandbox.uploadBytes ?? 0) : MAX_BODY_BYTES,
      )
      if (body === null) return { status: 413, body: { error: 'payload_too_large' } }
      const sandboxRequest: SandboxRequest = {
        method: request.method ?? 'GET',
        path,
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers: flatHeaders(request),
        body,
        baseUrl: `${options.origin()}${prefix}/${name}`,
      }
      return sandbox.handle(sandboxRequest)
    },
    send,
  }
}

async function send(response: ServerResponse, reply: SandboxReply): Promise<void> {
  if (reply.cut === 'reset') {
    response.destroy()
    return
  }
  // The caller's own timeout ends a hanging connection.
  if (reply.cut === 'hang') return
  if (reply.delayMs) await delay(reply.delayMs, undefined, { ref: false })
  if (response.destroyed) return
  const isJson = typeof reply.body !== 'string' && !(reply.body instanceof Uint8Array)
  const bytes = isJson
    ? Buffer.from(JSON.stringify(reply.body))
    : Buffer.from(reply.body as string | Uint8Array)
  const type = isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
  response.writeHead(reply.status, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...reply.headers,
  })
  response.end(bytes)
}

async function readBody(request: SandboxHttpRequest, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > maxBytes) return null
  }
  return Buffer.concat(chunks)
}

function flatHeaders(request: SandboxHttpRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
