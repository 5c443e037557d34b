/** A small route table for sandboxes: `GET /v1/charges/{id}` with the handler behind it. */

import type { Faults } from './faults.ts'
import type { Sandbox, SandboxReply, SandboxRequest } from './sandbox.ts'

export type SandboxRoute = {
  on: string
  answer: (request: SandboxRequest, params: Record<string, string>) => SandboxReply | Promise<SandboxReply>
}

/** A sandbox that is its route table, with faults on demand before it. */
export function routedSandbox(parts: {
  name: string
  routes: readonly SandboxRoute[]
  faults: Faults
  /** What the provider says of a path it does not have. */
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
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const actual = given[index]!
    if (part.startsWith('{')) params[part.slice(1, -1)] = decodeURIComponent(actual)
    else if (part !== actual) return null
  }
  return params
}

/** The body's fields, whether it came as a form or as JSON; what is neither has none. */
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

/** Reads an argument of `act`, which comes from a test or from JSON. */
export const textArg = (args: Record<string, unknown>, name: string): string | null =>
  typeof args[name] === 'string' || typeof args[name] === 'number' ? String(args[name]) : null

/** Free pairs, as a shop gives them along with a checkout. */
export const pairsArg = (args: Record<string, unknown>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(args[name])).map(([key, value]) => [key, String(value)]))

export const numberArg = (args: Record<string, unknown>, name: string): number | null =>
  typeof args[name] === 'number' ? args[name] : null
