/** A request that passes an entry's schemas, made from the schemas themselves and the entry's example. */
import { z } from 'zod'
import type { Endpoint } from '../src/contract/endpoint.ts'

export type Sample = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | null
}

export const UNKNOWN_ID = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'

type JsonSchema = {
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
  items?: JsonSchema
  minItems?: number
  minLength?: number
  minimum?: number
}

/** What a schema cannot say, because a function checks it. */
const byName: Record<string, unknown> = {
  timezone: 'Europe/Madrid',
  currency: 'EUR',
  reporting_currency: 'EUR',
  date: '2026-01-15',
  date_from: '2026-01-01',
  date_to: '2026-01-31',
  from: '2026-01-01T00:00:00Z',
  to: '2026-01-31T00:00:00Z',
  email: 'sample@example.com',
  url: 'https://sample.example/hook',
  domain: 'track.sample.example',
  hostname: 'track.sample.example',
  shop: 'sample-store',
  entity_ids: UNKNOWN_ID,
}

const byFormat: Record<string, unknown> = {
  uuid: UNKNOWN_ID,
  email: 'sample@example.com',
  uri: 'https://sample.example/',
  date: '2026-01-15',
  'date-time': '2026-01-15T10:00:00Z',
}

function valueFor(name: string, schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (name in byName) return byName[name]
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (choice !== undefined) return valueFor(name, choice)
  if (schema.format !== undefined && schema.format in byFormat) return byFormat[schema.format]
  if (schema.default !== undefined) return schema.default
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return objectFor(schema)
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueFor(name, schema.items ?? {}))
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'sample'.padEnd(schema.minLength ?? 0, 'x')
  }
}

function objectFor(schema: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, valueFor(name, schema.properties?.[name] ?? {})]),
  )
}

export function schemaOf(part: z.ZodType): JsonSchema {
  return z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function sampleOfPart(part: z.ZodType, example: unknown): Record<string, unknown> | undefined {
  const candidates = [example, {}, objectFor(schemaOf(part))]
  for (const candidate of candidates)
    if (candidate !== undefined && part.safeParse(candidate).success)
      return structuredClone(candidate) as Record<string, unknown>
  return undefined
}

export function sampleOf(entry: Endpoint): Sample {
  const params = sampleOfPart(entry.params, entry.example?.params)
  const query = sampleOfPart(entry.query, entry.example?.query)
  const body = entry.body === null ? null : sampleOfPart(entry.body, entry.example?.body)
  if (params === undefined || query === undefined || body === undefined)
    throw new Error(`${entry.name}: the sweeps find no valid request; give the entry an example`)
  return { params, query, body }
}

/** Names of the path's ids: the parameters that may name a row of somebody else. */
export function idParams(entry: Endpoint): string[] {
  const { properties = {} } = schemaOf(entry.params)
  return Object.entries(properties)
    .filter(([, schema]) => schema.enum === undefined && schema.const === undefined)
    .map(([name]) => name)
}
