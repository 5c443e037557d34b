/** The generated part of the SDK: the types and operations of openapi.json as TypeScript. */
type Json = { [key: string]: unknown }
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Json
  description?: string
}
type Content = Record<string, { schema: Json }>
type Operation = {
  operationId: string
  summary: string
  deprecated?: boolean
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json>; parameters: Record<string, Parameter> }
}

const head = '// Generated from openapi.json by npm run generate.\n'

export function sdkTypes({ components, webhooks }: OpenApi): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${typeName(name)} = ${typeOf(schema)}\n`,
  )
  const events = Object.values(webhooks).map(({ post }) => typeOf(jsonOf(post.requestBody!.content)!))
  return indented(
    `${head}\n${types.join('\n')}\n/** Payloads of webhooks, discriminated by \`type\`. */\nexport type WebhookEvent =\n${events.map((name) => `| ${name}\n`).join('')}`,
  )
}

/** The members of named enumerations, for forms and checks. */
export function sdkValues({ components }: OpenApi): string {
  const lists = Object.entries(components.schemas).flatMap(([name, { enum: values }]) =>
    Array.isArray(values) && values.every((value) => typeof value === 'string') ? [{ name, values }] : [],
  )
  const imports = `import type {\n${lists.map(({ name }) => `${name},\n`).join('')}} from './types.ts'\n`
  const constants = lists.map(
    ({ name, values }) =>
      `export const ${name[0]!.toLowerCase()}${name.slice(1)}Values: readonly ${name}[] = [${values.map(literal).join(', ')}]\n`,
  )
  return indented(`${head}${imports}\n${constants.join('\n')}`)
}

export function sdkOperations(document: OpenApi): string {
  const operations = callsOf(document).map((call) => toOperation(call))
  const text = operations.join('\n')
  const code = text.replaceAll(/\/\*\*.*\*\//g, '')
  const used = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(code),
  )
  const imports = `import type { Operation, RawBody } from '../operation.ts'\nimport type {\n${used.map((name) => `${name},\n`).join('')}} from './types.ts'\n`
  return indented(`${head}${imports}\n${text}`)
}

function toOperation(call: Call): string {
  const { body, raw, output } = call
  const input = [
    ...partOf('params', call.params),
    ...partOf('query', call.query),
    ...(body === undefined ? [] : [`body${call.bodyRequired ? '' : '?'}: ${typeOf(body)}`]),
    ...(raw.length === 0 ? [] : [`raw?: RawBody<${raw.map(mediaType).join(' | ')}>`]),
  ]
  const flags = [
    `name: '${call.name}'`,
    `method: '${call.method}'`,
    `path: '${call.path}'`,
    ...(call.takesKey ? ['takesKey: true'] : []),
    ...(call.isEvent ? ['isEvent: true'] : []),
    ...(call.batch === undefined ? [] : [`batch: '${call.batch}'`]),
    ...(call.isFile ? ['isFile: true'] : []),
  ]
  const result = output === 'nothing' ? 'null' : output === 'file' ? 'Blob' : typeOf(output)
  return `${comment(call.summary)}export const ${call.name}: Operation<{ ${input.join('; ')} }, ${result}> = { ${flags.join(', ')} }\n`
}

/** What a client must know of an operation, in any language. */
export type Call = {
  name: string
  summary: string
  method: string
  path: string
  params: Parameter[]
  query: Parameter[]
  body: Json | undefined
  bodyRequired: boolean
  /** Media types of a body that is not JSON. */
  raw: string[]
  /** Accepts an Idempotency-Key. */
  takesKey: boolean
  isEvent: boolean
  batch: string | undefined
  isFile: boolean
  isList: boolean
  output: Json | 'nothing' | 'file'
}

/** The operations of the document that are not deprecated. */
export function callsOf(document: OpenApi): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.deprecated !== true)
      .map(([method, operation]) => callOf(document, path, method.toUpperCase(), operation)),
  )
}

function callOf(document: OpenApi, path: string, method: string, operation: Operation): Call {
  const parameters = operation.parameters.map((parameter) =>
    parameter.$ref === undefined
      ? parameter
      : document.components.parameters[parameter.$ref.split('/').at(-1)!]!,
  )
  const content = operation.requestBody?.content ?? {}
  const body = jsonOf(content)
  const raw = Object.keys(content).filter((type) => type !== 'application/json')
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))![1].content
  const schema = jsonOf(answer)
  const properties = schema?.properties ?? (schema && resolve(document, schema).properties)
  const takesKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key')
  return {
    name: operation.operationId,
    summary: operation.summary,
    method,
    path,
    params: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body,
    bodyRequired: operation.requestBody?.required === true && raw.length === 0,
    raw,
    takesKey,
    isEvent: takesKey && body !== undefined && isEvent(document, body),
    batch: body === undefined ? undefined : batchMember(document, body),
    isFile: answer !== undefined && schema === undefined,
    isList: properties !== undefined && 'pagination' in (properties as Json),
    output: answer === undefined ? 'nothing' : (schema ?? 'file'),
  }
}

const resolve = ({ components }: OpenApi, schema: Json): Json =>
  schema.$ref === undefined ? schema : components.schemas[String(schema.$ref).split('/').at(-1)!]!

/** An event may omit its `idempotency_key`; other bodies with that field require it. */
function isEvent(document: OpenApi, body: Json): boolean {
  const { properties = {}, required = [] } = resolve(document, body) as {
    properties?: Json
    required?: string[]
  }
  return 'idempotency_key' in properties && !required.includes('idempotency_key')
}

/** The member of a batch whose elements have their own idempotency keys. */
function batchMember(document: OpenApi, body: Json): string | undefined {
  const { properties = {} } = resolve(document, body) as { properties?: Record<string, Json> }
  return Object.entries(properties).find(([, member]) => {
    const items = member.items as Json | undefined
    return items !== undefined && 'idempotency_key' in ((resolve(document, items).properties as Json) ?? {})
  })?.[0]
}

function partOf(name: string, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return []
  const members = parameters.map(
    (parameter) => `${key(parameter.name)}${parameter.required ? '' : '?'}: ${typeOf(parameter.schema)}`,
  )
  return [
    `${name}${parameters.some((parameter) => parameter.required) ? '' : '?'}: { ${members.join('; ')} }`,
  ]
}

const jsonOf = (content: Content | undefined) => content?.['application/json']?.schema

function typeOf(schema: Json): string {
  const {
    $ref,
    const: constant,
    enum: values,
    type,
    anyOf,
    oneOf,
    allOf,
  } = schema as Json & {
    anyOf?: Json[]
    oneOf?: Json[]
    allOf?: Json[]
  }
  if (typeof $ref === 'string') return typeName($ref.split('/').at(-1)!)
  if (constant !== undefined) return literal(constant)
  if (Array.isArray(values)) return union(values.map(literal))
  if (anyOf !== undefined || oneOf !== undefined) return union((anyOf ?? oneOf)!.map(typeOf))
  if (allOf !== undefined) return allOf.map(typeOf).join(' & ')
  if (Array.isArray(type)) return union(type.map((memberType) => typeOf({ ...schema, type: memberType })))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function arrayOf({ items, prefixItems }: Json): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item) => typeOf(item as Json)).join(', ')}]`
  return `Array<${typeOf((items as Json | undefined) ?? {})}>`
}

function objectOf(schema: Json): string {
  const {
    properties = {},
    required = [],
    additionalProperties: additional,
  } = schema as {
    properties?: Record<string, Json>
    required?: string[]
    additionalProperties?: Json | boolean
  }
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${comment(member.description)}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`,
  )
  if (members.length === 0)
    return `Record<string, ${typeof additional === 'object' ? typeOf(additional) : 'unknown'}>`
  if (typeof additional === 'object') members.push('[name: string]: unknown')
  return `{\n${members.join('\n')}\n}`
}

/** Indents by two spaces per open brace; the files are not formatted otherwise. */
function indented(text: string): string {
  let depth = 0
  return text.replaceAll(/^.*$/gm, (line) => {
    const isText = line.startsWith('/**')
    if (!isText && line.startsWith('}')) depth -= 1
    const indented = line === '' ? '' : `${'  '.repeat(depth + (line.startsWith('| ') ? 1 : 0))}${line}`
    if (!isText && line.endsWith('{')) depth += 1
    return indented
  })
}

/** `Error` would shadow the built-in class. */
const typeName = (name: string) => (name === 'Error' ? 'ErrorBody' : name)
const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
const literal = (value: unknown) => JSON.stringify(value)
const mediaType = (name: string) =>
  name.endsWith('/*') ? `\`${name.slice(0, -1)}\${string}\`` : literal(name)
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))
const comment = (text: unknown) =>
  typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : ''
