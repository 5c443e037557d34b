/** The JSON schemas of openapi.json: each named schema of the contract once, under components, and referred to everywhere else. */
import { z } from 'zod'
import type { SchemaNames } from './schema-names.ts'

export type JsonObject = Record<string, unknown>
type Io = 'input' | 'output'

const PREFIX = '#/components/schemas/'

export type SchemaBook = {
  /** A reference where the schema, or a part of it, has a name. */
  toSchema(schema: z.ZodType, io: Io): JsonObject
  /** The same, and an object without a name of its own gets this one. */
  toNamed(schema: z.ZodType, io: Io, name: string): JsonObject
  /** A made schema under a name; the reference to it. */
  keep(name: string, schema: JsonObject, io: Io): JsonObject
  /** The name of an exported record of schemas. */
  nameOf(shape: Record<string, z.ZodType>): string | undefined
  /** The description with every schema that it refers to. */
  complete(description: JsonObject): JsonObject
}

export function createSchemaBook(names: SchemaNames): SchemaBook {
  const kept = { input: new Map<string, JsonObject>(), output: new Map<string, JsonObject>() }
  const registry = namingRegistry(names)

  const keep = (name: string, schema: JsonObject, io: Io): JsonObject => {
    const known = kept[io].get(name)
    if (known !== undefined && !isSame(known, schema)) throw new Error(`Two different schemas are ${name}`)
    kept[io].set(name, schema)
    return { $ref: refTo(name, io) }
  }

  const toSchema = (schema: z.ZodType, io: Io): JsonObject => {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      metadata: registry,
      override: ({ jsonSchema }) => simplify(jsonSchema, io),
    }) as JsonObject & { $defs?: Record<string, JsonObject> }
    const placed = (part: JsonObject) =>
      withRefs(part, (ref) => (ref.startsWith('#/$defs/') ? refTo(ref.slice('#/$defs/'.length), io) : ref))
    for (const [name, definition] of Object.entries($defs)) keep(name, placed(definition), io)
    return placed(own)
  }

  return {
    toSchema,
    keep,
    nameOf: (shape) => names.get(shape),
    toNamed(schema, io, name) {
      const made = toSchema(schema, io)
      return made.type === 'object' ? keep(name, made, io) : made
    },
    complete(description) {
      const alike = alikeSchemas(kept.input, kept.output)
      const settle = (part: JsonObject) => withRefs(part, (ref) => settledRef(ref, alike))
      const schemas = new Map(kept.output)
      for (const [name, schema] of kept.input) {
        const final = alike.has(name) ? name : `${name}Input`
        if (schemas.has(final) && !alike.has(name)) throw new Error(`Two different schemas are ${final}`)
        schemas.set(final, settle(schema))
      }
      const settled = settle(description) as { components?: { schemas?: JsonObject } }
      const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
      return {
        ...settled,
        components: {
          ...settled.components,
          schemas: { ...settled.components?.schemas, ...Object.fromEntries(sorted) },
        },
      }
    },
  }
}

/** Takes out what says nothing, or more than is meant. */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: Io): void {
  // The format says it; the pattern of a date-time alone has 300 characters.
  if (schema.format !== undefined || schema.type === 'integer') delete schema.pattern
  // Answers may gain members: a client must not refuse those it does not know.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // Every whole number of JSON is in these bounds.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (isSame(schema.propertyNames, { type: 'string' })) delete schema.propertyNames
  nameMembers(schema)
  const [value, nothing, ...more] = schema.anyOf ?? []
  if (more.length > 0 || value?.type === undefined || value.enum !== undefined) return
  if (Array.isArray(value.type) || !isSame(nothing, { type: 'null' })) return
  const { anyOf: _, ...own } = schema
  const merged = { ...value, ...own, type: [value.type, 'null'] }
  if ('format' in merged) delete merged.pattern
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, merged)
}

/** A record over a fixed list of keys is an object with these members. */
function nameMembers(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties: value, required } = schema
  const keys = typeof propertyNames === 'object' ? propertyNames.enum : undefined
  if (keys === undefined || required === undefined || typeof value !== 'object') return
  delete schema.propertyNames
  delete schema.additionalProperties
  delete schema.required
  Object.assign(schema, { properties: Object.fromEntries(keys.map((key) => [key, value])), required })
}

/** Descriptions are in zod's global registry; the names are added to what it says, not to it. */
function namingRegistry(names: SchemaNames): typeof z.globalRegistry {
  const registry = z.registry() as typeof z.globalRegistry
  registry.get = ((schema: z.ZodType) => {
    const { id: _, ...own } = z.globalRegistry.get(schema) ?? {}
    const name = names.get(schema)
    return name === undefined ? own : { ...own, id: name }
  }) as typeof registry.get
  return registry
}

/**
 * What an answer always has, a request may leave out (defaults), so a schema that serves both may need
 * two forms. All are taken to be alike until one differs, which also sets apart those that refer to it.
 */
function alikeSchemas(
  inputs: ReadonlyMap<string, JsonObject>,
  outputs: ReadonlyMap<string, JsonObject>,
): ReadonlySet<string> {
  const alike = new Set(inputs.keys())
  for (let before = -1; before !== alike.size; ) {
    before = alike.size
    for (const name of alike) {
      const output = outputs.get(name)
      const input = withRefs(inputs.get(name)!, (ref) => settledRef(ref, alike))
      if (output !== undefined && !isSame(output, input)) alike.delete(name)
    }
  }
  return alike
}

/** Until both forms are known, the form for requests is referred to by a name that no schema can have. */
function refTo(name: string, io: Io): string {
  return `${PREFIX}${name}${io === 'input' ? '?input' : ''}`
}

function settledRef(ref: string, alike: ReadonlySet<string>): string {
  if (!ref.endsWith('?input')) return ref
  const name = ref.slice(PREFIX.length, -'?input'.length)
  return alike.has(name) ? `${PREFIX}${name}` : `${PREFIX}${name}Input`
}

function withRefs(part: JsonObject, change: (ref: string) => string): JsonObject {
  return JSON.parse(JSON.stringify(part), (key, value) =>
    key === '$ref' && typeof value === 'string' ? change(value) : value,
  ) as JsonObject
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
