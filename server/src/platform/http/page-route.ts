/** Routes outside the API contract: pages for people, callbacks, raw webhooks. */
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../context.ts'
import { readCookie } from './credentials.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { Html } from './html.ts'
import { checkText } from './json.ts'

export type PageRequest = {
  method: string
  requestId: string
  ip: string
  /** Path segments, decoded. */
  params: Record<string, string>
  /** Parameters that occur twice or contain invalid text are omitted. */
  query: Record<string, string>
  /** Names in lower case. */
  headers: Record<string, string>
  cookie(name: string): string | undefined
  bytes: Buffer
}

export type PageReply = {
  status: number
  headers?: Record<string, string>
  cookies?: readonly string[]
  body: Html | string | Buffer | null
  contentType?: string
}

export type PageRoute = {
  method: 'GET' | 'POST' | 'OPTIONS'
  /** Without `/api/v1`, with `{param}` segments. */
  path: string
  bodyLimit?: number
  /** Handled on the fast path (`direct.ts`) because of its request volume; only for POST without path parameters. */
  isDirect?: true
  handle(service: Service, request: PageRequest): Promise<PageReply>
}

export function mountPageRoutes(app: FastifyInstance, service: Service, routes: readonly PageRoute[]): void {
  for (const route of routes)
    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      handler: async (request, reply) => {
        await respondWithPage(service, route, request, reply)
        return reply
      },
    })
}

/** Rejects with the page's error, which the caller sends. */
export async function respondWithPage(
  service: Service,
  route: PageRoute,
  request: Incoming,
  reply: Outgoing,
): Promise<void> {
  const response = await route.handle(service, toPageRequest(request))
  reply.code(response.status)
  reply.headers({ 'cache-control': 'no-store', ...response.headers })
  if (response.cookies !== undefined) reply.headers({ 'set-cookie': [...response.cookies] })
  if (response.body === null) {
    reply.send()
    return
  }
  const isHtml = typeof response.body === 'object' && 'html' in response.body
  const body = isHtml ? `<!doctype html>${(response.body as Html).html}` : (response.body as string | Buffer)
  reply.type(response.contentType ?? (isHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'))
  reply.send(body)
}

/** Fields of a posted form, filtered by the same rules as the query; undefined for another content type. */
export function readForm(page: PageRequest): Record<string, string> | undefined {
  const type = (page.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return undefined
  const values = new URLSearchParams(page.bytes.toString('utf8'))
  return textsOf(
    Object.fromEntries([...values.keys()].map((name) => [name, single(values.getAll(name))] as const)),
  )
}

function single(values: string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined
}

function toPageRequest(request: Incoming): PageRequest {
  return {
    method: request.method,
    requestId: request.id,
    ip: request.ip,
    params: textsOf(request.params),
    query: textsOf(request.query),
    headers: request.headers as Record<string, string>,
    cookie: (name) => readCookie(request.headers.cookie, name),
    bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}

function textsOf(values: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(values as Record<string, unknown>))
    if (typeof value === 'string' && checkText(value) === null) texts[name] = value
  return texts
}
