/**
 * Who may use the sandbox's routes. On a loopback address everyone on the machine, but no page of another site that a
 * browser on it shows; elsewhere callers with SANDBOX_SECRET.
 */
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopback } from '../../config.ts'
import { ApiError } from '../contract/errors.ts'
import { isSameSecret } from '../secrets/tokens.ts'
import { isSameOrigin } from './credentials.ts'

type Asked = Pick<FastifyRequest, 'method' | 'headers'>

/** The clock, the faults and what the imitations received. */
export function guardControls(config: Config, request: Asked): void {
  if (config.isLocal) {
    refuseForeignPage(request)
    return
  }
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (given === undefined || !isSameSecret(given, config.SANDBOX_SECRET!))
    throw new ApiError('unauthorized', 'Send SANDBOX_SECRET as Authorization: Bearer.')
}

/**
 * The imitated providers, which ask for the credentials that the providers ask for. A person comes to their consent
 * pages by a link, which may have begun on a partner's page.
 */
export function guardImitations(config: Config, request: Asked): void {
  const isVisit = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
  if (config.isLocal && !(isVisit && isLocalHost(request))) refuseForeignPage(request)
}

function refuseForeignPage(request: Asked): void {
  const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined
  if (isLocalHost(request) && (!isBrowser || isSameOrigin(request))) return
  throw new ApiError('forbidden', 'The sandbox answers no request that a page of another site sent.', {
    reason: 'cross_origin',
  })
}

/** Headers that proxies add; a program on the machine that calls directly sends none of them. */
const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/**
 * True for a request that was sent on this machine, to it. A foreign name that resolves to this machine looks like the
 * same origin to the browser, and a proxy may write a local Host for requests from anywhere.
 */
export function isLocalHost(request: Pick<Asked, 'headers'>): boolean {
  const { headers } = request
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false
  const url = headers.host === undefined ? null : URL.parse(`http://${headers.host}`)
  return url !== null && isLoopback(url.hostname)
}
