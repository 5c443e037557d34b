/** Handles an admitted request: parse, pre-check, authorize, run, render; once per Idempotency-Key. */
import { Readable } from 'node:stream'
import type { AnyContext, ProfileContext, Service } from '../../context.ts'
import { logPersonAccess } from '../audit/operations.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { authorize, checkProfileParameter } from './authorize.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import {
  type Claim,
  checkKey,
  fingerprintOf,
  keyOwner,
  type Stored,
  withIdempotency,
  withStoredResponse,
} from './idempotency.ts'
import { parseInput } from './input.ts'
import { rateHeaders } from './rate-limit.ts'
import { toErrorBody } from './reply.ts'
import { type Answer, JsonText, type Route } from './route.ts'

/** The parts of a request that a route uses; the MCP server builds it from a tool's arguments. */
export type RouteRequest = Omit<Incoming, 'method' | 'routeOptions' | 'fault'>
type RouteReply = Pick<Outgoing, 'header' | 'headers'>

type Ready = Stored & Pick<Answer<unknown>, 'file' | 'etag'>

export async function answer(
  service: Service,
  route: Route,
  request: RouteRequest,
  reply: RouteReply,
  /** Additional check after authorization; may throw. */
  onAllowed: (context: AnyContext) => void = () => {},
): Promise<Ready> {
  const { entry } = route
  const raw = {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
  }
  const input = parseInput(entry, request, raw)
  if (input.stream === null) return answerInput(service, route, request, reply, raw, input, onAllowed)
  const { chunks } = input.stream
  return answerInput(service, route, request, reply, raw, input, onAllowed).finally(() => {
    // Discard the unread body, so that the client proceeds to read the response.
    const discard = () => void (request.body instanceof Readable && request.body.resume())
    void chunks.return?.().then(discard, discard)
  })
}

async function answerInput(
  service: Service,
  route: Route,
  request: RouteRequest,
  reply: RouteReply,
  raw: Parameters<typeof parseInput>[2],
  input: ReturnType<typeof parseInput>,
  onAllowed: (context: AnyContext) => void,
): Promise<Ready> {
  const { entry } = route
  checkProfileParameter(entry, request.caller, raw)
  const db = entry.slow === true ? service.backgroundDb : service.db
  const base: AnyContext = {
    service,
    db,
    caller: request.caller,
    now: service.clock.now(),
    log: service.log,
    requestId: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    wantsCookie: request.headers['x-whence-console'] === '1',
  }
  const context = await useProfileShard(await precheckAndAuthorize(base, route, input, raw), entry)
  onAllowed(context)
  const key = request.headers['idempotency-key']
  if (
    typeof key !== 'string' ||
    entry.method === 'GET' ||
    entry.idempotent === false ||
    request.caller.kind === 'anonymous'
  ) {
    const result = await route.handle(context, input).catch((error: unknown) => {
      reply.headers(ingestHeaders(context, entry, error))
      throw error
    })
    reply.headers(ingestHeaders(context, entry))
    await logShown(context, entry)
    reply.headers(result.headers ?? {})
    if (result.file !== undefined) return { status: result.status ?? 200, body: null, file: result.file }
    if (result.etag === undefined) return render(entry, context, result)
    const ready = result.isUnchanged ? { status: 304, body: null } : render(entry, context, result)
    return { ...ready, etag: result.etag }
  }
  checkKey(key)
  const path = request.url.split('?')[0]!
  let headers: Answer<unknown>['headers']
  const claim: Claim = {
    scope: keyOwner(request.caller),
    method: entry.method,
    path,
    key,
    fingerprint: async () =>
      fingerprintOf({
        method: entry.method,
        path,
        query: raw.query,
        body: (await route.digest?.(input)) ?? input.raw?.bytes.toString('base64') ?? input.body,
        profileId: request.caller.kind === 'key' ? request.caller.profileId : null,
      }),
    storesErrors: input.stream === null,
    sealed: entry.secretReply === true,
  }
  const run = async (context: AnyContext) => {
    const result = await route.handle(context, input)
    headers = result.headers
    await logShown(context, entry)
    return render(entry, context, result)
  }
  const stored =
    entry.idempotent === 'response'
      ? await withStoredResponse({ service, db }, claim, () => run(context))
      : await withIdempotency(
          { service, db },
          claim,
          (tx) => run({ ...context, db: tx }),
          (error) => ({
            status: error.status,
            body: JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL)),
          }),
        )
  if (stored.replayed) reply.header('idempotency-replayed', 'true')
  else reply.headers(headers ?? {})
  return stored
}

/** Rate limit headers of event routes, which are limited per profile instead of per credential. Retry-After of a rejected
 * batch covers all of its events. */
function ingestHeaders(context: AnyContext, entry: Endpoint, refusal?: unknown): Record<string, string> {
  if (entry.limit !== 'ingest' || !('profile' in context)) return {}
  const { service, profile } = context as ProfileContext
  const limit = { perMinute: service.config.INGEST_PER_SECOND * 60, burst: service.config.INGEST_BURST }
  const quota = service.ingestLimit.left(profile.id)
  const isLimited = refusal instanceof ApiError && refusal.code === 'rate_limit_exceeded'
  const wait = isLimited ? refusal.retryAfter : null
  return rateHeaders(limit, { ...quota, retryAfterSeconds: wait ?? quota.retryAfterSeconds })
}

/** Runs the pre-check, which needs only the request, before authorization. Event routes validate while parsing events, so
 * their pre-check runs only if authorization fails. */
async function precheckAndAuthorize(
  base: AnyContext,
  route: Route,
  input: Parameters<Route['handle']>[1],
  raw: Parameters<typeof authorize>[2],
): Promise<AnyContext> {
  const { entry } = route
  if (entry.limit !== 'ingest') {
    await route.precheck?.(input, base)
    return authorize(base, entry, raw)
  }
  try {
    return await authorize(base, entry, raw)
  } catch (error) {
    await route.precheck?.(input, base)
    throw error
  }
}

/**
 * Reads of a profile use its shard's node directly, where rows of other profiles are not visible. Writes go through the
 * coordinator, which has the tables that belong to no profile: jobs, idempotency keys, the audit log.
 */
async function useProfileShard(context: AnyContext, entry: Endpoint): Promise<AnyContext> {
  if (entry.method !== 'GET' || !('profile' in context)) return context
  const { profile, service } = context as ProfileContext
  const shard = await service.nodes.shardOf(profile.id)
  return { ...context, db: entry.slow === true ? shard.slowDb : shard.db }
}

/**
 * Logs all people shown in the response. Throws if a route without `personLevel` shows people, so the response is
 * not sent.
 */
async function logShown(context: AnyContext, entry: Endpoint): Promise<void> {
  if (!('shown' in context)) return
  const { shown } = context as ProfileContext
  if (shown.size === 0) return
  if (entry.personLevel === undefined)
    throw new Error(`${entry.name} shows people but does not declare personLevel`)
  await logPersonAccess(context as ProfileContext, entry.name, [...shown])
}

function render(entry: Endpoint, context: AnyContext, result: Answer<unknown>): Stored {
  const status = result.status ?? entry.statuses[0] ?? 200
  if (status === 204) return { status, body: null }
  const members = { ...result.extra, meta: { ...scopeMeta(context), ...result.meta } }
  if (result.data instanceof JsonText)
    return { status, body: `{"data":${result.data.text},${JSON.stringify(members).slice(1)}` }
  return { status, body: JSON.stringify({ data: result.data, ...members }) }
}

function scopeMeta(context: AnyContext): Record<string, string> {
  if ('profile' in context) return { profile_id: (context.profile as { id: string }).id }
  if ('workspaceId' in context && context.caller.kind !== 'app')
    return { workspace_id: context.workspaceId as string }
  if (context.caller.kind === 'app') return { client_id: context.caller.clientId }
  return {}
}
