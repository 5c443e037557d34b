/** Responses of the Graph API: selected fields, cursors, and errors. */
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { GraphNode } from './graph.ts'

const maxPageSize = 250

export function graphError(
  status: number,
  code: number,
  message: string,
  subcode?: number,
  forPeople?: string,
): SandboxReply {
  return {
    status,
    body: {
      error: {
        message,
        type: code === 190 ? 'OAuthException' : 'GraphMethodException',
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(forPeople === undefined ? {} : { error_user_msg: forPeople }),
        fbtrace_id: 'Asandbox',
      },
    },
  }
}

/** Only the fields of `fields`; `a{b,c}` selects nested fields. Adds an unknown field, as platforms do over time. */
export function pickFields(request: SandboxRequest, node: GraphNode, always = 'id'): Record<string, unknown> {
  return { ...pick(node, `${always},${request.query.get('fields') ?? ''}`), sandbox_novelty: 'in no schema' }
}

function pick(node: Record<string, unknown>, fieldList: string): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const [, name, within] of fieldList.matchAll(/(\w+)(?:\{([^}]*)\})?/g)) {
    const value = node[name!]
    if (value === undefined) continue
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    picked[name!] = within !== undefined && isObject ? pick(value as Record<string, unknown>, within) : value
  }
  return picked
}

export function listReply(request: SandboxRequest, nodes: GraphNode[], always = 'id'): SandboxReply {
  const limit = Math.min(maxPageSize, Math.max(1, Number(request.query.get('limit') ?? 25)))
  const after = request.query.get('after')
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString())
  if (!Number.isInteger(start) || start < 0) return graphError(400, 100, 'Invalid cursor')
  const pageNodes = nodes.slice(start, start + limit)
  const end = start + pageNodes.length
  const cursors = {
    before: Buffer.from(String(start)).toString('base64url'),
    after: Buffer.from(String(end)).toString('base64url'),
  }
  const next = new URLSearchParams(request.query)
  next.set('after', cursors.after)
  const paging = {
    cursors,
    ...(end < nodes.length ? { next: `${request.baseUrl}${request.path}?${next}` } : {}),
  }
  return { status: 200, body: { data: pageNodes.map((node) => pickFields(request, node, always)), paging } }
}

export function readForm(request: SandboxRequest): Record<string, string> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) return {}
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)))
}

export function readJson(request: SandboxRequest): unknown {
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) return {}
  try {
    return JSON.parse(new TextDecoder().decode(request.body))
  } catch {
    return {}
  }
}
