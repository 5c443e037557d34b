/** openapi.json, made from the contract entries: every status and error code of each route. */
import { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { ApiError } from '../contract/errors.ts'
import { type Example, exampleOf } from '../contract/examples.ts'
import { toErrorBody } from './reply.ts'

type JsonObject = Record<string, unknown>

const EXAMPLE_REQUEST = 'req_k7m2c4q6x5v3bn7adwtz'

const description = `Which ad earned which sale. Every route takes a bearer credential unless it says otherwise, answers \`{ data, meta }\`, and refuses with one error envelope.`

export function toOpenApi(entries: readonly Endpoint[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const entry of entries) {
    const path = `/api/v1${entry.path}`
    paths[path] ??= {}
    paths[path][entry.method.toLowerCase()] = operation(entry)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whence',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(entries.map((entry) => entry.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key, user token or session' },
        app: {
          type: 'http',
          scheme: 'basic',
          description: 'client_id and client_secret of a registered app',
        },
      },
      schemas: { Error: errorSchema() },
      examples: errorExamples(entries),
    },
  }
}

function operation(entry: Endpoint): JsonObject {
  const example = exampleOf(entry)
  return {
    operationId: entry.name,
    summary: entry.summary,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    tags: [entry.tag],
    ...(entry.retired === undefined ? {} : { deprecated: true }),
    security: securityOf(entry),
    parameters: [
      ...parametersOf(entry, 'path', entry.params, example?.params),
      ...parametersOf(entry, 'query', entry.query, example?.query),
    ],
    ...bodyOf(entry, example),
    responses: { ...successes(entry, example), ...refusals(entry) },
    ...('scopes' in entry.access ? { 'x-required-scopes': entry.access.scopes } : {}),
  }
}

function securityOf(entry: Endpoint): JsonObject[] {
  switch (entry.access.kind) {
    case 'public':
      return []
    case 'app':
      return [{ app: [] }]
    case 'user_or_app':
    case 'workspace_or_app':
      return [{ bearer: [] }, { app: [] }]
    default:
      return [{ bearer: [] }]
  }
}

function parametersOf(
  entry: Endpoint,
  place: 'path' | 'query',
  schema: z.ZodType,
  example: Record<string, unknown> = {},
): JsonObject[] {
  const shape = toSchema(schema, 'input') as { properties?: Record<string, JsonObject>; required?: string[] }
  const own = Object.entries(shape.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (shape.required ?? []).includes(name),
    schema: property,
    ...(name in example ? { example: example[name] } : {}),
    ...(typeof property.description === 'string' ? { description: property.description } : {}),
  }))
  if (
    place === 'path' ||
    entry.access.kind !== 'profile' ||
    own.some((parameter) => parameter.name === 'profile_id')
  )
    return own
  const profile = {
    name: 'profile_id',
    in: 'query',
    required: false,
    schema: { type: 'string', format: 'uuid' },
    description: 'Required with a user token or session; an API key has its own profile',
  }
  return [...own, profile]
}

function bodyOf(entry: Endpoint, example: Example | undefined): JsonObject {
  if (entry.body === null && entry.rawBody === undefined) return {}
  const content: JsonObject = {}
  if (entry.body !== null)
    content['application/json'] = {
      schema: toSchema(entry.body, 'input'),
      ...(example === undefined ? {} : { example: example.body }),
    }
  for (const type of entry.rawBody ?? []) {
    const raw = entry.example?.raw?.[type]
    content[type] = { schema: { type: 'string' }, ...(raw === undefined ? {} : { example: raw }) }
  }
  const required = entry.body === null || !entry.body.safeParse({}).success
  return { requestBody: { required, content } }
}

function successes(entry: Endpoint, example: Example | undefined): JsonObject {
  const schema = {
    type: 'object',
    properties: {
      data: toSchema(entry.reply, 'output'),
      ...mapSchemas(entry.beside ?? {}),
      meta: { type: 'object', properties: mapSchemas(entry.meta ?? {}), additionalProperties: true },
    },
    required: ['data', ...Object.keys(entry.beside ?? {})],
  }
  return Object.fromEntries(
    entry.statuses.map((status) => [
      String(status),
      status === 204
        ? { description: 'Done; nothing to say' }
        : {
            description: status === 201 ? 'Created' : status === 202 ? 'Accepted; the work goes on' : 'Done',
            content: {
              'application/json': {
                schema,
                ...(example === undefined ? {} : { example: answerOf(example) }),
              },
            },
          },
    ]),
  )
}

function answerOf({ data, beside, meta }: Example): JsonObject {
  return { data, ...beside, ...(Object.keys(meta).length === 0 ? {} : { meta }) }
}

/** The codes any route of this kind may answer, beside its own. */
export function errorCodesOf(entry: Endpoint): ErrorCode[] {
  if (entry.retired !== undefined) return ['feature_retired', 'invalid_request']
  const codes = new Set<ErrorCode>(entry.errors)
  codes.add('invalid_parameter').add('invalid_request').add('database_unavailable').add('internal_error')
  if (entry.access.kind !== 'public') codes.add('unauthorized').add('rate_limit_exceeded')
  if (entry.access.kind === 'profile') codes.add('insufficient_scope').add('not_found')
  if (entry.access.kind === 'workspace' || entry.access.kind === 'workspace_or_app')
    codes.add('forbidden').add('not_found').add('insufficient_scope')
  if (entry.body !== null) codes.add('validation_error').add('payload_too_large')
  if (entry.method !== 'GET' && entry.access.kind !== 'public' && entry.idempotent !== false)
    codes.add('idempotency_key_conflict').add('idempotency_key_in_flight')
  if (entry.personLevel === true) codes.add('healthcare_scope_forbidden')
  if (entry.entitlement !== undefined) codes.add('entitlement_required')
  return [...codes].sort()
}

function refusals(entry: Endpoint): JsonObject {
  const byStatus = Map.groupBy(errorCodesOf(entry), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ]),
  )
}

/** The envelope of each code that some route answers. */
function errorExamples(entries: readonly Endpoint[]): JsonObject {
  const codes = [...new Set(entries.flatMap(errorCodesOf))].sort()
  return Object.fromEntries(
    codes.map((code) => {
      const { status, meaning } = errorCatalogue[code]
      const error = new ApiError(code, meaning)
      return [
        code,
        { summary: `${status}`, value: toErrorBody(error, EXAMPLE_REQUEST, 'https://whence.example') },
      ]
    }),
  )
}

function mapSchemas(shape: Record<string, z.ZodType>): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, toSchema(schema, 'output')]))
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  })
  return rest
}

function errorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status', 'request_id', 'docs_url'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCatalogue) },
          message: { type: 'string' },
          status: { type: 'integer' },
          request_id: { type: 'string' },
          docs_url: { type: 'string', format: 'uri' },
          required_scopes: { type: 'array', items: { type: 'string' } },
          reason: { type: 'string' },
          reconnect_required: { type: 'boolean' },
          reconnect_url: { type: 'string' },
        },
        additionalProperties: true,
      },
    },
  }
}
