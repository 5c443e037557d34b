/** Calls a route in process like an HTTP request: with parsing, authorization, idempotency and access logging. */
import type { Service } from '../context.ts'
import { urlOf } from '../platform/contract/client.ts'
import { ApiError } from '../platform/contract/errors.ts'
import { answer } from '../platform/http/answer.ts'
import type { Route } from '../platform/http/route.ts'
import type { ApiAnswer, ApiCall } from './results.ts'
import type { McpCaller, Tool } from './tools.ts'

export type RouteCall = {
  caller: McpCaller
  params: Record<string, string>
  query: Record<string, string>
  body: Record<string, unknown>
}
export type Origin = { requestId: string; ip: string; userAgent: string }

/** Maps a tool's arguments to params, query and body; unknown names are rejected. */
export function toRouteCall(
  tool: Pick<Tool, 'name' | 'locations' | 'route'>,
  args: Record<string, unknown>,
  options: { caller: McpCaller; profile: { id: string; workspaceId: string } | undefined; maxRows: number },
): RouteCall {
  const { caller, profile, maxRows } = options
  const call: RouteCall = { caller, params: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(args)) {
    const location = tool.locations.get(name)
    if (location === undefined)
      throw new ApiError(
        'invalid_parameter',
        `${tool.name} has no such argument; valid names are ${[...tool.locations.keys()].join(', ')}.`,
        { field: name.slice(0, 100) },
      )
    if (value === undefined || value === null) {
      if (location === 'body' && value === null) call.body[name] = null
    } else if (location === 'body') call.body[name] = value
    else call[location][name] = name === 'limit' ? String(Math.min(Number(value), maxRows)) : textOf(value)
  }
  const { access, query } = tool.route.entry
  if (profile === undefined) return call
  if (access.kind === 'workspace') {
    call.params.workspaceId = profile.workspaceId
    if ('shape' in query && 'profile_ids' in (query.shape as object)) call.query.profile_ids = profile.id
  } else if (caller.kind === 'user') call.query.profile_id = profile.id
  return call
}

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))

export async function callRoute(
  service: Service,
  route: Route,
  call: RouteCall,
  origin: Origin,
  idempotencyKey?: string,
): Promise<ApiAnswer> {
  const { entry } = route
  const isRead = entry.method === 'GET'
  const stored = await answer(
    service,
    route,
    {
      params: call.params,
      query: call.query,
      body: isRead ? undefined : Buffer.from(JSON.stringify(call.body)),
      headers: {
        'user-agent': origin.userAgent,
        ...(isRead ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      id: origin.requestId,
      ip: origin.ip,
      caller: call.caller,
      url: new URL(urlOf(entry, 'http://local', call.params, {})).pathname,
    },
    { header: () => undefined, headers: () => undefined },
  )
  const body = JSON.parse(stored.body ?? '{"data":null}') as ApiAnswer
  // A stored error of the idempotency key is returned as a response.
  if (stored.status >= 400) {
    const { code, message } = (body as unknown as { error: { code: never; message: string } }).error
    throw new ApiError(code, message)
  }
  return body
}

/** The equivalent API request; default days are included explicitly. */
export function apiCallOf(
  service: Service,
  route: Route,
  call: RouteCall,
  meta: Record<string, unknown> = {},
): ApiCall {
  const { entry } = route
  const days: Record<string, unknown> = {}
  const declared = 'shape' in entry.query ? (entry.query.shape as object) : {}
  for (const name of ['date_from', 'date_to'])
    if (name in declared && typeof meta[name] === 'string') days[name] = meta[name]
  const url = urlOf(entry, service.config.BASE_URL, call.params, { ...call.query, ...days })
  return { method: entry.method, url }
}
