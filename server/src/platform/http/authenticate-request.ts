/** Authentication and rate limiting, before the body is read. */
import type { Caller, Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { databaseAnswers, withAnswerTimeout } from '../db/answer-timeout.ts'
import { acceptsKind, unauthorized } from './authorize.ts'
import { readCaller } from './credentials.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { type RateLimit, type RateVerdict, rateHeaders, spendUnits, spendUnitsOfRead } from './rate-limit.ts'

const PERSON_LEVEL_COST = 3

/** Synchronous (undefined) if the credential is cached and the route uses the ingest limit. */
export function admit(
  service: Service,
  entry: Endpoint,
  request: Incoming,
  reply: Outgoing,
): Promise<void> | undefined {
  if (entry.retired !== undefined) {
    reply.headers(retirementHeaders(entry.retired, service.config.BASE_URL))
    throw new ApiError(
      'feature_retired',
      `This endpoint is retired and will be removed on ${entry.retired.sunset}; use ${entry.retired.replacement} instead.`,
    )
  }
  if (entry.access.kind === 'public') {
    request.caller = { kind: 'anonymous' }
    return databaseAnswers(service.db)
  }
  const caller = readCaller(service, request)
  return caller instanceof Promise
    ? withAnswerTimeout(caller).then((resolved) => admitCaller(service, entry, resolved, request, reply))
    : admitCaller(service, entry, caller, request, reply)
}

/** RFC 9745 and RFC 8594; the link points to the replacement. */
function retirementHeaders({ since, sunset }: NonNullable<Endpoint['retired']>, baseUrl: string) {
  return {
    deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
    link: `<${baseUrl}/docs/errors#feature_retired>; rel="deprecation"; type="text/html"`,
  }
}

function admitCaller(
  service: Service,
  entry: Endpoint,
  caller: Caller | undefined,
  request: Incoming,
  reply: Outgoing,
): Promise<void> | undefined {
  if (caller === undefined || !acceptsKind(entry, caller)) throw unauthorized()
  request.caller = caller
  if (caller.kind === 'anonymous' || entry.limit === 'ingest') return undefined
  return spendRequest(service, { ...entry, cost: costOf(entry) }, caller.credentialId, reply)
}

/** In rate limit units. */
export const costOf = (entry: Endpoint): number => (entry.personLevel !== undefined ? PERSON_LEVEL_COST : 1)

export async function spendRequest(
  service: Service,
  request: { method: string; cost: number },
  credentialId: string,
  reply: { headers(values: Record<string, string>): unknown },
): Promise<void> {
  const limit = { perMinute: service.config.RATE_LIMIT_PER_MINUTE, burst: service.config.RATE_LIMIT_BURST }
  const verdict = await spend(service, request, `credential:${credentialId}`, limit)
  if (verdict === undefined) return
  reply.headers(rateHeaders(limit, verdict))
  if (!verdict.allowed)
    throw new ApiError('rate_limit_exceeded', 'Too many requests with this credential; wait and retry.', {
      retryAfter: verdict.retryAfterSeconds,
    })
}

/** Reads may be counted per process; all other methods are counted across processes. */
function spend(
  service: Service,
  { method, cost }: { method: string; cost: number },
  key: string,
  limit: RateLimit,
): Promise<RateVerdict | undefined> {
  if (method === 'GET') return spendUnitsOfRead(service, key, limit, cost)
  return withAnswerTimeout(spendUnits(service.db, key, limit, cost, service.clock.machineNow().getTime()))
}
