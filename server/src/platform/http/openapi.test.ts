import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../app.ts'
import { subscribableEvents } from '../../features/facts/outbox/event-types.ts'
import { publishedEvents } from '../../features/outgoing/webhooks/published-events.ts'
import { toBounceUrl } from '../../features/sources/handoffs/rules.ts'
import { type Endpoint, endpoint } from '../contract/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { exampleOf } from '../contract/examples.ts'
import { isRequestId } from '../contract/ids.ts'
import { toOpenApi } from './openapi.ts'
import { errorCodesOf, takesIdempotencyKey } from './openapi-errors.ts'
import { readSchemaNames } from './schema-names.ts'
import { writeJson } from './write-json.ts'

const entries = routes.map((route) => route.entry)
const description = toOpenApi(entries, {
  version: '0.0.0',
  schemaNames: await readSchemaNames(),
  events: publishedEvents,
})

type Content = {
  description?: string
  content?: Record<
    string,
    { schema?: { $ref?: string }; example?: unknown; examples?: Record<string, { $ref: string }> }
  >
}
type Operation = {
  operationId: string
  parameters: { $ref?: string; name?: string; in?: string; description?: string }[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Components = Record<'schemas' | 'parameters' | 'responses' | 'examples', Record<string, unknown>>

const components = description.components as Components
const paths = description.paths as Record<string, Record<string, Operation>>
const operationOf = (entry: Endpoint) => paths[`/api/v1${entry.path}`]![entry.method.toLowerCase()]!

function resolved<T extends object>(part: T): T {
  if (!('$ref' in part)) return part
  const [, , kind, name] = String(part.$ref).split('/')
  return components[kind as keyof Components][name!] as T
}

it('is valid by an independent validator', async () => {
  const result = await new Validator().validate(structuredClone(description))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

it('stays small: parts shared by operations are stored once, under a name', () => {
  // Excluding descriptions; 660,000 characters for 253 operations and 16 events when the bound was set.
  const events = Object.keys(description.webhooks as object).length
  const isText = (key: string, value: unknown) => key === 'description' && typeof value === 'string'
  const structure = JSON.stringify(description, (key, value) => (isText(key, value) ? undefined : value))
  expect(structure.length / (entries.length + events)).toBeLessThan(660_000 / (253 + 16))
  expect(writeJson(description)).not.toMatch(/"format":"[^"]+","pattern"/)
  expect(JSON.parse(writeJson(description))).toEqual(JSON.parse(JSON.stringify(description)))
  const shared = Object.entries(components).map(([kind, all]) => [kind, Object.keys(all)] as const)
  for (const [kind, names] of shared.filter(([kind]) => kind !== 'securitySchemes'))
    expect(
      names.filter((name) => kind !== 'examples' && !/^[A-Z][A-Za-z0-9]+$/.test(name)),
      kind,
    ).toEqual([])
})

it('has no dangling references and no unreferenced components', () => {
  const referred = new Set<string>()
  JSON.stringify(description, (key, value) => {
    if (key === '$ref') referred.add(String(value))
    return value
  })
  const references = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`))
  expect([...referred].sort()).toEqual(references.sort())
})

it('names a schema by its export in the contract', () => {
  expect(components.schemas).toMatchObject({
    Connection: { type: 'object', properties: { display_name: { type: 'string' } } },
    Goal: { type: 'object' },
    EventInput: { type: 'object', additionalProperties: false },
    ReportMeta: { properties: { profile_id: { type: 'string', format: 'uuid' } } },
  })
  const listed = operationOf(entries.find((entry) => entry.name === 'listGoals')!).responses['200']!
  expect(listed.content?.['application/json']?.schema).toMatchObject({
    properties: { data: { items: { $ref: '#/components/schemas/Goal' } } },
  })
})

it('stores request and response forms under two names if they differ', () => {
  const Settings = z.object({ days: z.int().default(7), unit: z.enum(['days', 'hours']) })
  const Unit = z.object({ of: z.enum(['days', 'hours']) })
  const entry = endpoint({
    name: 'saveSettings',
    method: 'PUT',
    path: '/settings',
    summary: 'Save',
    tag: 'x',
    access: { kind: 'public', writes: 'sign_in' },
    body: z.object({ settings: Settings, unit: Unit }),
    reply: z.object({ settings: Settings, unit: Unit }),
  }) as unknown as Endpoint
  const schemaNames = new Map<object, string>([
    [Settings, 'Settings'],
    [Unit, 'Unit'],
  ])
  const { schemas } = toOpenApi([entry], { version: '1', schemaNames }).components as Components
  expect(Object.keys(schemas)).toEqual([
    'Error',
    'Meta',
    'SaveSettingsReply',
    'SaveSettingsRequest',
    'Settings',
    'SettingsInput',
    'Unit',
  ])
  expect(schemas).toMatchObject({
    Settings: { required: ['days', 'unit'] },
    SettingsInput: { required: ['unit'] },
    SaveSettingsRequest: { properties: { settings: { $ref: '#/components/schemas/SettingsInput' } } },
    SaveSettingsReply: { properties: { settings: { $ref: '#/components/schemas/Settings' } } },
  })
})

it('describes every operation and its required scopes', () => {
  for (const entry of entries) {
    expect(entry.description?.length, entry.name).toBeGreaterThan(20)
    const { description } = operationOf(entry) as { description?: string }
    for (const scope of 'scopes' in entry.access ? (entry.access.scopes ?? []) : [])
      expect(description, entry.name).toContain(`\`${scope}\``)
  }
})

it('describes every tag', () => {
  for (const { name, description: text } of description.tags as { name: string; description?: string }[])
    expect(text, `add ${name} to tag-texts.ts`).toBeTruthy()
})

it('describes every field of every body and response, and every parameter', () => {
  const missing: string[] = []
  let count = 0
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      if (key === 'example' || key === 'examples') continue
      if (key !== 'properties') walk(value, `${path}/${key}`)
      else
        for (const [name, member] of Object.entries(value as Record<string, { description?: string }>)) {
          count += 1
          if (!member.description && !resolved(member).description) missing.push(`${path}/${name}`)
          walk(member, `${path}/${name}`)
        }
    }
  }
  walk(description.components, '')
  walk(description.paths, '')
  walk(description.webhooks, '')
  expect(count).toBeGreaterThan(4000)
  expect(missing, 'add .describe() to the field in its contract').toEqual([])
  for (const entry of entries)
    for (const parameter of operationOf(entry).parameters)
      expect(resolved(parameter).description, entry.name).toBeTruthy()
})

it('says of every property of a schema more than its name, and when it is null', () => {
  type Property = { description?: string; type?: unknown; anyOf?: { type?: unknown }[] }
  const tooShort: string[] = []
  const silentOnNull: string[] = []
  let count = 0
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part))
      if (key !== 'properties') walk(value, `${path}/${key}`)
      else
        for (const [name, property] of Object.entries(value as Record<string, Property>)) {
          count += 1
          const text = property.description ?? resolved(property).description ?? ''
          const types = [property.type, ...(property.anyOf ?? []).map(({ type }) => type)].flat()
          if (text.split(/\s+/).length <= 2) tooShort.push(`${path}/${name}: ${text}`)
          if (types.includes('null') && !/null/i.test(text)) silentOnNull.push(`${path}/${name}: ${text}`)
          walk(property, `${path}/${name}`)
        }
  }
  walk(components.schemas, '')
  expect(count).toBeGreaterThan(3000)
  expect({ tooShort, silentOnNull }).toEqual({ tooShort: [], silentOnNull: [] })
})

it('publishes required dates, whole-number limits and the elements of a batch', () => {
  const parameter = (entry: Endpoint, name: string) =>
    operationOf(entry)
      .parameters.map(resolved)
      .find((candidate) => candidate.name === name) as { required?: boolean; schema: object } | undefined
  // Its range has a default: the last 30 days.
  const defaulted = 'getTrackingConsent'
  const dated = entries.filter(
    (entry) => entry.name !== defaulted && 'date_from' in (entry.query as { shape?: object }).shape!,
  )
  expect(dated.length).toBeGreaterThan(15)
  for (const entry of dated)
    for (const name of ['date_from', 'date_to'])
      expect(parameter(entry, name), entry.name).toMatchObject({ required: true, schema: { format: 'date' } })
  for (const entry of entries)
    if (parameter(entry, 'limit') !== undefined)
      expect(parameter(entry, 'limit')!.schema, entry.name).toMatchObject({ type: 'integer', minimum: 1 })
  expect(components.schemas.SendEventsRequest).toMatchObject({
    properties: { events: { items: { $ref: expect.stringContaining('EventInput') } } },
  })
})

it('publishes every webhook with its payload, signature and a valid example', () => {
  const webhooks = description.webhooks as Record<string, { post: Operation }>
  expect(Object.keys(webhooks).sort()).toEqual([...subscribableEvents, 'webhook.test'].sort())
  for (const { type, data } of publishedEvents) {
    const { parameters, requestBody } = webhooks[type]!.post
    expect(parameters.map((parameter) => resolved(parameter).name)).toEqual(
      expect.arrayContaining(['webhook-id', 'webhook-signature']),
    )
    const { example } = requestBody!.content!['application/json']! as { example: { data: unknown } }
    expect(example).toMatchObject({ type })
    data.parse(example.data)
  }
})

it('describes the OAuth endpoints and every return parameter of a hand-off', () => {
  const introduction = (description.info as { description: string }).description
  for (const path of ['authorize', 'token', 'revoke', 'register'])
    expect(introduction).toContain(`/oauth/${path}`)
  const bounced = new URL(
    toBounceUrl('https://partner.example/back', {
      provider: 'social_ads',
      status: 'failed',
      profileId: 'p',
      handoffId: 'h',
      reason: 'provider_denied',
      candidateCount: 2,
    }),
  )
  expect([...bounced.searchParams.keys()].length).toBeGreaterThan(5)
  for (const name of bounced.searchParams.keys()) expect(introduction).toContain(`| \`${name}\` |`)
})

it('declares the Idempotency-Key of every write that accepts one', () => {
  for (const entry of entries) {
    const declared = operationOf(entry)
      .parameters.map(resolved)
      .some((parameter) => parameter.name === 'Idempotency-Key' && parameter.in === 'header')
    expect([entry.name, declared]).toEqual([
      entry.name,
      errorCodesOf(entry).includes('idempotency_key_conflict') || entry.name === 'sendEvent',
    ])
  }
})

it('every write of a signed-in caller accepts an Idempotency-Key, except those that need none', () => {
  const without = entries.filter(
    (entry) =>
      entry.method !== 'GET' &&
      entry.access.kind !== 'public' &&
      entry.retired === undefined &&
      !takesIdempotencyKey(entry),
  )
  expect(Object.fromEntries(without.map((entry) => [entry.name, true]))).toEqual({
    // The body's idempotency_key; the header is its alias.
    sendEvent: true,
    // The body's idempotency_key: repeating replaces the answer.
    declareSource: true,
    // The body's idempotency_key, or else person, ad and time.
    sendAdReferral: true,
    // A wrong code is counted although the request is refused; a right one works once.
    confirmCustomerDataExport: true,
    confirmWorkspaceCustomerDataExport: true,
    // Compute a preview or a file and store nothing.
    previewPhoneRepair: true,
    exportTopPerformers: true,
  })
})

it('lists every status and error code of each route, under one operation id each', () => {
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  )
  expect(new Set(ids).size).toBe(entries.length)
  for (const entry of entries) {
    const { responses } = operationOf(entry)
    for (const status of entry.statuses) expect(responses, entry.name).toHaveProperty(String(status))
    for (const code of errorCodesOf(entry))
      expect(resolved(responses[String(errorCatalogue[code].status)]!).description, entry.name).toContain(
        `\`${code}\``,
      )
  }
})

it.each(entries.map((entry) => [entry.name, entry] as const))(
  'has an example request and response of %s that match its schemas',
  (_, entry) => {
    const example = exampleOf(entry)!
    expect(example).toBeDefined()
    expect(entry.params.parse(example.params)).toBeDefined()
    expect(entry.query.parse(example.query)).toBeDefined()
    entry.body?.parse(example.body)
    entry.reply.parse(example.data)
    for (const [name, schema] of Object.entries(entry.extra ?? {})) schema.parse(example.extra[name])
    for (const [name, schema] of Object.entries(entry.meta ?? {})) schema.parse(example.meta[name])
    const { params, query, body, reply } = entry.example ?? {}
    const byHand = [params ?? example.params, query ?? example.query, body ?? example.body]
    expect([...byHand, reply ?? example.data]).toEqual([
      example.params,
      example.query,
      example.body,
      example.data,
    ])
    const operation = operationOf(entry)
    if (entry.body !== null)
      expect(operation.requestBody?.content?.['application/json']?.example).toEqual(example.body)
    for (const status of entry.statuses.filter((code) => code !== 204))
      if (entry.file !== undefined)
        expect(operation.responses[status]?.content).toEqual({
          [entry.file]: { schema: { type: 'string', format: 'binary' } },
        })
      else
        expect(operation.responses[status]?.content?.['application/json']?.example).toMatchObject({
          data: example.data,
        })
    for (const type of entry.rawBody?.filter((mime) => mime.startsWith('text/')) ?? [])
      expect(operation.requestBody?.content?.[type]?.example).toEqual(expect.any(String))
    for (const code of errorCodesOf(entry))
      expect(
        resolved(operation.responses[errorCatalogue[code].status]!).content?.['application/json']?.examples,
      ).toHaveProperty(code)
  },
)

it('has an example envelope for every code that a route returns', () => {
  const { examples } = description.components as {
    examples: Record<ErrorCode, { value: { error: Record<string, unknown> } }>
  }
  for (const code of new Set(entries.flatMap(errorCodesOf))) {
    const { error } = examples[code].value
    const { status, meaning } = errorCatalogue[code]
    expect(error).toMatchObject({ code, status, message: meaning })
    expect(isRequestId(String(error.request_id))).toBe(true)
  }
})
