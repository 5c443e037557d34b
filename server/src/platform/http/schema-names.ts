/**
 * What openapi.json calls a schema: the name under which its contract file exports it. Read from the
 * files when the description is generated, so that a new schema needs no entry in a list.
 */
import { readdir } from 'node:fs/promises'
import { z } from 'zod'

/** Of schemas, and of the records of schemas that answers have as `meta`. */
export type SchemaNames = ReadonlyMap<object, string>

const source = new URL('../../', import.meta.url)

export async function readSchemaNames(): Promise<SchemaNames> {
  const names = new Map<object, string>()
  const owners = new Map<string, object>()
  for (const file of await contractFiles()) {
    const exported = (await import(new URL(file, source).href)) as Record<string, unknown>
    for (const [key, schema] of Object.entries(exported)) {
      if (!isNamed(key, schema)) continue
      const name = key[0]!.toUpperCase() + key.slice(1)
      if (owners.has(name) && owners.get(name) !== schema)
        throw new Error(`Two schemas of the contract are called ${name}; rename the one in ${file}`)
      owners.set(name, schema)
      // An alias of a schema keeps the first of its names.
      if (!names.has(schema)) names.set(schema, name)
    }
  }
  return names
}

async function contractFiles(): Promise<string[]> {
  const files = await readdir(source, { recursive: true })
  return files
    .filter((name) => /^platform\/contract\/[\w-]+\.ts$|\/(contract|fields)\.ts$/.test(name))
    .sort(sharedFirst)
}

/** A schema with two names keeps the one of the shared contract. */
function sharedFirst(a: string, b: string): number {
  const isShared = (name: string) => name.startsWith('platform/contract/')
  return Number(isShared(b)) - Number(isShared(a)) || (a < b ? -1 : 1)
}

function isNamed(name: string, value: unknown): value is object {
  if (/^[a-z]\w*Meta$/.test(name)) return typeof value === 'object'
  const isOwn = /^[A-Z][a-z]/.test(name) && !/(Params|Query)$/.test(name)
  return isOwn && value instanceof z.ZodType && isStructured(value)
}

/** A lone text or number is described where it is used; parameters are never bodies. */
function isStructured(schema: z.ZodType): boolean {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return (
    json.type === 'object' || json.type === 'array' || json.enum !== undefined || json.anyOf !== undefined
  )
}
