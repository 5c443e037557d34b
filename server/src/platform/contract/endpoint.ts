/**
 * A contract entry fully describes a route. Router, validation, OpenAPI, the MCP tool, the typed client and the
 * tests over all routes derive from it.
 */
import { z } from 'zod'
import { personScopes, type Scope, type WorkspaceRole } from './access.ts'
import type { ErrorCode } from './error-catalogue.ts'

/** Who may call a route. Exactly one kind per entry. */
export type Access =
  /** No credential needed. */
  | { kind: 'public'; writes?: 'sign_in' | 'retired' }
  /**
   * A profile's data: an API key with all scopes, or a person (session or user token) with `?profile_id=`. `anyOf`:
   * one of these is enough.
   */
  | { kind: 'profile'; scopes: readonly Scope[]; anyOf?: readonly Scope[]; writes?: 'own' }
  /**
   * A signed-in person: session, or user token (with these scopes) unless `tokens` is false; `operator` needs an
   * account of OPERATORS.
   */
  | { kind: 'user'; tokens?: boolean; scopes?: readonly Scope[]; operator?: true }
  /**
   * A member of the workspace in the path, with at least this role; a user token also needs `workspaces:write`,
   * except for report data (`tokens: 'any'`).
   */
  | { kind: 'workspace'; role: WorkspaceRole; tokens?: 'any'; writes?: 'own' }
  /** A registered consumer app by HTTP Basic. */
  | { kind: 'app' }
  /** A person or an app; a user token needs `workspaces:write` for writes. */
  | { kind: 'user_or_app' }
  /** A member of the workspace in the path as above, or the app that provisioned it. */
  | { kind: 'workspace_or_app'; role: WorkspaceRole }
  /** Any bearer credential; the operation checks access to the resource (hand-off polls). */
  | { kind: 'bearer' }

/** Scopes that let a credential change something. */
export type WriteScope = Exclude<Scope, `${string}:read` | 'mcp:read_pii'>
/** The first permits the write; others may be needed to read the data in the response. */
type WriteScopes = readonly [WriteScope, ...Scope[]]

/**
 * Who may call a route that is not a GET. Each has a writing scope, or declares its alternative protection: a
 * session (`tokens: false`), a role (whose user tokens need `workspaces:write`), an app credential, a sign-in step,
 * or data that only the caller sees (`writes: 'own'`; a user token needs `mcp:write`).
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
  /** Written for a model: what the tool returns and when to use it. Each word costs tokens in every conversation. */
  description: string
  /** Fields of a row (or of `data` itself) included in the concise format, separated by spaces. */
  concise?: string
  /** For a write: the operation that returns the state before it. */
  preview?: string
}

/**
 * Why a write needs no entitlement: it changes the platform only, is a note or view of people, or is a right of
 * people and owners.
 */
export type EntitlementExemption = 'platform_only' | 'notes' | 'rights'

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
  /** Query parameters of similar routes that this one rejects, with the reason. */
  refused?: Record<string, string>
  body?: B
  /** Request headers that the route reads, with descriptions. */
  headers?: Record<string, string>
  /** The response's `data`; null body for 204. */
  reply: R
  /** The response is a file of this content type instead of the envelope. */
  file?: string
  /** Extra members next to `data` and `meta`, such as `pagination`. */
  extra?: Record<string, Schema>
  /** Extra members of `meta` in addition to the scope's own id. */
  meta?: Record<string, Schema>
  /** Offers the route to assistants: a tool of the MCP server at /mcp, named by the snake case of `name`. */
  mcp?: McpTool
  /** The first is the default. */
  statuses?: readonly Status[]
  errors?: readonly ErrorCode[]
  /**
   * The response may contain a person's name, email or phone: the request costs 3 rate-limit units, and each person
   * shown is recorded in the pii-access-log. For partner apps on healthcare profiles the person is withheld or the
   * route refused.
   */
  personLevel?: 'withheld' | 'refused'
  /** The response has an ETag; a request with a matching `If-None-Match` returns 304 without a body. */
  revalidates?: true
  /** Rate-limited per event and profile instead of per request and credential. */
  limit?: 'ingest'
  /**
   * A profile provisioned by an app returns 409 until the app enables this feature. By default every profile write
   * needs it except those for connections and webhooks. A write of other data gives the reason why it does not.
   */
  entitlement?: 'attribution' | EntitlementExemption
  /**
   * A session must have proved in the last ten minutes who the person is. Keys and tokens are not asked: creating one
   * needed it.
   */
  fresh?: true
  /** A decision of the business: the key of a partner app is refused with 403 `forbidden`, whatever its scopes. */
  refusesApps?: true
  /** May scan all of a profile's data: uses the statement timeout of jobs. */
  slow?: boolean
  /**
   * Why no page of the console calls it: sites, servers and providers do, partner apps do, another operation shows the
   * same, or it is offered in the API only.
   */
  noPage?: 'programs' | 'partner_apps' | 'shown_elsewhere' | 'api_only'
  /** Error codes that the route can also return with this status, as described in the catalogue. */
  secondStatus?: Partial<Record<ErrorCode, 422>>
  /** Bytes; 1 MiB by default. */
  bodyLimit?: number
  /**
   * Streams a file of up to 100 MB and occupies a provider connection: the number of concurrent requests is
   * limited.
   */
  holdsFile?: true
  /**
   * The body field that is a batch: an invalid element is rejected alone and passed to the operation as an
   * `Unreadable`.
   */
  batch?: { member: string; element: Schema }
  /** Content types of a non-JSON body, which is passed to the operation as raw bytes. */
  rawBody?: readonly string[]
  /** The raw body is streamed to the operation and never buffered. */
  streamsBody?: true
  /** The response contains a secret, so its stored copy (for idempotency) is encrypted. */
  secretReply?: boolean
  /**
   * False if the body has its own key or the route stores nothing. `response`: repeating the operation has no second
   * effect, so only its response is stored, after the work and in another transaction.
   */
  idempotent?: false | 'response'
  /** Returns 410 until its sunset; both days at midnight UTC. */
  retired?: { replacement: string; since: string; sunset: string }
  example?: {
    params?: unknown
    query?: unknown
    body?: unknown
    reply?: unknown
    /** Non-JSON bodies by content type. */
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
  /** Why it is null, unless the scopes say so. */
  exemption: EntitlementExemption | null
}

/** Whether a partner app is refused on healthcare profiles: the route returns people, or needs a person scope. */
export function isRefusedOnHealthcare(entry: Pick<Endpoint, 'access' | 'personLevel'>): boolean {
  const { access, personLevel } = entry
  return (
    personLevel === 'refused' ||
    (access.kind === 'profile' && access.scopes.some((scope) => personScopes.includes(scope)))
  )
}

/** Scopes of writes that create no attribution data. */
const setupScopes: readonly Scope[] = ['connections:write', 'webhooks:write']

function entitlementOf(spec: {
  access: Access
  method: Method
  entitlement?: 'attribution' | EntitlementExemption
}): 'attribution' | null {
  const { access, method, entitlement } = spec
  if (entitlement !== undefined) return entitlement === 'attribution' ? entitlement : null
  if (access.kind !== 'profile' || method === 'GET') return null
  const needed = [...access.scopes, ...(access.anyOf ?? [])]
  return needed.length > 0 && needed.every((scope) => setupScopes.includes(scope)) ? null : 'attribution'
}

/** Default schema of params and query: drops everything. */
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
    exemption: spec.entitlement === undefined || spec.entitlement === 'attribution' ? null : spec.entitlement,
  }
}
