/**
 * A contract entry says everything about a route. Router, validation, OpenAPI, the MCP tool, the
 * typed client and the sweep tests are made from it.
 */
import { z } from 'zod'
import { personScopes, type Scope, type WorkspaceRole } from './access.ts'
import type { ErrorCode } from './error-catalogue.ts'

/** Who may call a route. Exactly one kind per entry. */
export type Access =
  /** No credential needed. */
  | { kind: 'public'; writes?: 'sign_in' | 'retired' }
  /** A profile's data: an API key with all scopes; or a person (session or user token) with `?profile_id=`. `anyOf` needs one. */
  | { kind: 'profile'; scopes: readonly Scope[]; anyOf?: readonly Scope[]; writes?: 'own' }
  /** A signed-in person: session, or user token (with these scopes) unless `tokens` is false; `operator` needs an account of OPERATORS. */
  | { kind: 'user'; tokens?: boolean; scopes?: readonly Scope[]; operator?: true }
  /** A member of the workspace in the path, with at least this role; a user token needs `workspaces:write` too, but for what reports show (`tokens: 'any'`). */
  | { kind: 'workspace'; role: WorkspaceRole; tokens?: 'any'; writes?: 'own' }
  /** A registered consumer app by HTTP Basic. */
  | { kind: 'app' }
  /** Two branches on one URL: a person, or an app; a user token needs `workspaces:write` for writes. */
  | { kind: 'user_or_app' }
  /** A member of the workspace in the path as above, or the app that provisioned it. */
  | { kind: 'workspace_or_app'; role: WorkspaceRole }
  /** Any bearer credential that reaches the resource; the operation decides (hand-off polls). */
  | { kind: 'bearer' }

/** Scopes that let a credential change something. */
export type WriteScope = Exclude<Scope, `${string}:read` | 'mcp:read_pii'>
/** The first lets it write; others may be needed to read what the answer shows. */
type WriteScopes = readonly [WriteScope, ...Scope[]]

/**
 * Who may call a route that is not a GET. Each has a writing scope, or names what protects it instead: a session
 * (`tokens: false`), a role (whose user tokens need `workspaces:write`), the credential of an app, the steps of signing
 * in, or that a reader changes only what that reader alone sees (`writes: 'own'`; a user token needs `mcp:write`).
 */
export type WriteAccess =
  | { kind: 'public'; writes: 'sign_in' | 'retired' }
  | { kind: 'profile'; scopes: WriteScopes }
  | { kind: 'profile'; scopes: readonly Scope[]; writes: 'own' }
  | { kind: 'user'; tokens: false; operator?: true }
  | { kind: 'user'; scopes: WriteScopes }
  | { kind: 'workspace'; role: WorkspaceRole; writes?: 'own' }
  | { kind: 'app' }
  | { kind: 'user_or_app' }
  | { kind: 'workspace_or_app'; role: WorkspaceRole }

/** A write without a declared scope or a named alternative does not compile. */
export type AccessFor<M extends Method> = M extends 'GET' ? Access : WriteAccess

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Status = 200 | 201 | 202 | 204

export type McpTool = {
  /** For a model: what it answers and when to use it. Every word costs each conversation tokens. */
  description: string
  /** Members of a row, or of the answer itself, that the concise format keeps; separated by spaces. */
  concise?: string
  /** Of a write: the operation whose answer is the state before it. */
  preview?: string
}

type Schema = z.ZodType
type Empty = z.ZodObject<Record<string, never>>

export type EndpointSpec<
  A extends Access,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
> = {
  /** Operation name, `operationId`, and in snake case the MCP tool. */
  name: string
  method: Method
  /** Relative to /api/v1, with `{param}` segments. */
  path: string
  summary: string
  description?: string
  tag: string
  access: A
  params?: P
  query?: Q
  /** Query parameters of similar routes that this one refuses, and why. */
  refused?: Record<string, string>
  body?: B
  /** Request headers that the route reads, and what they mean. */
  headers?: Record<string, string>
  /** The whole answer's `data`; null body for 204. */
  reply: R
  /** The answer is a file of this type instead of the envelope. */
  file?: string
  /** Extra members next to `data` and `meta`, such as `pagination`. */
  extra?: Record<string, Schema>
  /** Extra members of `meta` in addition to the scope's own id. */
  meta?: Record<string, Schema>
  /** Offers the route to assistants: a tool of the MCP server at /mcp, named by the snake case of `name`. */
  mcp?: McpTool
  /** First is the usual one. */
  statuses?: readonly Status[]
  errors?: readonly ErrorCode[]
  /**
   * The answer can hold a person's name, email or phone: it costs 3 rate-limit units, and each person shown is
   * in the pii-access-log. Partner apps on healthcare profiles get it without the person, or not at all.
   */
  personLevel?: 'withheld' | 'refused'
  /** The answer has an ETag; asked again with `If-None-Match`, an unchanged one is 304 without a body. */
  revalidates?: true
  /** Counted by the event and profile instead of by the request and credential. */
  limit?: 'ingest'
  /**
   * A profile that an app provisioned answers 409 until the app enables this feature. Left out, every write of a
   * profile needs it but those of the connect rail and of webhooks; `none` is for writes that are no attribution data.
   */
  entitlement?: 'attribution' | 'none'
  /** May go through all of a profile's data: its statements get the time of a job's. */
  slow?: boolean
  /** Codes that the route answers with this status too, by their meaning in the catalogue. */
  secondStatus?: Partial<Record<ErrorCode, 422>>
  /** Bytes; 1 MiB unless the route says otherwise. */
  bodyLimit?: number
  /** A file of up to 100 MB passes through and keeps a connection of the provider's busy: few such requests run at once. */
  holdsFile?: true
  /** The member of the body that is a batch: one unreadable element refuses only itself, and reaches the operation as an `Unreadable`. */
  batch?: { member: string; element: Schema }
  /** A body that is not JSON: the raw bytes reach the operation. */
  rawBody?: readonly string[]
  /** The raw bytes reach the operation as they come and are held nowhere. */
  streamsBody?: true
  /** The answer holds a secret, so a stored copy of it is sealed. */
  secretReply?: boolean
  /** False where a header key means something else (ingest) or the route stores nothing. */
  idempotent?: boolean
  /** Answers 410 until its sunset; both days at midnight UTC. */
  retired?: { replacement: string; since: string; sunset: string }
  example?: {
    params?: unknown
    query?: unknown
    body?: unknown
    reply?: unknown
    /** Bodies that are not JSON, by content type. */
    raw?: Record<string, string>
  }
}

export type Endpoint<
  A extends Access = Access,
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> = Omit<EndpointSpec<A, P, Q, B, R>, 'params' | 'query' | 'body' | 'entitlement'> & {
  params: P
  query: Q
  body: B | null
  statuses: readonly Status[]
  errors: readonly ErrorCode[]
  entitlement: 'attribution' | null
}

/** Whether a partner app is refused on healthcare profiles: the route shows people, or needs a scope that opens them. */
export function isRefusedOnHealthcare(entry: Pick<Endpoint, 'access' | 'personLevel'>): boolean {
  const { access, personLevel } = entry
  return (
    personLevel === 'refused' ||
    (access.kind === 'profile' && access.scopes.some((scope) => personScopes.includes(scope)))
  )
}

/** Scopes of writes that bring no attribution data by themselves. */
const plumbing: readonly Scope[] = ['connections:write', 'webhooks:write']

function entitlementOf(spec: {
  access: Access
  method: Method
  entitlement?: 'attribution' | 'none'
}): 'attribution' | null {
  const { access, method, entitlement } = spec
  if (entitlement !== undefined) return entitlement === 'none' ? null : entitlement
  if (access.kind !== 'profile' || method === 'GET') return null
  const needed = [...access.scopes, ...(access.anyOf ?? [])]
  return needed.length > 0 && needed.every((scope) => plumbing.includes(scope)) ? null : 'attribution'
}

/** The schema of a part that an entry does not mention: whatever is sent there is left out. */
export const nothing = z.object({})

export function endpoint<
  const M extends Method,
  const A extends AccessFor<M>,
  R extends Schema,
  P extends Schema = Empty,
  Q extends Schema = Empty,
  B extends Schema = Empty,
>(spec: EndpointSpec<A, P, Q, B, R> & { method: M }): Endpoint<A, P, Q, B, R> {
  return {
    ...spec,
    params: spec.params ?? (nothing as unknown as P),
    query: spec.query ?? (nothing as unknown as Q),
    body: spec.body ?? null,
    statuses: spec.statuses ?? [200],
    errors: spec.errors ?? [],
    entitlement: entitlementOf(spec),
  }
}
