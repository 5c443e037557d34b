/** What a request says → what its contract entry takes, or the refusal that names the first wrong part. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Endpoint, nothing } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { parseAs } from '../contract/parse.ts'
import { checkText, readJson, readJsonBatch } from './json.ts'
import type { Input } from './route.ts'

export function parseInput(
  entry: Endpoint,
  request: FastifyRequest,
  raw: { params: Record<string, unknown>; query: Record<string, unknown> },
): Input<unknown, unknown, unknown> {
  checkTexts(raw.params, 'path')
  checkTexts(raw.query, 'query')
  return {
    headers: request.headers as Record<string, string>,
    params: parsePart(entry.params, raw.params, 'invalid_parameter'),
    query: parsePart(entry.query, raw.query, 'invalid_parameter'),
    ...parseBody(entry, request),
  }
}

function checkTexts(values: Record<string, unknown>, where: string): void {
  for (const name in values) {
    const value = values[name]
    const problem = typeof value === 'string' ? checkText(value) : null
    if (problem !== null) throw new ApiError('invalid_parameter', `${name} in the ${where}: ${problem}`)
  }
}

function parseBody(
  entry: Endpoint,
  request: FastifyRequest,
): Pick<Input<unknown, unknown, unknown>, 'body' | 'raw'> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (entry.rawBody?.some((accepted) => matchesType(accepted, contentType)) === true)
    return { body: undefined, raw: { contentType: request.headers['content-type'] ?? '', bytes } }
  if (entry.body === null) return { body: {}, raw: null }
  if (bytes.length === 0) return { body: parsePart(entry.body, {}, 'validation_error'), raw: null }
  if (contentType !== 'application/json')
    throw new ApiError('invalid_request', 'The content type must be application/json.')
  const reading = entry.batch === undefined ? readJson(bytes) : readJsonBatch(bytes, entry.batch)
  if (!reading.ok) throw new ApiError('invalid_request', reading.message)
  if (typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
    throw new ApiError('invalid_request', 'The body must be a JSON object.')
  return { body: parsePart(entry.body, reading.value, 'validation_error'), raw: null }
}

function matchesType(accepted: string, contentType: string): boolean {
  return accepted.endsWith('/*') ? contentType.startsWith(accepted.slice(0, -1)) : accepted === contentType
}

function parsePart(
  schema: z.ZodType,
  value: unknown,
  code: 'invalid_parameter' | 'validation_error',
): unknown {
  if (schema === nothing) return {}
  const parsed = parseAs(schema, value)
  if (parsed.ok) return parsed.value
  const isDate = code === 'invalid_parameter' && (parsed.path === 'date_from' || parsed.path === 'date_to')
  throw new ApiError(isDate ? 'invalid_date_range' : code, parsed.message)
}
