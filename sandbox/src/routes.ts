/** A route of a sandbox: a pattern such as `GET /v1/charges/{id}` and its handler. */

import type { Faults } from './faults.ts'
import type { Sandbox, SandboxReply, SandboxRequest } from './sandbox.ts'

export type SandboxRoute = {
  on: string
  answer: (request: SandboxRequest, params: Record<string, string>) => SandboxReply | Promise<SandboxReply>
}

/** A sandbox with a route table and fault injection. */
export function routedSandbox(parts: {
  name: string
  routes: readonly SandboxRoute[]
  faults: Faults
  /** The provider's response for unknown paths. */
  otherwise: SandboxReply
  act: Sandbox['act']
  exports?: Sandbox['exports']
  writes?: Sandbox['writes']
}): Sandbox {
  const { name, routes, faults, otherwise, act } = parts
  return {
    name,
    handle: (request) => faults.apply(request, () => answerRoute(routes, request, otherwise)),
    fault: (fault) => faults.add(fault),
    exports: parts.exports ?? (() => []),
    writes: parts.writes ?? (() => []),
    act,
  }
}

function answerRoute(
  routes: readonly SandboxRoute[],
  request: SandboxRequest,
  otherwise: SandboxReply,
): SandboxReply | Promise<SandboxReply> {
  for (const route of routes) {
    const [method, pattern] = route.on.split(' ') as [string, string]
    const params = method === request.method ? matchPath(pattern, request.path) : null
    if (params !== null) return route.answer(request, params)
  }
  return otherwise
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const patternParts = pattern.split('/')
  const segments = path.split('/')
  if (patternParts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of patternParts.entries()) {
    const actual = segments[index]!
    if (part.startsWith('{')) params[part.slice(1, -1)] = decodeURIComponent(actual)
    else if (part !== actual) return null
  }
  return params
}

/** Fields of a form or JSON body; empty for anything else. */
export function readFields(request: SandboxRequest): Record<string, string> {
  const body = Buffer.from(request.body).toString('utf8')
  if (!request.headers['content-type']?.includes('json')) return Object.fromEntries(new URLSearchParams(body))
  const json = readJson(request)
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

export function readJson(request: SandboxRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(request.body).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export const bearerOf = (request: SandboxRequest): string | null =>
  /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

/** A text argument of `act`. */
export const textArg = (args: Record<string, unknown>, name: string): string | null =>
  typeof args[name] === 'string' || typeof args[name] === 'number' ? String(args[name]) : null

/** Free-form key-value pairs, such as a checkout's metadata. */
export const pairsArg = (args: Record<string, unknown>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(args[name])).map(([key, value]) => [key, String(value)]))

export const numberArg = (args: Record<string, unknown>, name: string): number | null =>
  typeof args[name] === 'number' ? args[name] : null
