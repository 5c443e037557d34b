/**
 * Schema names in openapi.json: the export name in the contract file. Read from the files when openapi.json is
 * generated, so that new schemas need no registration.
 */
import { readdir } from 'node:fs/promises'
import { z } from 'zod'

/** Names of schemas, and of the schema records used as `meta`. */
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
        throw new Error(`Two contract schemas are named ${name}; rename the one in ${file}`)
      owners.set(name, schema)
      // An aliased schema keeps its first name.
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

/** Shared contract files first, because a schema with two names keeps the first. */
function sharedFirst(a: string, b: string): number {
  const isShared = (name: string) => name.startsWith('platform/contract/')
  return Number(isShared(b)) - Number(isShared(a)) || (a < b ? -1 : 1)
}

function isNamed(name: string, value: unknown): value is object {
  if (/^[a-z]\w*Meta$/.test(name)) return typeof value === 'object'
  const isCandidate = /^[A-Z][a-z]/.test(name) && !/(Params|Query)$/.test(name)
  return isCandidate && value instanceof z.ZodType && isStructured(value)
}

/** Plain strings and numbers are described inline. */
function isStructured(schema: z.ZodType): boolean {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return (
    json.type === 'object' || json.type === 'array' || json.enum !== undefined || json.anyOf !== undefined
  )
}
