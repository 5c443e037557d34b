/** Validates authorization requests. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type GrantPlan, planGrants } from '../apps/rules.ts'

/** A partner app requests grants on one profile; a public (MCP) client requests a token of the person. */
export type Client =
  | {
      kind: 'partner'
      appId: string
      /** The workspace that registered the app. */
      workspaceId: string
      clientId: string
      name: string
      redirectUris: string[]
      allowedScopes: string[]
    }
  | { kind: 'public'; clientId: string; name: string; redirectUris: string[] }

export type AuthorizationRequest = {
  clientId: string
  redirectUri: string
  state: string | null
  codeChallenge: string
  /** As requested by the client. */
  scopes: string[]
  /** Only for partner apps. */
  plan: GrantPlan | null
}

export type OAuthErrorCode =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'

export type CheckedRequest =
  | { ok: true; request: AuthorizationRequest }
  | { ok: false; error: OAuthErrorCode; description: string }

export const publicScopes = ['mcp:read', 'mcp:write', 'mcp:read_pii'] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Human-readable redirect target: a host, or the scheme of an app on the device. */
export function destinationOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `an app on this device (${url.protocol})`
  return loopback.has(url.hostname) ? `a program on this computer (${url.host})` : url.host
}

/** Exact match, except that a native app on loopback may use any port. */
export function matchesRedirect(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  const url = URL.canParse(requested) ? new URL(requested) : undefined
  if (url === undefined || url.protocol !== 'http:' || !loopback.has(url.hostname)) return false
  url.port = ''
  return registered.some((uri) => {
    const candidate = URL.canParse(uri) ? new URL(uri) : undefined
    if (candidate === undefined || candidate.protocol !== 'http:') return false
    candidate.port = ''
    return candidate.href === url.href
  })
}

const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ws:',
  'wss:',
])

/** https, http on loopback, or the custom scheme of a native app. */
export function isRegistrableRedirect(uri: string): boolean {
  if (!URL.canParse(uri) || uri.length > 2000) return false
  const url = new URL(uri)
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return loopback.has(url.hostname)
  return !refusedSchemes.has(url.protocol)
}

export function checkRequest(
  client: Client,
  query: Record<string, string>,
  resources: readonly string[],
): CheckedRequest {
  const refuse = (error: OAuthErrorCode, description: string): CheckedRequest => ({
    ok: false,
    error,
    description,
  })
  if (query.response_type !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code.')
  if (query.code_challenge_method !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[A-Za-z0-9_-]{43}$/.test(query.code_challenge ?? ''))
    return refuse('invalid_request', 'code_challenge must be the S256 of the verifier.')
  if (query.resource !== undefined && !resources.includes(query.resource.replace(/\/$/, '')))
    return refuse('invalid_target', 'resource is not a resource of this service.')
  if (query.prompt === 'none') return refuse('login_required', 'The person has to consent on the page.')
  const requested = (query.scope ?? '').split(' ').filter((scope) => scope !== '')
  const base = {
    clientId: client.clientId,
    redirectUri: query.redirect_uri!,
    state: query.state ?? null,
    codeChallenge: query.code_challenge!,
  }
  if (client.kind === 'public') {
    const scopes = requested.length === 0 ? ['mcp:read'] : requested
    const unknownScopes = scopes.filter((scope) => !(publicScopes as readonly string[]).includes(scope))
    if (unknownScopes.length > 0) return refuse('invalid_scope', `Unknown scopes: ${unknownScopes.join(' ')}`)
    return { ok: true, request: { ...base, scopes, plan: null } }
  }
  // Adoption has to be requested explicitly.
  const scopes =
    requested.length === 0 ? client.allowedScopes.filter((name) => name !== 'adoption') : requested
  const planned = planGrants(scopes, client.allowedScopes)
  if (!planned.ok) return refuse('invalid_scope', `Not allowed for this app: ${planned.names.join(' ')}`)
  return { ok: true, request: { ...base, scopes, plan: planned.plan } }
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const actual = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(challenge, 'base64url')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The redirect URI with the response parameters; its existing query is kept. */
export function toRedirect(uri: string, parameters: Record<string, string | null>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value)
  return url.href
}
