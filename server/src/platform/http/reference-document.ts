/**
 * openapi.json in the form that the reference renders: operations and webhook events by tag, with references
 * resolved.
 */
import { readFile } from 'node:fs/promises'

export const descriptionFile = new URL('../../../../openapi.json', import.meta.url)

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  default?: unknown
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  description?: string
  example?: unknown
}
type Content = Record<string, { schema: Schema; example?: unknown }>
type Ref = { $ref: string; description?: string }
type Stored = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  deprecated?: boolean
  security?: Record<string, unknown>[]
  parameters: (Parameter | Ref)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content } | Ref>
}
type Answer = { status: string; description: string; content: Content }
export type Operation = Omit<Stored, 'parameters' | 'responses' | 'tags'> & {
  method: string
  path: string
  tag: string
  /** Below /docs. */
  slug: string
  parameters: Parameter[]
  answers: Answer[]
  /** Error codes per status. */
  refusals: { status: string; codes: string[] }[]
}
export type Tag = { name: string; description: string; operations: Operation[] }
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Stored>>
  webhooks: Record<string, { post: Stored }>
  components: Record<string, Record<string, unknown>>
}
export type Reference = {
  tags: Tag[]
  /** The referenced schema, and its name if it has one. */
  resolve(schema: Schema): { schema: Schema; name?: string }
}

/** Pseudo tag for webhook events; no API tag has this name. */
export const EVENTS = 'webhook-events'

let cachedReference: Promise<Reference> | undefined

export function readReference(): Promise<Reference> {
  cachedReference ??= readFile(descriptionFile, 'utf8').then((text) =>
    toReference(JSON.parse(text) as Document),
  )
  return cachedReference
}

/** The text next to a reference takes precedence. */
const textOf = ({ description }: { description?: string }) =>
  description === undefined ? {} : { description }

function toReference({ tags, paths, webhooks, components }: Document): Reference {
  const component = (ref: string) => {
    const [, , kind, name] = ref.split('/')
    return { name: name!, part: components[kind!]![name!] }
  }
  const resolved = <T extends object>(part: T | Ref): T =>
    '$ref' in part ? { ...(component(part.$ref).part as T), ...textOf(part) } : part
  const toOperation = (method: string, path: string, tag: string, stored: Stored): Operation => {
    const all = Object.entries(stored.responses).map(([status, answer]) => ({
      status,
      content: {},
      ...resolved(answer),
    }))
    return {
      ...stored,
      method,
      path,
      tag,
      slug: `reference/${tag}/${stored.operationId}`,
      parameters: stored.parameters.map(resolved),
      answers: all.filter(({ status }) => status < '400'),
      refusals: all
        .filter(({ status }) => status >= '400')
        .map(({ status, description }) => ({
          status,
          codes: [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
        })),
    }
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, stored]) =>
      toOperation(method.toUpperCase(), path, stored.tags[0]!, stored),
    ),
  )
  const events = Object.entries(webhooks).map(([type, { post }]) =>
    toOperation('POST', 'your address', EVENTS, { ...post, operationId: type }),
  )
  return {
    tags: [
      ...tags.map((tag) => ({
        ...tag,
        operations: operations.filter((operation) => operation.tag === tag.name),
      })),
      { name: EVENTS, description: 'Events sent to webhook subscriptions.', operations: events },
    ],
    resolve(schema) {
      if (schema.$ref === undefined) return { schema }
      const { name, part } = component(schema.$ref)
      const { $ref: _, ...overrides } = schema
      return { schema: { ...(part as Schema), ...overrides }, name }
    },
  }
}
