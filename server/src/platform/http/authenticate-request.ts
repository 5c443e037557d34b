/** Who may ask, and how often: credential and rate limit, before a byte of the body is read. */
import type { Caller, Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { databaseAnswers, withAnswerTimeout } from '../db/answer-timeout.ts'
import { acceptsKind, unauthorized } from './authorize.ts'
import { readCaller } from './credentials.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { type RateLimit, type RateVerdict, rateHeaders, spendUnits, spendUnitsOfRead } from './rate-limit.ts'

const PERSON_LEVEL_COST = 3

/** Nothing to wait for where the credential is remembered and the limit is the ingest's. */
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
      `This endpoint is retired and goes on ${entry.retired.sunset}; use ${entry.retired.replacement} instead.`,
    )
  }
  if (entry.access.kind === 'public') {
    request.caller = { kind: 'anonymous' }
    return databaseAnswers(service.db)
  }
  const found = readCaller(service, request)
  return found instanceof Promise
    ? withAnswerTimeout(found).then((caller) => admitCaller(service, entry, caller, request, reply))
    : admitCaller(service, entry, found, request, reply)
}

/** RFC 9745 and RFC 8594, with the page that names what to use instead. */
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

/** Units of the rate limit. */
export const costOf = (entry: Endpoint): number => (entry.personLevel !== undefined ? PERSON_LEVEL_COST : 1)

export async function spendRequest(
  service: Service,
  request: { method: string; cost: number },
  credentialId: string,
  reply: Pick<Outgoing, 'headers'>,
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

/** Everything but a read must be counted for all processes. */
function spend(
  service: Service,
  { method, cost }: { method: string; cost: number },
  key: string,
  limit: RateLimit,
): Promise<RateVerdict | undefined> {
  if (method === 'GET') return spendUnitsOfRead(service, key, limit, cost)
  return withAnswerTimeout(spendUnits(service.db, key, limit, cost, service.clock.machineNow().getTime()))
}
