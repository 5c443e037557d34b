/** `/mcp`: the Model Context Protocol over HTTP, without sessions, for clients of 2026 and 2025. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../context.ts'
import { ApiError } from '../platform/contract/errors.ts'
import { withAnswerTimeout } from '../platform/db/answer-timeout.ts'
import { spendRequest } from '../platform/http/authenticate-request.ts'
import { unauthorized } from '../platform/http/authorize.ts'
import { readCaller } from '../platform/http/credentials.ts'
import type { Route } from '../platform/http/route.ts'
import type { UsageCounter } from '../platform/http/usage.ts'
import type { Session } from './server.ts'
import { type McpCaller, toolsOf } from './tools.ts'

export function mountMcp(
  app: FastifyInstance,
  parts: { service: Service; routes: readonly Route[]; usage: UsageCounter },
): void {
  const { service, usage } = parts
  // Created on the first call, because their schemas would delay every start.
  let tools: Session['tools'] | undefined
  let handler: ReturnType<typeof loadHandler> | undefined
  const metadata = `${service.config.BASE_URL}/.well-known/oauth-protected-resource/mcp`
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    onRequest: async (request, reply) => {
      checkOrigin(service, request)
      const caller =
        request.headers.authorization === undefined ? undefined : await readCaller(service, request)
      if (caller === undefined || !isMcpCaller(caller)) {
        reply.header('www-authenticate', `Bearer realm="whence", resource_metadata="${metadata}"`)
        throw unauthorized()
      }
      request.caller = caller
      await withAnswerTimeout(spendRequest(service, { method: 'GET', cost: 1 }, caller.credentialId, reply))
      if (!caller.scopes.some((scope) => scope === 'mcp:read' || scope === 'mcp:write'))
        throw new ApiError('insufficient_scope', 'The credential lacks the scope mcp:read.', {
          required_scopes: ['mcp:read'],
        })
    },
    handler: async (request, reply) => {
      const caller = request.caller as McpCaller
      tools ??= new Map(toolsOf(parts.routes).map((tool) => [tool.route.entry.name, tool]))
      const session: Session = {
        service,
        tools,
        caller,
        origin: { requestId: request.id, ip: request.ip, userAgent: request.headers['user-agent'] ?? '' },
        onCalled: (operation, ok) => usage.count(caller.credentialId, operation, ok),
      }
      const authInfo = {
        token: '',
        clientId: caller.credentialId,
        scopes: [...caller.scopes],
        extra: { session },
      }
      handler ??= loadHandler()
      const response = await (await handler).fetch(toWebRequest(service, request), { authInfo })
      reply.code(response.status).header('cache-control', 'no-store')
      response.headers.forEach((value, name) => {
        reply.header(name, value)
      })
      return reply.send(response.body === null ? null : Readable.fromWeb(response.body as ReadableStream))
    },
  })
}

/** Loaded on the first request: most deployments use no assistant, and the protocol's package takes 30 MB. */
async function loadHandler() {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  return createMcpHandler((context) => createMcpServer(context.authInfo!.extra!.session as Session), {
    // The list of tools does not change while a client is connected.
    maxSubscriptions: 0,
  })
}

/** Console sessions are not accepted: only tokens and keys limit what an assistant may do. */
function isMcpCaller(caller: NonNullable<FastifyRequest['caller']>): caller is McpCaller {
  return caller.kind === 'key' || (caller.kind === 'user' && caller.via === 'token')
}

/** Protects a service on a private network from cross-site requests and DNS rebinding. */
function checkOrigin(service: Service, { headers }: FastifyRequest): void {
  if (headers.origin !== undefined && headers.origin !== new URL(service.config.BASE_URL).origin)
    throw new ApiError('forbidden', 'Requests from other origins are rejected.', { reason: 'cross_origin' })
}

function toWebRequest(service: Service, request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
  const body =
    Buffer.isBuffer(request.body) && request.method === 'POST' ? new Uint8Array(request.body) : null
  return new Request(`${service.config.BASE_URL}/mcp`, { method: request.method, headers, body })
}
