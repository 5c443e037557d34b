/** Checks responses against their contract: status, schema, no undeclared member, and the `meta` of the route's scope. */
import type { z } from 'zod'
import {
  type CallInput,
  type ClientOptions,
  createClient,
  type Schema,
  type Success,
} from '../src/platform/contract/client.ts'
import type { Access, Endpoint } from '../src/platform/contract/endpoint.ts'
import { leanFetch } from './lean-fetch.ts'

type Given<S extends Schema> = z.input<S> | Record<string, unknown>

/** The typed client, which also accepts invalid requests, to test their refusal. */
export type TestClient = <
  A extends Access,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
>(
  entry: Endpoint<A, P, Q, B, R>,
  input?: Omit<CallInput<P, Q, B>, 'params' | 'query' | 'body'> & {
    params?: Given<P>
    query?: Given<Q>
    body?: Given<B>
  },
) => Promise<Success<z.output<R>>>

/** A client that checks every successful response against the contract entry. */
export function createCheckedClient(options: ClientOptions): TestClient {
  const send = options.fetch ?? leanFetch
  return async (entry, input) => {
    let status = 0
    const call = createClient({
      ...options,
      fetch: (async (...sent: Parameters<typeof fetch>) => {
        const reply = await send(...sent)
        status = reply.status
        return reply
      }) as typeof fetch,
    })
    const answer = await call(entry, input as CallInput<Schema, Schema, Schema>)
    const problem = contractViolation(entry as unknown as Endpoint, status, status === 204 ? null : answer)
    if (problem !== null) throw new Error(`${entry.name}: ${problem}`)
    return answer
  }
}

/** How a success violates its contract entry; null if it does not. */
export function contractViolation(entry: Endpoint, status: number, body: unknown): string | null {
  if (!(entry.statuses as readonly number[]).includes(status)) return `status ${status} is not declared`
  if (status === 204) return body === null ? null : 'a 204 with a body'
  const { data, meta, ...extra } = body as Record<string, unknown>
  if (typeof meta !== 'object' || meta === null) return 'there is no meta'
  for (const name of Object.keys(extra))
    if (entry.extra?.[name] === undefined) return `${name} next to data is not declared`
  const parts: [string, z.ZodType, unknown][] = [
    ['data', entry.reply, data],
    ...Object.entries(entry.extra ?? {}).map(
      ([name, schema]) => [name, schema, extra[name]] as [string, z.ZodType, unknown],
    ),
    ...Object.entries(entry.meta ?? {}).map(
      ([name, schema]) =>
        [`meta.${name}`, schema, (meta as Record<string, unknown>)[name]] as [string, z.ZodType, unknown],
    ),
  ]
  for (const [name, schema, value] of parts) {
    const parsed = schema.safeParse(value)
    if (!parsed.success) return `${name} breaks its schema: ${parsed.error.message.slice(0, 300)}`
    const undeclaredField = undeclared(value, parsed.data, name)
    if (undeclaredField !== null) return `${undeclaredField} is not declared`
  }
  const missing = metaOf(entry).filter((name) => !(name in meta))
  return missing.length === 0 ? null : `meta lacks ${missing.join(', ')}`
}

/** The first member that the schema does not declare. */
function undeclared(value: unknown, parsed: unknown, path: string): string | null {
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null)
    return null
  for (const [name, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? path : `${path}.${name}`
    if (!(name in parsed)) return inner
    const deeper = undeclared(member, (parsed as Record<string, unknown>)[name], inner)
    if (deeper !== null) return deeper
  }
  return null
}

/** Members that `meta` must have: those of the route's scope, and the days of a dated report. */
function metaOf(entry: Endpoint): string[] {
  const shape = (entry.query as z.ZodObject).shape ?? {}
  const dates = ['date_from', 'date_to'].filter((name) => name in shape)
  switch (entry.access.kind) {
    case 'profile':
      return ['profile_id', ...dates]
    case 'workspace':
      return ['workspace_id', ...dates]
    case 'app':
      return ['client_id', ...dates]
    default:
      return dates
  }
}
