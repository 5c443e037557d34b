/** Error responses in openapi.json: each code once as an example, each set of codes once as a response. */
import { type Endpoint, isRefusedOnHealthcare } from '../contract/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { ApiError } from '../contract/errors.ts'
import type { JsonObject } from './openapi-schemas.ts'
import { toErrorBody } from './reply.ts'

const EXAMPLE_REQUEST = 'req_k7m2c4q6x5v3bn7adwtz'

export function takesIdempotencyKey(entry: Endpoint): boolean {
  return (
    entry.method !== 'GET' &&
    entry.access.kind !== 'public' &&
    entry.idempotent !== false &&
    entry.retired === undefined
  )
}

export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-zA-Z])/g, (_, first: string) => first.toUpperCase())
}

/** The route's own codes and those that any route of its kind can return. */
export function errorCodesOf(entry: Endpoint): ErrorCode[] {
  if (entry.retired !== undefined) return ['feature_retired', 'invalid_request']
  const codes = new Set<ErrorCode>(entry.errors)
  codes.add('invalid_parameter').add('invalid_request').add('database_unavailable').add('internal_error')
  if (entry.access.kind !== 'public') codes.add('unauthorized').add('rate_limit_exceeded')
  if (entry.access.kind === 'profile') codes.add('forbidden').add('insufficient_scope').add('not_found')
  if (entry.access.kind === 'user' && entry.access.operator) codes.add('forbidden')
  if (entry.access.kind === 'workspace' || entry.access.kind === 'workspace_or_app')
    codes.add('forbidden').add('not_found').add('insufficient_scope')
  // A path segment that is too long matches no route.
  if (entry.path.includes('{')) codes.add('not_found')
  if (entry.body !== null || entry.method === 'POST') codes.add('validation_error').add('payload_too_large')
  if (takesIdempotencyKey(entry)) codes.add('idempotency_key_conflict').add('idempotency_key_in_flight')
  if (isRefusedOnHealthcare(entry)) codes.add('healthcare_scope_forbidden')
  if (entry.entitlement !== null) codes.add('entitlement_required')
  return [...codes].sort()
}

export function refusals(entry: Endpoint): JsonObject {
  const sets = [...codesByStatus(entry)].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    sets.map(([status, codes]) => [String(status), { $ref: `#/components/responses/${refusalName(codes)}` }]),
  )
}

function codesByStatus(entry: Endpoint): Map<number, ErrorCode[]> {
  const sets = Map.groupBy<number, ErrorCode>(errorCodesOf(entry), (code) => errorCatalogue[code].status)
  for (const [code, status] of secondStatuses(entry))
    sets.set(status, [...(sets.get(status) ?? []), code].sort())
  return sets
}

const secondStatuses = (entry: Endpoint) => Object.entries(entry.secondStatus ?? {}) as [ErrorCode, number][]

/** Short names for pairs that nearly every operation has. */
const pairs: Readonly<Record<string, string>> = {
  IdempotencyKeyConflictOrIdempotencyKeyInFlight: 'IdempotencyKeyInUse',
  InvalidParameterOrInvalidRequest: 'BadRequest',
  ForbiddenOrInsufficientScope: 'NoPermission',
  DatabaseUnavailableOrServiceUnavailable: 'Unavailable',
}

/** Sorted by `errorCodesOf`, so one set of codes has one name. */
function refusalName(codes: readonly ErrorCode[]): string {
  let name = codes.map(pascal).join('Or')
  for (const [pair, word] of Object.entries(pairs)) name = name.replace(pair, word)
  return name
}

/** Each set of codes that some route returns with the same status. */
export function errorResponses(entries: readonly Endpoint[]): JsonObject {
  const sets = entries.flatMap((entry) => [...codesByStatus(entry)])
  const responses = new Map(
    sets.map(([status, codes]) => [
      refusalName(codes),
      {
        // The meaning of a code is the message in its example.
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            // Codes with a second status are only listed in the description; their example has the first status.
            examples: Object.fromEntries(
              codes
                .filter((code) => errorCatalogue[code].status === status)
                .map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  )
  return Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The envelope of each code that some route returns. */
export function errorExamples(entries: readonly Endpoint[]): JsonObject {
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

export function errorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'What was refused, and how to fix it',
        required: ['code', 'message', 'status', 'request_id', 'docs_url'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'Stable: branch on it' },
          message: {
            type: 'string',
            description: 'Human-readable. Starts with the field name, if a field is invalid.',
          },
          field: { type: 'string', description: 'The invalid field or parameter.' },
          problem: {
            type: 'string',
            description: 'The problem with the field: the message without the field name.',
          },
          rule: {
            type: 'string',
            description: 'The contract rule that the field violates, such as required, uuid or too_big.',
          },
          hint: { type: 'string', description: 'How an API caller can fix it.' },
          status: { type: 'integer', description: 'The HTTP status' },
          request_id: { type: 'string', description: 'Id of the request, also in the header X-Request-Id' },
          docs_url: { type: 'string', format: 'uri', description: 'Page that explains the error' },
          required_scopes: {
            type: 'array',
            items: { type: 'string' },
            description: 'Scopes that the operation needs',
          },
          reason: { type: 'string', description: 'What exactly was refused, for programs' },
          reconnect_required: { type: 'boolean', description: 'A person must connect the account again' },
          reconnect_url: { type: 'string', description: 'Link for a person to reconnect' },
        },
        additionalProperties: true,
      },
    },
  }
}
