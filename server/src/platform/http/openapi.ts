/** Generates openapi.json from the contract entries, with every status and error code of each route. */
import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Example, exampleOf } from '../contract/examples.ts'
import { REQUIRED } from '../contract/fields.ts'
import {
  errorExamples,
  errorResponses,
  errorSchema,
  pascal,
  refusals,
  takesIdempotencyKey,
} from './openapi-errors.ts'
import { createSchemaBook, type JsonObject, type SchemaBook } from './openapi-schemas.ts'
import { type PublishedEvent, webhooksOf } from './openapi-webhooks.ts'
import type { SchemaNames } from './schema-names.ts'
import { tagTexts } from './tag-texts.ts'

const description = `Which ad earned which sale. Unless stated otherwise, routes require a bearer credential, return \`{ data, meta }\`, and report errors in one envelope.

## OAuth

Endpoints outside \`/api/v1\`, described by \`/.well-known/oauth-authorization-server\` (RFC 8414).

| Endpoint | Parameters |
|---|---|
| \`GET /oauth/authorize\` | \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\` with \`code_challenge_method=S256\`, \`resource\`; shows the consent page |
| \`POST /oauth/token\` | form: \`grant_type=authorization_code\` with \`code\`, \`redirect_uri\`, \`code_verifier\`, or \`grant_type=refresh_token\` with \`refresh_token\`; client authentication by HTTP Basic or in the form |
| \`POST /oauth/revoke\` | form: \`token\` |
| \`POST /oauth/register\` | JSON (RFC 7591): \`redirect_uris\`, \`client_name\`, \`token_endpoint_auth_method\` |

\`POST /oauth/token\` returns JSON without an envelope; errors are \`{ "error", "error_description" }\` (RFC 6749).

| Field | Meaning |
|---|---|
| \`access_token\` | partner apps: the API key of the profile, which does not expire; public clients: a user token |
| \`token_type\` | \`Bearer\` |
| \`scope\` | granted scopes, separated by spaces |
| \`expires_in\` | seconds, 3600; user tokens only |
| \`refresh_token\` | single use, 30 days; user tokens only |
| \`profile_id\` | the profile of the key; partner apps only |
| \`connections_key\` | a second key that can only connect accounts, if granted; partner apps only |

## Pages

Lists return \`pagination: { has_next, cursor }\`. Pass the cursor as \`cursor\` to get the next page.

## Unchanged reports

Reports return an \`ETag\`. Send it as \`If-None-Match\`: if no figure changed, the response is 304 without a body.

## Rate limits

Responses that count against a limit have \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and the RateLimit headers of the IETF draft: in units of the credential, on event routes in events of the profile. 429 has \`Retry-After\`.

## Webhooks

Signed by [Standard Webhooks](https://www.standardwebhooks.com): its libraries verify them with the secret of the subscription (\`whsec_…\`). Verify the raw body before parsing it. Respond with 2xx within 15 seconds. Anything else is retried after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, or later as given by \`Retry-After\`. 410 or five days without a success end the subscription. Delivery is at least once, without guaranteed order: use \`webhook-id\` to ignore duplicates. To receive missed events again, call \`POST /webhooks/subscriptions/{id}/recover\`. In a local sandbox, webhooks may be sent to http on a loopback address.

## Return from a hand-off

The person is redirected to \`return_url\` with these query parameters added. They are only a hint: get the outcome from \`GET /handoffs/{id}\`.

| Parameter | Meaning |
|---|---|
| \`handoff_id\` | the hand-off |
| \`status\` | the outcome |
| \`reason\` | the reason of a failure |
| \`provider\` | the provider |
| \`connect\` | the provider under its older name |
| \`profile_id\` | the profile |
| \`candidate_count\` | number of accounts to choose from, if a choice is needed |`

export function toOpenApi(
  entries: readonly Endpoint[],
  options: { version: string; schemaNames: SchemaNames; events?: readonly PublishedEvent[] },
): JsonObject {
  const book = createSchemaBook(options.schemaNames)
  const paths: Record<string, JsonObject> = {}
  for (const entry of entries) {
    const path = `/api/v1${entry.path}`
    paths[path] ??= {}
    paths[path][entry.method.toLowerCase()] = operation(entry, book)
  }
  const webhooks = webhooksOf(options.events ?? [], book)
  return book.complete({
    openapi: '3.1.0',
    info: {
      title: 'Whence',
      version: options.version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // Default for operations without their own.
    security: usualSecurity,
    tags: [...new Set(entries.map((entry) => entry.tag))]
      .sort()
      .map((name) => ({ name, description: tagTexts[name]! })),
    paths,
    ...(options.events === undefined ? {} : { webhooks }),
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
      parameters: shareParameters({ ...paths, ...webhooks }),
      responses: errorResponses(entries),
      examples: errorExamples(entries),
    },
  })
}

function operation(entry: Endpoint, book: SchemaBook): JsonObject {
  const example = exampleOf(entry)
  return {
    operationId: entry.name,
    summary: entry.summary,
    description: [
      ...(entry.description === undefined ? [] : [entry.description]),
      ...Object.entries(entry.refused ?? {}).map(([name, why]) => `\`${name}\` ${why}.`),
      accessWords(entry),
    ].join('\n\n'),
    tags: [entry.tag],
    ...(entry.retired === undefined ? {} : { deprecated: true }),
    ...securityOf(entry),
    parameters: [
      ...parametersOf(entry, 'path', book.toSchema(entry.params, 'input'), book, example?.params),
      ...parametersOf(entry, 'query', book.toSchema(entry.query, 'input'), book, example?.query),
      ...(takesIdempotencyKey(entry) ? [idempotencyKey] : []),
      ...Object.entries(entry.headers ?? {}).map(([name, text]) => headerParameter(name, text)),
      ...(entry.revalidates ? [headerParameter('If-None-Match', '`ETag` of a cached response')] : []),
    ],
    ...bodyOf(entry, example, book),
    responses: {
      ...successes(entry, example, book),
      ...(entry.revalidates ? { 304: { description: 'Unchanged' } } : {}),
      ...refusals(entry),
    },
    ...('scopes' in entry.access ? { 'x-required-scopes': entry.access.scopes } : {}),
  }
}

/** The required access as a sentence, because the reference shows no extension fields. */
function accessWords(entry: Endpoint): string {
  const cost =
    entry.personLevel !== undefined
      ? ' Returns personal data: costs 3 rate-limit units, and each person shown is logged.'
      : ''
  return `${callerWords(entry.access)}${cost}`
}

function callerWords(access: Endpoint['access']): string {
  const names = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``)
  switch (access.kind) {
    case 'public':
      return 'No credential required.'
    case 'profile': {
      const all = names(access.scopes)
      const any = names(access.anyOf ?? [])
      const required = [...all, ...(any.length === 0 ? [] : [`one of ${any.join(', ')}`])].join(' and ')
      return `A key${required === '' ? '' : ` with ${required}`}, or a person with \`profile_id\`.`
    }
    case 'user': {
      if (access.tokens === false) return 'A signed-in person; user tokens are refused.'
      const scopes = names(access.scopes ?? [])
      return `A signed-in person, or their user token${scopes.length === 0 ? '' : ` with ${scopes.join(', ')}`}.`
    }
    case 'workspace':
      return `A member of the workspace with the role ${access.role} or above.`
    case 'workspace_or_app':
      return `A member of the workspace with the role ${access.role} or above, or the app that provisioned it.`
    case 'app':
      return 'A partner app, by HTTP Basic.'
    case 'user_or_app':
      return 'A signed-in person, or a partner app by HTTP Basic.'
    case 'bearer':
      return 'Any bearer credential with access to the resource.'
  }
}

const usualSecurity: JsonObject[] = [{ bearer: [] }]

function securityOf(entry: Endpoint): { security?: JsonObject[] } {
  switch (entry.access.kind) {
    case 'public':
      return { security: [] }
    case 'app':
      return { security: [{ app: [] }] }
    case 'user_or_app':
    case 'workspace_or_app':
      return { security: [...usualSecurity, { app: [] }] }
    default:
      return {}
  }
}

function parametersOf(
  entry: Endpoint,
  location: 'path' | 'query',
  schema: JsonObject,
  book: SchemaBook,
  example: Record<string, unknown> = {},
): JsonObject[] {
  const shape = schema as { properties?: Record<string, JsonObject>; required?: string[] }
  const declared = Object.entries(shape.properties ?? {}).map(([name, property]) => {
    const { description: _, [REQUIRED]: isRequired, ...schema } = property
    const description = book.textOf(property)
    return {
      name,
      in: location,
      ...(location === 'path' || isRequired || shape.required?.includes(name) ? { required: true } : {}),
      schema,
      ...(name in example ? { example: typedExample(example[name], schema) } : {}),
      ...(description === undefined ? {} : { description }),
    }
  })
  if (
    location === 'path' ||
    entry.access.kind !== 'profile' ||
    declared.some((parameter) => parameter.name === 'profile_id')
  )
    return declared
  return [...declared, profileParameter]
}

/** Query examples are strings in a request, but numbers in the reference if the schema is numeric. */
const typedExample = (value: unknown, { type }: JsonObject): unknown =>
  typeof value === 'string' && (type === 'integer' || type === 'number') ? Number(value) : value

const profileParameter = {
  name: 'profile_id',
  in: 'query',
  schema: { type: 'string', format: 'uuid' },
  description: 'Required with a user token or session; an API key belongs to one profile',
}

function headerParameter(name: string, text: string): JsonObject {
  return { name, in: 'header', schema: { type: 'string' }, description: text }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes retries safe: for 24 hours the same key with the same request returns the first response, with `Idempotency-Replayed: true`; with a different request it returns 409 `idempotency_key_conflict`.',
}

function bodyOf(entry: Endpoint, example: Example | undefined, book: SchemaBook): JsonObject {
  if (entry.body === null && entry.rawBody === undefined) return {}
  const content: JsonObject = {}
  if (entry.body !== null)
    content['application/json'] = {
      schema: bodySchema(entry, entry.body, book),
      ...(example === undefined ? {} : { example: example.body }),
    }
  for (const type of entry.rawBody ?? []) {
    const raw = entry.example?.raw?.[type]
    content[type] = { schema: { type: 'string' }, ...(raw === undefined ? {} : { example: raw }) }
  }
  const required = entry.body === null || !entry.body.safeParse({}).success
  return { requestBody: { required, content } }
}

/** The elements of a batch are parsed individually, so the body schema does not include their schema. */
function bodySchema(entry: Endpoint, body: z.ZodType, book: SchemaBook): JsonObject {
  const name = `${pascal(entry.name)}Request`
  if (entry.batch === undefined) return book.toNamed(body, 'input', name)
  const schema = book.toSchema(body, 'input') as JsonObject & { properties: Record<string, JsonObject> }
  schema.properties[entry.batch.member]!.items = book.toSchema(entry.batch.element, 'input')
  return book.addSchema(name, schema, 'input')
}

function successes(entry: Endpoint, example: Example | undefined, book: SchemaBook): JsonObject {
  const members = (shape: Record<string, z.ZodType> = {}) =>
    Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, book.toSchema(part, 'output')]))
  const schema = () => ({
    type: 'object',
    properties: {
      data: {
        description: entry.reply.def.type === 'array' ? 'The rows' : 'The result',
        ...book.toNamed(entry.reply, 'output', `${pascal(entry.name)}Reply`),
      },
      ...members(entry.extra),
      meta: metaOf(entry, book),
    },
    required: ['data', ...Object.keys(entry.extra ?? {}), 'meta'],
  })
  return Object.fromEntries(
    entry.statuses.map((status) => [
      String(status),
      status === 204
        ? { description: 'Done; no content' }
        : {
            description:
              status === 201 ? 'Created' : status === 202 ? 'Accepted; processing continues' : 'Done',
            content: entry.file
              ? { [entry.file]: { schema: { type: 'string', format: 'binary' } } }
              : {
                  'application/json': {
                    schema: schema(),
                    ...(example === undefined ? {} : { example: answerOf(example) }),
                  },
                },
          },
    ]),
  )
}

/** `meta` always has the id of the scope; reports add more. */
function metaOf(entry: Endpoint, book: SchemaBook): JsonObject {
  const scope = scopes[entry.access.kind]
  const ownMembers = Object.entries(entry.meta ?? {})
  const name = entry.meta === undefined ? scope.name : (book.nameOf(entry.meta) ?? pascal(entry.name))
  return book.addSchema(
    `${name.replace(/Meta$/, '')}Meta`,
    {
      type: 'object',
      description: 'Context of the response',
      properties: {
        ...Object.fromEntries(scope.ids.map((id) => [id, scopeIds[id]])),
        ...Object.fromEntries(
          ownMembers.map(([member, schema]) => [member, book.toSchema(schema, 'output')]),
        ),
      },
      required: [
        // With two possible ids, only the one for the credential's kind is present.
        ...(scope.ids.length === 1 ? scope.ids : []),
        ...ownMembers.filter(([, schema]) => !schema.safeParse(undefined).success).map(([member]) => member),
      ],
    },
    'output',
  )
}

const scopeIds = {
  profile_id: { type: 'string', format: 'uuid', description: 'Id of the profile' },
  workspace_id: { type: 'string', format: 'uuid', description: 'Id of the workspace' },
  client_id: { type: 'string', description: 'Public id of the app' },
} as const

const scopes: Record<Endpoint['access']['kind'], { name: string; ids: (keyof typeof scopeIds)[] }> = {
  profile: { name: 'Profile', ids: ['profile_id'] },
  workspace: { name: 'Workspace', ids: ['workspace_id'] },
  app: { name: 'App', ids: ['client_id'] },
  workspace_or_app: { name: 'WorkspaceOrApp', ids: ['workspace_id', 'client_id'] },
  user_or_app: { name: '', ids: [] },
  user: { name: '', ids: [] },
  bearer: { name: '', ids: [] },
  public: { name: '', ids: [] },
}

function answerOf({ data, extra, meta }: Example): JsonObject {
  return { data, ...extra, meta }
}

/**
 * Parameters used by three or more operations are described once, under components. An operation that gives one
 * another text adds it to the reference, where it takes precedence.
 */
function shareParameters(paths: Record<string, unknown>): JsonObject {
  const operations = Object.values(paths as Record<string, JsonObject>).flatMap((path) =>
    Object.values(path),
  ) as { parameters: JsonObject[] }[]
  const formOf = ({ description: _, ...parameter }: JsonObject) => JSON.stringify(parameter)
  const uses = Map.groupBy(
    operations.flatMap((operation) => operation.parameters),
    formOf,
  )
  const shared = new Map<string, { name: string; parameter: JsonObject }>()
  for (const [form, parameters] of [...uses].sort(([, a], [, b]) => b.length - a.length)) {
    const name = pascal(String(parameters[0]!.name).replaceAll('-', '_'))
    // If several have the same name, the most used one is shared.
    if (parameters.length < 3 || [...shared.values()].some((other) => other.name === name)) continue
    const texts = [...Map.groupBy(parameters, ({ description }) => description)]
    const [[description] = []] = texts.sort(([, a], [, b]) => b.length - a.length)
    shared.set(form, { name, parameter: { ...parameters[0]!, description } })
  }
  for (const operation of operations)
    operation.parameters = operation.parameters.map((parameter) => {
      const found = shared.get(formOf(parameter))
      if (found === undefined) return parameter
      const { description } = parameter
      const text = description === found.parameter.description ? {} : { description }
      return { $ref: `#/components/parameters/${found.name}`, ...text }
    })
  return Object.fromEntries(
    [...shared.values()]
      .map(({ name, parameter }) => [name, parameter] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
