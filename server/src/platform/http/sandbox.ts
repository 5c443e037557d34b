/**
 * Sandbox mode: simulated providers below `/sandbox/<name>`, an adjustable clock, and the requests that the simulated
 * providers received. Mounted only in that mode, so it is 404 in any other.
 */
import { Readable } from 'node:stream'
import type { SandboxMode } from '@whence/sandbox/mode.ts'
import type { Sandbox } from '@whence/sandbox/sandbox.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { isUuid } from '../contract/ids.ts'
import { parseAs } from '../contract/parse.ts'
import { toError, toRefusal } from '../contract/refusal.ts'
import { readJson } from './json.ts'
import { guardControls, guardSimulatedProviders } from './sandbox-guard.ts'

/** Range that report calendars and event partitions cover; the step limits below keep the clock within it. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)
const isSupportedTime = (ms: number) => ms >= EARLIEST_MS && ms <= LATEST_MS
const supportedTime = [
  (text: string) => isSupportedTime(Date.parse(text)),
  'must be from 2000 to 2099',
] as const

const ClockMove = z.union([
  z.strictObject({
    advance_seconds: z
      .number()
      .min(0)
      .max(3_650 * 86_400),
  }),
  z.strictObject({ now: z.iso.datetime({ offset: true }).refine(...supportedTime) }),
])
const Fault = z.strictObject({
  kind: z.enum([
    'rate_limited',
    'server_error',
    'timeout',
    'truncated_json',
    'html_error',
    'reset',
    'lost_reply',
    'bad_record',
  ]),
  match: z.string().default('/'),
  times: z.int().min(1).max(10_000).default(1),
  retry_after_seconds: z.number().min(0).optional(),
})
const Act = z.strictObject({
  action: z.string().min(1),
  args: z.record(z.string(), z.unknown()).default({}),
})

/** Looks up the token of a connection; injected, because this folder does not import features. */
type FindToken = (
  service: Service,
  connectionId: string,
) => Promise<{ token: string; accountId: string } | undefined>

export function mountSandbox(
  app: FastifyInstance,
  service: Service,
  mode: SandboxMode,
  findToken: FindToken,
): void {
  const sandboxes = mode.create({
    now: () => service.clock.now(),
    sendWebhook: (webhook) => sendWebhook(service, webhook),
    postTo: (url, json) => postTo(service, url, json),
  })
  const control = { onRequest: async (request: FastifyRequest) => guardControls(service.config, request) }
  const find = (request: FastifyRequest): Sandbox => {
    const { name } = request.params as { name: string }
    const sandbox = sandboxes.find((candidate) => candidate.name === name)
    if (sandbox === undefined) throw new ApiError('not_found', `There is no sandbox ${name.slice(0, 50)}.`)
    return sandbox
  }
  app.post('/sandbox/clock', control, async (request) => {
    await moveClock(service, parse(ClockMove, request))
    return { data: { now: service.clock.now().toISOString() } }
  })
  app.get('/sandbox/clock', control, async () => ({ data: { now: service.clock.now().toISOString() } }))
  app.get('/sandbox/exports', control, async () => ({ data: received(sandboxes, 'exports') }))
  app.get('/sandbox/writes', control, async () => ({ data: received(sandboxes, 'writes') }))
  app.post('/sandbox/:name/fault', control, async (request) => {
    const body = parse(Fault, request)
    const { retry_after_seconds: retryAfterSeconds, ...fault } = body
    find(request).fault({ ...fault, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })
    return { data: body }
  })
  app.post('/sandbox/:name/act', control, async (request) => {
    const { action, args } = parse(Act, request)
    return { data: await act(find(request), action, await withToken(service, args, findToken)) }
  })
  mountProviders(app, service, mode.mount({ sandboxes, origin: () => service.config.BASE_URL }))
}

/** Replaces `connection_id` by the token and account that the simulated provider knows. */
async function withToken(
  service: Service,
  args: Record<string, unknown>,
  findToken: FindToken,
): Promise<Record<string, unknown>> {
  const { connection_id: connectionId, ...otherArgs } = args
  if (connectionId === undefined) return args
  const connection = isUuid(String(connectionId)) && (await findToken(service, String(connectionId)))
  if (!connection)
    throw new ApiError('not_found', 'no such connection with a token.', { field: 'connection_id' })
  return { token: connection.token, account_id: connection.accountId, ...otherArgs }
}

async function act(sandbox: Sandbox, action: string, args: Record<string, unknown>) {
  try {
    return await sandbox.act(action, args)
  } catch (error) {
    throw new ApiError('validation_error', error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}

function received(sandboxes: readonly Sandbox[], kind: 'exports' | 'writes') {
  return sandboxes.flatMap((sandbox) =>
    sandbox[kind]().map((entry) => ({ provider: sandbox.name, ...entry })),
  )
}

async function moveClock(service: Service, move: z.infer<typeof ClockMove>): Promise<void> {
  const offsetMs = service.clock.now().getTime() - Date.now()
  const next =
    'now' in move
      ? new Date(move.now).getTime() - Date.now()
      : Math.round(offsetMs + move.advance_seconds * 1000)
  if (!isSupportedTime(Date.now() + next))
    throw new ApiError('validation_error', 'the clock must stay before the year 2100.', {
      field: 'advance_seconds',
    })
  await service.clock.set(service.db, next)
}

function parse<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  const reading = readJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  if (!reading.ok) throw new ApiError('invalid_request', reading.message)
  const parsed = parseAs(schema, reading.value)
  if (parsed.ok) return parsed.value
  throw toError(toRefusal('validation_error', parsed))
}

/** Simulated providers respond on the raw connection, so that truncated responses are possible. */
function mountProviders(
  app: FastifyInstance,
  service: Service,
  mounted: ReturnType<SandboxMode['mount']>,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url, method, headers } = request.raw
    const body = Readable.from(Buffer.isBuffer(request.body) ? [request.body] : [])
    const response = await mounted.answer(Object.assign(body, { url, method, headers }))
    if (response === null) throw new ApiError('not_found', 'There is no such sandbox.')
    reply.hijack()
    await mounted.send(reply.raw, response)
  }
  const onRequest = async (request: FastifyRequest) => guardSimulatedProviders(service.config, request)
  // Each imitation has limits of its own below this one.
  app.all('/sandbox/:name/*', { bodyLimit: mounted.maxBodyBytes, onRequest }, answer)
}

/** Posts only to the service itself, so that a simulated provider cannot reach other hosts. */
async function postTo(service: Service, url: string, json: string): Promise<number> {
  if (URL.parse(url)?.origin !== new URL(service.config.BASE_URL).origin) return 400
  const headers = { 'content-type': 'application/json' }
  const reply = await service.providerHttp.send({ method: 'POST', url, headers, body: json })
  return reply.status
}

async function sendWebhook(
  service: Service,
  webhook: {
    provider: string
    headers: Record<string, string>
    body: string
    query?: Record<string, string>
  },
): Promise<void> {
  const url = new URL(`${service.config.BASE_URL}/webhooks/in/${webhook.provider}`)
  for (const [name, value] of Object.entries(webhook.query ?? {})) url.searchParams.set(name, value)
  await service.providerHttp.send({
    method: 'POST',
    url: url.href,
    headers: webhook.headers,
    body: webhook.body,
  })
}
