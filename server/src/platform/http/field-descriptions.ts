/**
 * Default descriptions for fields and parameters without one in the contract: one per name, for names that have one
 * meaning across the API. A description in the contract takes precedence.
 */
import { fieldTexts } from './field-texts.ts'
import type { JsonObject } from './openapi-schemas.ts'

/** Names whose description includes the schema's object. */
const prefixes: Readonly<Record<string, string>> = {
  id: 'Id of the',
  name: 'Name of the',
  display_name: 'Name of the',
  status: 'State of the',
  state: 'State of the',
}

/** `ApiKey` → "API key". Undefined for request and reply schemas of a single route. */
function objectName(schema: string): string | undefined {
  if (/(Request|Reply|Meta|Input|Row|Event|Result)$/.test(schema)) return undefined
  const spaced = schema.replace(/WithSecret$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return spaced.toLowerCase().replace(/^api\b/, 'API')
}

export function textFor(name: string, schema?: string): string | undefined {
  const object = schema === undefined ? undefined : objectName(schema)
  const start = prefixes[name]
  return object === undefined || start === undefined ? fieldTexts[name] : `${start} ${object}`
}

/** Adds descriptions to all fields of these schemas that have none. */
export function describeMembers(part: unknown, schema?: string): void {
  if (Array.isArray(part)) for (const item of part) describeMembers(item, schema)
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return
  const { properties, ...keywords } = part as JsonObject & { properties?: Record<string, JsonObject> }
  for (const [name, member] of Object.entries(properties ?? {})) {
    const text = member.description === undefined ? textFor(name, schema) : undefined
    if (text !== undefined) member.description = text
    describeMembers(member)
  }
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'prefixItems'])
    describeMembers(keywords[key], schema)
}

/** The same for inline schemas of bodies and responses. */
export function describeContents(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part))
    if (key === 'schema') describeMembers(value)
    else if (key !== 'example') describeContents(value)
}
