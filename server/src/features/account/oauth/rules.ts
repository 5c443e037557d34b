/** What an authorization request may say: pure checks of the protocol. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type GrantPlan, planGrants } from '../apps/rules.ts'

/** A partner app asks for grants on one profile; an MCP client for a person's token. */
export type Client =
  | {
      kind: 'partner'
      appId: string
      /** The one that registered it. */
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
  /** As the client named them. */
  scopes: string[]
  /** Partner only. */
  plan: GrantPlan | null
}

export type OAuthErrorCode =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'

export type Checked =
  | { ok: true; request: AuthorizationRequest }
  | { ok: false; error: OAuthErrorCode; description: string }

export const publicScopes = ['mcp:read', 'mcp:write', 'mcp:read_pii'] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Where the answer goes, as a person recognises it: a host, or the scheme of an app on their device. */
export function destinationOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `an app on this device (${url.protocol})`
  return loopback.has(url.hostname) ? `a program on this computer (${url.host})` : url.host
}

/** Exact, but a native app on loopback may listen on any port. */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  const url = URL.canParse(asked) ? new URL(asked) : undefined
  if (url === undefined || url.protocol !== 'http:' || !loopback.has(url.hostname)) return false
  url.port = ''
  return registered.some((uri) => {
    const own = URL.canParse(uri) ? new URL(uri) : undefined
    if (own === undefined || own.protocol !== 'http:') return false
    own.port = ''
    return own.href === url.href
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

/** https, http on loopback, or a native app's own scheme. */
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
): Checked {
  const refuse = (error: OAuthErrorCode, description: string): Checked => ({ ok: false, error, description })
  if (query.response_type !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code.')
  if (query.code_challenge_method !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[A-Za-z0-9_-]{43}$/.test(query.code_challenge ?? ''))
    return refuse('invalid_request', 'code_challenge must be the S256 of the verifier.')
  if (query.resource !== undefined && !resources.includes(query.resource.replace(/\/$/, '')))
    return refuse('invalid_target', 'resource is not one of this service.')
  if (query.prompt === 'none') return refuse('login_required', 'A person has to agree on the page.')
  const asked = (query.scope ?? '').split(' ').filter((scope) => scope !== '')
  const base = {
    clientId: client.clientId,
    redirectUri: query.redirect_uri!,
    state: query.state ?? null,
    codeChallenge: query.code_challenge!,
  }
  if (client.kind === 'public') {
    const scopes = asked.length === 0 ? ['mcp:read'] : asked
    const unknown = scopes.filter((scope) => !(publicScopes as readonly string[]).includes(scope))
    if (unknown.length > 0) return refuse('invalid_scope', `Not offered: ${unknown.join(' ')}`)
    return { ok: true, request: { ...base, scopes, plan: null } }
  }
  // What hands a profile over is requested by name.
  const scopes = asked.length === 0 ? client.allowedScopes.filter((name) => name !== 'adoption') : asked
  const planned = planGrants(scopes, client.allowedScopes)
  if (!planned.ok) return refuse('invalid_scope', `Not allowed for this app: ${planned.names.join(' ')}`)
  return { ok: true, request: { ...base, scopes, plan: planned.plan } }
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const made = createHash('sha256').update(verifier).digest()
  const asked = Buffer.from(challenge, 'base64url')
  return made.length === asked.length && timingSafeEqual(made, asked)
}

/** The client's address with the answer; what was in its query stays. */
export function toRedirect(uri: string, answer: Record<string, string | null>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}
