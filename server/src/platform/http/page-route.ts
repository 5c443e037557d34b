/** Answers outside the contract's envelope: pages a person opens, callbacks, raw webhooks. */
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
  /** What came twice, or holds what no text may hold, has no meaning and is left out. */
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
  /** Takes so many requests that they are answered without the framework (`direct.ts`); of a POST without parameters in its path. */
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
        await answerPage(service, route, request, reply)
        return reply
      },
    })
}

/** Rejects with what the page throws, which the caller sends. */
export async function answerPage(
  service: Service,
  route: PageRoute,
  request: Incoming,
  reply: Outgoing,
): Promise<void> {
  const answer = await route.handle(service, toPageRequest(request))
  reply.code(answer.status)
  reply.headers({ 'cache-control': 'no-store', ...answer.headers })
  if (answer.cookies !== undefined) reply.headers({ 'set-cookie': [...answer.cookies] })
  if (answer.body === null) {
    reply.send()
    return
  }
  const isHtml = typeof answer.body === 'object' && 'html' in answer.body
  const body = isHtml ? `<!doctype html>${(answer.body as Html).html}` : (answer.body as string | Buffer)
  reply.type(answer.contentType ?? (isHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'))
  reply.send(body)
}

/** The fields of a posted form, under the same rule; undefined for another content type. */
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
