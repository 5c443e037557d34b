/** Parses a request into the input of its contract entry, or throws an error about the first invalid part. */
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Endpoint, nothing } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { nearestName } from '../contract/near-name.ts'
import { parseAs } from '../contract/parse.ts'
import { toError, toRefusal } from '../contract/refusal.ts'
import { checkText, readJson, readJsonBatch } from './json.ts'
import type { Input, StreamedBody } from './route.ts'

export function parseInput(
  entry: Endpoint,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  raw: { params: Record<string, unknown>; query: Record<string, unknown> },
): Input<unknown, unknown, unknown> {
  checkTexts(raw.params, 'path')
  checkTexts(raw.query, 'query')
  return {
    headers: request.headers as Record<string, string>,
    params: parsePart(entry.params, raw.params, 'path'),
    query: parseQuery(entry, raw.query),
    ...parseBody(entry, request),
  }
}

/** Unknown parameters are rejected, because a misspelt one would silently change the result. */
function parseQuery(entry: Endpoint, query: Record<string, unknown>): unknown {
  const declared = queryNamesOf(entry)
  const unknownName = Object.keys(query).find((name) => !declared.has(name))
  if (unknownName === undefined) return parsePart(entry.query, query, 'query')
  const field = unknownName.slice(0, 100)
  const reason = entry.refused?.[unknownName]
  if (reason !== undefined) throw new ApiError('invalid_parameter', `${reason}.`, { field })
  const nearest = nearestName(unknownName, declared)
  const hint =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : declared.size === 0
        ? 'this route has none.'
        : `valid names are ${[...declared].join(', ')}.`
  throw new ApiError('invalid_parameter', `unknown query parameter; ${hint}`, { field })
}

const declaredNames = new WeakMap<Endpoint, ReadonlySet<string>>()

function queryNamesOf(entry: Endpoint): ReadonlySet<string> {
  const cachedNames = declaredNames.get(entry)
  if (cachedNames !== undefined) return cachedNames
  const names = new Set(Object.keys(shapeOf(entry.query)))
  // User credentials send the profile; an API key belongs to one.
  if (entry.access.kind === 'profile') names.add('profile_id')
  declaredNames.set(entry, names)
  return names
}

/** The fields of an object schema, also if wrapped in a transform or refinement. */
function shapeOf(schema: z.ZodType): object {
  const inner = schema as { shape?: object; in?: z.ZodType; def?: { in?: z.ZodType; innerType?: z.ZodType } }
  if (inner.shape !== undefined) return inner.shape
  const next = inner.def?.in ?? inner.def?.innerType
  return next === undefined ? {} : shapeOf(next)
}

function checkTexts(values: Record<string, unknown>, location: string): void {
  for (const name in values) {
    const value = values[name]
    const problem = typeof value === 'string' ? checkText(value) : null
    if (problem !== null) throw new ApiError('invalid_parameter', `${name} in the ${location}: ${problem}`)
  }
}

function parseBody(
  entry: Endpoint,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
): Pick<Input<unknown, unknown, unknown>, 'body' | 'raw' | 'stream'> {
  if (entry.streamsBody === true) return { body: undefined, raw: null, stream: streamOf(request) }
  return { ...parseBufferedBody(entry, request), stream: null }
}

function streamOf({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): StreamedBody {
  const source = body instanceof Readable ? body : Readable.from([])
  return {
    contentType: headers['content-type'] ?? '',
    size: headers['content-length'] === undefined ? null : Number(headers['content-length']),
    // Do not destroy the stream: that would close the connection before the client receives the response.
    chunks: source.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>,
  }
}

/** Of a route without fields: ignoring what was sent would do more than the sender meant, such as `dry_run`. */
const noFields = z.strictObject({})

function parseBufferedBody(
  entry: Endpoint,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
): Pick<Input<unknown, unknown, unknown>, 'body' | 'raw'> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (entry.rawBody?.some((accepted) => matchesType(accepted, contentType)) === true)
    return { body: undefined, raw: { contentType: request.headers['content-type'] ?? '', bytes } }
  // A route that also reads files explains itself what it accepts.
  if (entry.method === 'GET' || (entry.body === null && entry.rawBody !== undefined))
    return { body: {}, raw: null }
  const schema = entry.body ?? noFields
  if (bytes.length === 0) return { body: parsePart(schema, {}, 'body'), raw: null }
  if (contentType !== 'application/json')
    throw new ApiError('invalid_request', 'The content type must be application/json.')
  const reading = entry.batch === undefined ? readJson(bytes) : readJsonBatch(bytes, entry.batch.member)
  if (!reading.ok) throw new ApiError('invalid_request', reading.message)
  if (typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
    throw new ApiError('invalid_request', 'The body must be a JSON object.')
  return { body: parsePart(schema, reading.value, 'body'), raw: null }
}

function matchesType(accepted: string, contentType: string): boolean {
  return accepted.endsWith('/*') ? contentType.startsWith(accepted.slice(0, -1)) : accepted === contentType
}

function parsePart(schema: z.ZodType, value: unknown, part: 'path' | 'query' | 'body'): unknown {
  if (schema === nothing) return {}
  const parsed = parseAs(schema, value, `The ${part}`)
  if (parsed.ok) return parsed.value
  const code = part === 'body' ? 'validation_error' : 'invalid_parameter'
  const isDate = part === 'query' && (parsed.path === 'date_from' || parsed.path === 'date_to')
  throw toError(toRefusal(isDate ? 'invalid_date_range' : code, parsed))
}
