/**
 * The JSON schemas of openapi.json: each named contract schema once under components, and referenced everywhere
 * else.
 */
import { z } from 'zod'
import { KEY_TEXTS } from '../contract/fields.ts'
import type { SchemaNames } from './schema-names.ts'

export type JsonObject = Record<string, unknown>
type Io = 'input' | 'output'

const PREFIX = '#/components/schemas/'

export type SchemaBook = {
  /** Returns references for the schema or its parts that have names. */
  toSchema(schema: z.ZodType, io: Io): JsonObject
  /** The same, but an unnamed object gets this name. */
  toNamed(schema: z.ZodType, io: Io, name: string): JsonObject
  /** Stores a generated schema under a name and returns a reference to it. */
  addSchema(name: string, schema: JsonObject, io: Io): JsonObject
  /** The description of the schema, or of the named one that it refers to. */
  textOf(schema: JsonObject): string | undefined
  /** The name of an exported record of schemas. */
  nameOf(shape: Record<string, z.ZodType>): string | undefined
  /** The description completed with all referenced schemas. */
  complete(description: JsonObject): JsonObject
}

export function createSchemaBook(names: SchemaNames): SchemaBook {
  const schemasByIo = { input: new Map<string, JsonObject>(), output: new Map<string, JsonObject>() }
  const byRef = new Map<string, JsonObject>()
  const registry = namingRegistry(names)

  const addSchema = (name: string, schema: JsonObject, io: Io): JsonObject => {
    const existing = schemasByIo[io].get(name)
    if (existing !== undefined && !isSame(existing, schema))
      throw new Error(`Two different schemas are named ${name}`)
    schemasByIo[io].set(name, schema)
    byRef.set(refTo(name, io), schema)
    return { $ref: refTo(name, io) }
  }

  const toSchema = (schema: z.ZodType, io: Io): JsonObject => {
    const {
      $schema: _,
      $defs = {},
      ...schemaBody
    } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      metadata: registry,
      override: ({ jsonSchema }) => simplify(jsonSchema),
    }) as JsonObject & { $defs?: Record<string, JsonObject> }
    tidy($defs, io)
    tidy(schemaBody, io)
    const placed = (part: JsonObject) =>
      withRefs(part, (ref) => (ref.startsWith('#/$defs/') ? refTo(ref.slice('#/$defs/'.length), io) : ref))
    for (const [name, definition] of Object.entries($defs)) addSchema(name, placed(definition), io)
    return placed(schemaBody)
  }

  return {
    toSchema,
    addSchema,
    nameOf: (shape) => names.get(shape),
    textOf({ description, $ref }) {
      const referenced = typeof $ref === 'string' ? byRef.get($ref) : undefined
      return (description ?? referenced?.description) as string | undefined
    },
    toNamed(schema, io, name) {
      const generated = toSchema(schema, io)
      return generated.type === 'object' ? addSchema(name, generated, io) : generated
    },
    complete(description) {
      const shared = sharedSchemas(schemasByIo.input, schemasByIo.output)
      const finalize = (part: JsonObject) => withRefs(part, (ref) => finalRef(ref, shared))
      const schemas = new Map(schemasByIo.output)
      for (const [name, schema] of schemasByIo.input) {
        const final = shared.has(name) ? name : `${name}Input`
        if (schemas.has(final) && !shared.has(name))
          throw new Error(`Two different schemas are named ${final}`)
        schemas.set(final, finalize(schema))
      }
      const finalized = finalize(description) as { components?: { schemas?: JsonObject } }
      const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
      return {
        ...finalized,
        components: {
          ...finalized.components,
          schemas: { ...finalized.components?.schemas, ...Object.fromEntries(sorted) },
        },
      }
    },
  }
}

/** Removes redundant or overly strict keywords, also from parts that were copied. */
function tidy(part: unknown, io: Io): void {
  if (typeof part !== 'object' || part === null) return
  for (const value of Object.values(part)) tidy(value, io)
  const schema = part as z.core.JSONSchema.BaseSchema
  // Implied by the format; the pattern of a date-time alone has 300 characters.
  if (typeof schema.format === 'string' || schema.type === 'integer') delete schema.pattern
  // Responses may gain fields, which clients must not reject.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // The bounds of safe integers carry no information.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (isSame(schema.propertyNames, { type: 'string' })) delete schema.propertyNames
}

function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  expandRecord(schema)
  const [value, nullSchema, ...others] = schema.anyOf ?? []
  if (others.length > 0 || value?.type === undefined || value.enum !== undefined) return
  if (Array.isArray(value.type) || !isSame(nullSchema, { type: 'null' })) return
  const { anyOf: _, ...keywords } = schema
  const merged = { ...value, ...keywords, type: [value.type, 'null'] }
  if ('format' in merged) delete merged.pattern
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, merged)
}

/** A record over a fixed list of keys is an object with these fields, with the texts of `keyTexts`. */
function expandRecord(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties: value, required, [KEY_TEXTS]: texts } = schema
  delete schema[KEY_TEXTS]
  const keys = typeof propertyNames === 'object' ? propertyNames.enum : undefined
  if (keys === undefined || required === undefined || typeof value !== 'object') return
  const textOfKey = (key: unknown) => {
    const description = (texts as Record<string, string> | undefined)?.[String(key)]
    return description === undefined ? value : { ...value, description }
  }
  delete schema.propertyNames
  delete schema.additionalProperties
  delete schema.required
  Object.assign(schema, {
    properties: Object.fromEntries(keys.map((key) => [key, textOfKey(key)])),
    required,
  })
}

/** A registry that adds schema names to the descriptions of zod's global registry, without modifying that one. */
function namingRegistry(names: SchemaNames): typeof z.globalRegistry {
  const registry = z.registry() as typeof z.globalRegistry
  registry.get = ((schema: z.ZodType) => {
    const { id: _, ...metadata } = z.globalRegistry.get(schema) ?? {}
    const name = names.get(schema)
    return name === undefined ? metadata : { ...metadata, id: name }
  }) as typeof registry.get
  return registry
}

/**
 * Fields with defaults are required in responses but optional in requests, so a schema used for both may need two
 * forms. Starts from the assumption that all are equal and removes those that differ, until a fixed point: a
 * difference also affects the schemas that refer to it.
 */
function sharedSchemas(
  inputs: ReadonlyMap<string, JsonObject>,
  outputs: ReadonlyMap<string, JsonObject>,
): ReadonlySet<string> {
  const shared = new Set(inputs.keys())
  for (let before = -1; before !== shared.size; ) {
    before = shared.size
    for (const name of shared) {
      const output = outputs.get(name)
      const input = withRefs(inputs.get(name)!, (ref) => finalRef(ref, shared))
      if (output !== undefined && !isSame(output, input)) shared.delete(name)
    }
  }
  return shared
}

/** Until both forms are known, the request form is referenced by a name that no schema can have. */
function refTo(name: string, io: Io): string {
  return `${PREFIX}${name}${io === 'input' ? '?input' : ''}`
}

function finalRef(ref: string, shared: ReadonlySet<string>): string {
  if (!ref.endsWith('?input')) return ref
  const name = ref.slice(PREFIX.length, -'?input'.length)
  return shared.has(name) ? `${PREFIX}${name}` : `${PREFIX}${name}Input`
}

function withRefs(part: JsonObject, change: (ref: string) => string): JsonObject {
  return JSON.parse(JSON.stringify(part), (key, value) =>
    key === '$ref' && typeof value === 'string' ? change(value) : value,
  ) as JsonObject
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
