/**
 * Access to the sandbox's routes: on a loopback address all local callers except cross-site pages in a local browser;
 * on other addresses callers with SANDBOX_SECRET.
 */
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopback } from '../../config.ts'
import { ApiError } from '../contract/errors.ts'
import { isSameSecret } from '../secrets/tokens.ts'
import { isSameOrigin } from './credentials.ts'

type GuardedRequest = Pick<FastifyRequest, 'method' | 'headers'>

/** Guards the clock, fault injection and the requests that simulated providers received. */
export function guardControls(config: Config, request: GuardedRequest): void {
  if (config.isLocal) {
    refuseCrossSite(request)
    return
  }
  const [, secret] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (secret === undefined || !isSameSecret(secret, config.SANDBOX_SECRET!))
    throw new ApiError('unauthorized', 'Send SANDBOX_SECRET as Authorization: Bearer.')
}

/**
 * Guards the simulated providers, which check credentials like the real ones. Their consent pages may be opened from
 * another site, such as a partner's page.
 */
export function guardSimulatedProviders(config: Config, request: GuardedRequest): void {
  const isVisit = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
  if (config.isLocal && !(isVisit && isLocalHost(request))) refuseCrossSite(request)
}

function refuseCrossSite(request: GuardedRequest): void {
  const isBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined
  if (isLocalHost(request) && (!isBrowser || isSameOrigin(request))) return
  throw new ApiError('forbidden', 'The sandbox accepts no requests from pages of other sites.', {
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
 * True for a request sent directly from this machine. The Host header must be a loopback name, because a foreign
 * name that resolves to this machine is same-origin to the browser (DNS rebinding); and proxy headers must be
 * absent, because a proxy may send a local Host for requests from anywhere.
 */
export function isLocalHost(request: Pick<GuardedRequest, 'headers'>): boolean {
  const { headers } = request
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false
  const url = headers.host === undefined ? null : URL.parse(`http://${headers.host}`)
  return url !== null && isLoopback(url.hostname)
}
