/** OAuth endpoints for partner apps and MCP clients. Responses follow the OAuth standards instead of the API's envelope. */
import type { Service } from '../../../context.ts'
import { authenticateApp } from '../../../platform/access/authenticate.ts'
import { parseAs } from '../../../platform/contract/parse.ts'
import {
  type PageReply,
  type PageRequest,
  type PageRoute,
  readForm,
} from '../../../platform/http/page-route.ts'
import { spendUnits } from '../../../platform/http/rate-limit.ts'
import { getAuthorize, postAuthorize } from './authorize.ts'
import { findClient, Registration, registerClient } from './clients.ts'
import { exchangeCode } from './codes.ts'
import { authorizationServer, protectedResource } from './metadata.ts'
import { refreshTokens, revokeToken } from './tokens.ts'

const FORM_LIMIT = 64 * 1024
const REGISTRATIONS = { perMinute: 20 / 60, burst: 20 }

const json = (status: number, body: unknown, headers: Record<string, string> = {}): PageReply => ({
  status,
  headers: { pragma: 'no-cache', ...headers },
  body: JSON.stringify(body),
  contentType: 'application/json; charset=utf-8',
})
const refuse = (error: string, description: string, status = 400): PageReply =>
  json(
    status,
    { error, error_description: description },
    status === 401 ? { 'www-authenticate': 'Basic realm="whence"' } : {},
  )
const anyOrigin = { 'access-control-allow-origin': '*' }

export const oauthPages: readonly PageRoute[] = [
  { method: 'GET', path: '/oauth/authorize', handle: getAuthorize },
  { method: 'POST', path: '/oauth/authorize', bodyLimit: FORM_LIMIT, handle: postAuthorize },
  { method: 'POST', path: '/oauth/token', bodyLimit: FORM_LIMIT, handle: token },
  { method: 'POST', path: '/oauth/revoke', bodyLimit: FORM_LIMIT, handle: revoke },
  { method: 'POST', path: '/oauth/register', bodyLimit: FORM_LIMIT, handle: register },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    handle: async (service) => json(200, authorizationServer(service), anyOrigin),
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    handle: async (service) => json(200, protectedResource(service), anyOrigin),
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    handle: async (service) => json(200, protectedResource(service, '/mcp'), anyOrigin),
  },
]

/** Authenticates the client: a partner app by its secret, a public client by its id. */
async function authenticateClient(
  service: Service,
  page: PageRequest,
  form: Record<string, string>,
): Promise<string | undefined> {
  const credentials = readBasic(page.headers.authorization) ?? {
    clientId: form.client_id ?? '',
    secret: form.client_secret,
  }
  if (credentials.secret !== undefined) {
    const caller = await authenticateApp(service, credentials.clientId, credentials.secret)
    return caller?.kind === 'app' ? caller.clientId : undefined
  }
  const client = await findClient(service, credentials.clientId, page.ip)
  return client?.kind === 'public' ? client.clientId : undefined
}

/** Client id and secret are each form-encoded (RFC 6749, 2.3.1). */
function readBasic(header: string | undefined): { clientId: string; secret: string | undefined } | undefined {
  const [, value] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (value === undefined) return undefined
  const [id = '', ...secretParts] = Buffer.from(value, 'base64').toString('utf8').split(':')
  const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v') ?? ''
  return { clientId: decode(id), secret: decode(secretParts.join(':')) }
}

async function token(service: Service, page: PageRequest): Promise<PageReply> {
  const form = readForm(page)
  if (form === undefined) return refuse('invalid_request', 'Send a form-encoded body.')
  const clientId = await authenticateClient(service, page, form)
  if (clientId === undefined) return refuse('invalid_client', 'Client authentication failed.', 401)
  switch (form.grant_type) {
    case 'authorization_code': {
      const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = form
      const answer = await exchangeCode(service, { clientId, code, redirectUri, verifier })
      return answer === undefined
        ? refuse('invalid_grant', 'The code is unknown, used, expired, or not for this client and verifier.')
        : json(200, answer)
    }
    case 'refresh_token': {
      const { refresh_token: refreshToken = '', scope } = form
      const answer = await refreshTokens(service, { clientId, refreshToken, scope })
      return answer === undefined
        ? refuse('invalid_grant', 'The refresh token is unknown, used or expired.')
        : json(200, answer)
    }
    default:
      return refuse('unsupported_grant_type', 'Use authorization_code or refresh_token.')
  }
}

async function revoke(service: Service, page: PageRequest): Promise<PageReply> {
  const form = readForm(page)
  if (form?.token === undefined) return refuse('invalid_request', 'Send the token in a form-encoded body.')
  const clientId = await authenticateClient(service, page, form)
  if (clientId === undefined) return refuse('invalid_client', 'Client authentication failed.', 401)
  await revokeToken(service, { clientId, token: form.token })
  return { status: 200, body: null }
}

async function register(service: Service, page: PageRequest): Promise<PageReply> {
  const now = service.clock.machineNow().getTime()
  const verdict = await spendUnits(service.db, `oauth-register:${page.ip}`, REGISTRATIONS, 1, now)
  if (!verdict.allowed) return refuse('temporarily_unavailable', 'Too many registrations; wait.', 429)
  const parsed = parseAs(Registration, parseJson(page.bytes))
  if (!parsed.ok) {
    const isUri = parsed.path.startsWith('redirect_uris')
    return refuse(isUri ? 'invalid_redirect_uri' : 'invalid_client_metadata', parsed.message)
  }
  return json(201, await registerClient(service, parsed.value))
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
