/** Reads the credential of a request: Bearer, HTTP Basic, or the console's session cookie. */
import type { Caller, Service } from '../../context.ts'
import { authenticateApp, authenticateBearer } from '../access/authenticate.ts'
import { ApiError } from '../contract/errors.ts'
import { cookieName, setCookie } from './base-path.ts'
import type { Incoming } from './exchange.ts'

const SESSION = 'session'

export function sessionCookie(service: Service, token: string, expiresAt: Date): string {
  const seconds = Math.ceil((expiresAt.getTime() - service.clock.machineNow().getTime()) / 1000)
  return setCookie(service.config, { name: SESSION, value: token, seconds })
}

export function clearedSessionCookie({ config }: Pick<Service, 'config'>): string {
  return setCookie(config, { name: SESSION, value: '', seconds: 0 })
}

export function sessionCookieName({ config }: Pick<Service, 'config'>): string {
  return cookieName(config, SESSION)
}

type CallerResult = Caller | undefined | Promise<Caller | undefined>

/** Synchronous if the credential is cached. */
export function readCaller(service: Service, request: Pick<Incoming, 'headers' | 'method'>): CallerResult {
  const header = request.headers.authorization
  if (header !== undefined) return readHeader(service, header)
  const token = readCookie(request.headers.cookie, sessionCookieName(service))
  if (token === undefined) return undefined
  if (!isSameOrigin(request))
    throw new ApiError('forbidden', 'The session cookie is accepted only from the console itself.', {
      reason: 'cross_origin',
    })
  return authenticateBearer(service, token)
}

function readHeader(service: Service, header: string): CallerResult {
  const [, scheme, value] = /^(Bearer|Basic) +([^\s]{1,4096})$/i.exec(header) ?? []
  if (scheme === undefined || value === undefined) return undefined
  if (scheme.toLowerCase() === 'bearer') return authenticateBearer(service, value)
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0 || decoded.includes('\0')) return undefined
  return authenticateApp(service, decoded.slice(0, colon), decoded.slice(colon + 1))
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return undefined
}

/** Browsers attach the cookie to every request, so requests initiated by other sites are refused (CSRF). */
export function isSameOrigin(request: {
  method: string
  headers: Record<string, string | string[] | undefined>
}): boolean {
  const site = request.headers['sec-fetch-site']
  if (typeof site === 'string') return site === 'same-origin' || site === 'none'
  const { origin, host } = request.headers
  if (origin === undefined) return request.method === 'GET'
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}
