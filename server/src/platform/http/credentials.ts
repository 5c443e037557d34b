/** Reads the credential a request presents: Bearer, HTTP Basic, or the console's session cookie. */
import type { FastifyRequest } from 'fastify'
import type { Caller, Service } from '../../context.ts'
import { authenticateApp, authenticateBearer } from '../access/authenticate.ts'
import { ApiError } from '../contract/errors.ts'

export const SESSION_COOKIE = '__Host-whence_session'

/** `__Host-` binds it to this host over TLS; Lax keeps it off what other sites post. */
export function sessionCookie(token: string, expiresAt: Date, now: Date): string {
  const seconds = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`
}
export const clearedSessionCookie = `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`

type Found = Caller | undefined | Promise<Caller | undefined>

/** The caller itself where the credential is remembered. */
export function readCaller(service: Service, request: FastifyRequest): Found {
  const header = request.headers.authorization
  if (header !== undefined) return readHeader(service, header)
  const token = readCookie(request.headers.cookie, SESSION_COOKIE)
  if (token === undefined) return undefined
  if (!isSameOrigin(request))
    throw new ApiError('forbidden', 'The session cookie is accepted from the console itself only.', {
      reason: 'cross_origin',
    })
  return authenticateBearer(service, token)
}

function readHeader(service: Service, header: string): Found {
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

/** A cookie rides along with any request a browser makes, so one that another site caused is refused. */
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
