/**
 * Example request and response of each route. Responses of the most read routes are recordings from the service;
 * the others are generated from the schemas, so none is missing or stale. Examples written in the entry take
 * precedence.
 */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { checkedByFunction, EXAMPLE_ID, exampleValues, usuallyNull } from './example-values.ts'
import recorded from './recorded-answers.json' with { type: 'json' }

export type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  format?: string
  pattern?: string
  default?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  minItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

export type Example = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** Null if the route accepts no JSON. */
  body: Record<string, unknown> | null
  data: unknown
  extra: Record<string, unknown>
  meta: Record<string, unknown>
}

/** The body of a successful response, shortened. */
export type RecordedAnswer = {
  data: unknown
  meta: Record<string, unknown>
  /** The request body, if the entry has no example. */
  request?: Record<string, unknown>
  [extra: string]: unknown
}

export const recordedAnswers: Readonly<Record<string, RecordedAnswer>> = recorded

const byFormat: Record<string, unknown> = {
  uuid: EXAMPLE_ID,
  email: 'marta@example.com',
  uri: 'https://shop.example/',
  date: '2026-01-15',
  'date-time': '2026-01-15T10:00:00Z',
}

/** `all`: every field. `required`: the minimum valid value. */
export type Extent = 'all' | 'required'

export function valueFor(name: string, schema: JsonSchema, extent: Extent): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (extent === 'all' && usuallyNull.has(name) && mayBeNull(schema)) return null
  const exampleValue = exampleValueFor(name, extent)
  if (exampleValue !== undefined && fits(exampleValue, schema)) return structuredClone(exampleValue)
  const choice = choices?.find((option) => option.type !== 'null') ?? choices?.[0]
  if (choice !== undefined) return valueFor(name, choice, extent)
  if (schema.allOf !== undefined) return allOf(name, schema.allOf, extent)
  if (schema.format !== undefined && schema.format in byFormat) return byFormat[schema.format]
  if (schema.default !== undefined) return schema.default
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return objectFor(schema, extent)
    case 'array':
      return arrayFor(name, schema, extent)
    case 'integer':
    case 'number':
      return numberFor(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textFor(name, schema)
  }
}

function mayBeNull({ type, anyOf, oneOf }: JsonSchema): boolean {
  return [type].flat().includes('null') || (anyOf ?? oneOf)?.some(mayBeNull) === true
}

function exampleValueFor(name: string, extent: Extent): unknown {
  return checkedByFunction[name] ?? (extent === 'all' ? exampleValues[name] : undefined)
}

/** The name is only a hint: `total` may be an object in some schema. */
function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.anyOf !== undefined || schema.oneOf !== undefined)
    return (schema.anyOf ?? schema.oneOf)!.some((option) => fits(value, option))
  if (schema.enum !== undefined || schema.const !== undefined) return false
  if (
    schema.pattern !== undefined &&
    !(typeof value === 'string' && new RegExp(schema.pattern, 'u').test(value))
  )
    return false
  if (Array.isArray(value))
    return schema.type === 'array' && value.every((item) => fits(item, schema.items ?? {}))
  if (typeof value === 'object' && value !== null)
    return schema.type === 'object' && Object.keys(value).every((key) => key in (schema.properties ?? value))
  const types = [schema.type].flat()
  if (types.includes('integer')) return Number.isSafeInteger(value)
  return types[0] === undefined || types.includes(typeof value)
}

function allOf(name: string, parts: readonly JsonSchema[], extent: Extent): unknown {
  const values = parts.map((part) => valueFor(name, part, extent))
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  return values.every(isObject) ? Object.assign({}, ...values) : values[0]
}

export function objectFor(schema: JsonSchema, extent: Extent): Record<string, unknown> {
  const properties = schema.properties ?? {}
  const names = extent === 'all' ? Object.keys(properties) : (schema.required ?? [])
  const value = Object.fromEntries(
    names.map((name) => [name, valueFor(name, properties[name] ?? {}, extent)]),
  )
  const additional = schema.additionalProperties
  if (names.length > 0 || extent === 'required' || typeof additional !== 'object') return value
  if (Object.keys(additional).length === 0) return value
  const keys = (schema.propertyNames?.enum ?? ['sample']).map(String)
  return Object.fromEntries(keys.map((key) => [key, valueFor(key, additional, extent)]))
}

function arrayFor(name: string, schema: JsonSchema, extent: Extent): unknown[] {
  if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => valueFor(name, item, extent))
  const length = Math.max(schema.minItems ?? 0, extent === 'all' ? 1 : 0)
  return Array.from({ length }, () => valueFor(name.replace(/s$/, ''), schema.items ?? {}, extent))
}

function numberFor(schema: JsonSchema): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1)
  return Math.min(Math.max(1, least), schema.maximum ?? Number.POSITIVE_INFINITY)
}

function textFor(name: string, schema: JsonSchema): string {
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  const guesses = [
    /_at$|^since$|^until$|_through$/.test(name) ? '2026-01-15T10:00:00.000Z' : undefined,
    /_url$|_uri$/.test(name) ? 'https://shop.example/' : undefined,
    /_origin$/.test(name) ? 'https://shop.example' : undefined,
    /(^|_)id$/.test(name) ? EXAMPLE_ID : undefined,
    'sample'.padEnd(schema.minLength ?? 0, 'x'),
    EXAMPLE_ID,
    '2026-01-15',
    '2026-01-15T10:00:00.000Z',
    'EUR',
    '12.50',
    '1',
    'https://shop.example/',
    'a'.repeat(Math.max(schema.minLength ?? 0, 64)),
  ]
  const short = (text: string) =>
    text.length <= (schema.maxLength ?? 10_000) && text.length >= (schema.minLength ?? 0)
  const match = guesses.find(
    (text) => text !== undefined && short(text) && (pattern === undefined || pattern.test(text)),
  )
  return match ?? 'sample'
}

export function inputSchema(part: z.ZodType): JsonSchema {
  return z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function outputSchema(part: z.ZodType): JsonSchema {
  return z.toJSONSchema(part, { io: 'output', unrepresentable: 'any' }) as JsonSchema
}

/** The first candidate that the schema accepts. */
function firstValid(part: z.ZodType, candidates: readonly unknown[]): unknown {
  return candidates.find((candidate) => candidate !== undefined && part.safeParse(candidate).success)
}

function requestPart(
  part: z.ZodType,
  example: unknown,
  extents: readonly Extent[],
  /** Fields that the route requires although they are optional in the schema. */
  requiredNames: readonly string[] = [],
): Record<string, unknown> | undefined {
  const schema = inputSchema(part)
  const extraNames = requiredNames.filter((name) => name in (schema.properties ?? {}))
  const extraValues = Object.fromEntries(extraNames.map((name) => [name, checkedByFunction[name]]))
  const generated = extents.map((extent) => ({ ...(valueFor('', schema, extent) as object), ...extraValues }))
  return firstValid(part, [example, ...generated, {}]) as Record<string, unknown> | undefined
}

const dates = ['date_from', 'date_to', 'from', 'to']

/** Undefined if no valid example can be generated from the schemas; the entry must then provide one. */
export function exampleOf(entry: Endpoint): Example | undefined {
  const params = requestPart(entry.params, entry.example?.params, ['all'])
  const query = requestPart(entry.query, entry.example?.query, ['required'], dates)
  const { data, meta, request, ...extra } = recordedAnswers[entry.name] ?? generatedAnswer(entry)
  const bodyExample = entry.example?.body ?? request
  const body = entry.body === null ? null : requestPart(entry.body, bodyExample, ['all', 'required'])
  if (params === undefined || query === undefined || body === undefined || data === undefined)
    return undefined
  return { params, query, body, data, extra, meta }
}

function generatedAnswer(entry: Endpoint): RecordedAnswer {
  return {
    data: answerPart(entry.reply, entry.example?.reply),
    ...answerParts(entry.extra),
    meta: { ...scopeOf(entry), ...answerParts(entry.meta) },
  }
}

function answerPart(part: z.ZodType, example: unknown): unknown {
  return firstValid(part, [example, valueFor('', outputSchema(part), 'all'), null])
}

function answerParts(parts: Record<string, z.ZodType> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      firstValid(part, [
        valueFor(name, outputSchema(part), 'all'),
        valueFor(name, outputSchema(part), 'required'),
      ]),
    ]),
  )
}

/** The id that is always in `meta`. */
function scopeOf(entry: Endpoint): Record<string, string> {
  switch (entry.access.kind) {
    case 'profile':
      return { profile_id: EXAMPLE_ID }
    case 'workspace':
    case 'workspace_or_app':
      return { workspace_id: EXAMPLE_ID }
    case 'app':
      return { client_id: 'app_k3m9d2' }
    default:
      return {}
  }
}
