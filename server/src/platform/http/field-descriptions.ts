/**
 * Texts for members and parameters whose contract gives none: one per name, wherever the name has one meaning in all
 * of the API. A description in a contract wins.
 */
import { fieldTexts } from './field-texts.ts'
import type { JsonObject } from './openapi-schemas.ts'

/** Of these, the schema says which thing it is. */
const ofSchema: Readonly<Record<string, string>> = {
  id: 'Id of the',
  name: 'Name of the',
  display_name: 'Name of the',
  status: 'State of the',
  state: 'State of the',
}

/** `ApiKey` → "API key". Answers and requests of one route are no things. */
function thingOf(schema: string): string | undefined {
  if (/(Request|Reply|Meta|Input|Row|Event|Result)$/.test(schema)) return undefined
  const words = schema.replace(/WithSecret$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.toLowerCase().replace(/^api\b/, 'API')
}

export function textFor(name: string, schema?: string): string | undefined {
  const thing = schema === undefined ? undefined : thingOf(schema)
  const start = ofSchema[name]
  return thing === undefined || start === undefined ? fieldTexts[name] : `${start} ${thing}`
}

/** Adds the texts to every member of these schemas that has none. */
export function describeMembers(part: unknown, schema?: string): void {
  if (Array.isArray(part)) for (const item of part) describeMembers(item, schema)
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return
  const { properties, ...rest } = part as JsonObject & { properties?: Record<string, JsonObject> }
  for (const [name, member] of Object.entries(properties ?? {})) {
    const text = member.description === undefined ? textFor(name, schema) : undefined
    if (text !== undefined) member.description = text
    describeMembers(member)
  }
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'prefixItems'])
    describeMembers(rest[key], schema)
}

/** The same for bodies and answers that are written out where they are used. */
export function describeContents(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part))
    if (key === 'schema') describeMembers(value)
    else if (key !== 'example') describeContents(value)
}
