/** The generated part of the Python client: types and operations of openapi.json. */
import { type Call, callsOf, type OpenApi } from './sdk-files.ts'

type Json = { [key: string]: unknown }
type Fields = { properties: Record<string, Json>; required: readonly string[] }

const head = '# Generated from openapi.json by npm run generate.\n'
const INDENT = '    '

export function pythonTypes({ components, webhooks }: OpenApi): string {
  const definitions = Object.entries(components.schemas).flatMap(([name, schema]) =>
    definitionsOf(typeName(name), schema),
  )
  const events = Object.values(webhooks).map(({ post }) =>
    typeOf(post.requestBody!.content['application/json']!.schema, 'WebhookEvent', []),
  )
  const all = [
    ...definitions,
    `# Payloads of webhooks, distinguished by "type".\nWebhookEvent = ${union(events)}\n`,
  ]
  const names = all.flatMap((text) => /^(?:class )?(\w+)/m.exec(text.replace(/^#.*\n/, ''))![1]!)
  if (new Set(names).size !== names.length)
    throw new Error(
      `Two Python types have one name: ${names.filter((name, at) => names.indexOf(name) !== at)}`,
    )
  const text = all.join('\n').replaceAll(/«(\w+)»/g, '"$1"')
  return `${head}from typing import Any, Literal, NotRequired, TypedDict, Union\n\n${text}`
}

export function pythonOperations(document: OpenApi): string {
  const methods = callsOf(document).map(methodOf)
  const nested = methods.flatMap(({ nested }) => nested)
  const unquoted = (code: string) => code.replaceAll(/«(\w+)»/g, '$1')
  const classes = unquoted(nested.map((one) => `${one}\n`).join(''))
  const text = unquoted(methods.map(({ code }) => code).join('\n'))
  const used = Object.keys(document.components.schemas)
    .map(typeName)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(classes + text))
  const imports = `from .types import (\n${used.map((name) => `${INDENT}${name},\n`).join('')})\n`
  const typing = ['Any', 'Literal', 'NotRequired', 'TypedDict', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(classes + text),
  )
  return `${head}from __future__ import annotations\n\nfrom typing import ${typing.join(', ')}\n\nfrom .calls import Caller, RawBody\n${imports}\n\n${classes}class Operations(Caller):\n${INDENT}"""One method for each operation of the API reference."""\n\n${text}`
}

function methodOf(call: Call): { code: string; nested: string[] } {
  const nested: string[] = []
  const owner = `${call.name[0]!.toUpperCase()}${call.name.slice(1)}`
  const positional = [
    ...call.params.map(({ name, schema }) => `${snake(name)}: ${typeOf(schema, owner, nested)}`),
    ...(call.body === undefined
      ? []
      : [optional('body', typeOf(call.body, `${owner}_body`, nested), call.bodyRequired)]),
  ]
  const named = [
    ...(call.raw.length === 0 ? [] : ['raw: RawBody | None = None']),
    ...call.query.map(({ name, schema, required }) =>
      optional(argument(name), typeOf(schema, owner, nested), required === true),
    ),
    ...(call.takesKey ? ['idempotency_key: str | None = None'] : []),
  ]
  const inputs = ['self', ...positional, ...(named.length === 0 ? [] : ['*', ...named])]
  const passed = [
    `"${call.method}"`,
    pathOf(call),
    ...(call.query.length === 0
      ? []
      : [`query={${call.query.map(({ name }) => `"${name}": ${argument(name)}`).join(', ')}}`]),
    ...(call.body === undefined ? [] : ['body=body']),
    ...(call.raw.length === 0 ? [] : ['raw=raw']),
    ...(call.takesKey ? ['takes_key=True', 'idempotency_key=idempotency_key'] : []),
    ...(call.isEvent ? ['is_event=True'] : []),
    ...(call.batch === undefined ? [] : [`batch="${call.batch}"`]),
    ...(call.isFile ? ['is_file=True'] : []),
  ]
  const { output } = call
  const result =
    output === 'nothing' ? 'None' : output === 'file' ? 'bytes' : typeOf(output, `${owner}_reply`, nested)
  const lines = [
    `def ${snake(call.name)}(`,
    ...inputs.map((input) => `${INDENT}${input},`),
    `) -> ${result}:`,
    `${INDENT}"""${sentence(call.summary)}"""`,
    `${INDENT}return self._call(${passed.join(', ')})`,
  ]
  return { code: `${lines.map((line) => `${INDENT}${line}`).join('\n')}\n`, nested }
}

const optional = (name: string, type: string, isRequired: boolean) =>
  isRequired ? `${name}: ${type}` : `${name}: ${type} | None = None`

function pathOf({ path, params }: Call): string {
  if (params.length === 0) return `"${path}"`
  return `self._path("${path}", ${params.map(({ name }) => `${name}=${snake(name)}`).join(', ')})`
}

/** The classes of a schema: its own last, after those of the objects inside it. */
function definitionsOf(name: string, schema: Json): string[] {
  const nested: string[] = []
  if (fieldsOf(schema) !== undefined) {
    typeOf(schema, name, nested, true)
    return nested
  }
  const comment = typeof schema.description === 'string' ? `# ${oneLine(schema.description)}\n` : ''
  const alias = `${comment}${name} = ${typeOf(schema, `${name}_value`, nested)}\n`
  return [...nested, alias]
}

function typeOf(schema: Json, name: string, nested: string[], isNamed = false): string {
  const { $ref, const: constant, enum: values, type } = schema
  if (typeof $ref === 'string') return reference(typeName($ref.split('/').at(-1)!))
  if (constant !== undefined) return literals([constant])
  if (Array.isArray(values)) return literals(values)
  const variants = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (variants !== undefined)
    return union(variants.map((variant, at) => typeOf(variant, `${name}_${at + 1}`, nested)))
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, name, nested)))
  switch (type) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'array':
      return Array.isArray(schema.prefixItems)
        ? `list[${union(schema.prefixItems.map((item) => typeOf(item as Json, name, nested)))}]`
        : `list[${typeOf((schema.items as Json | undefined) ?? {}, `${name}_item`, nested)}]`
    case 'object':
      return objectOf(schema, name, nested, isNamed)
    default:
      return 'Any'
  }
}

function objectOf(schema: Json, name: string, nested: string[], isNamed: boolean): string {
  const fields = fieldsOf(schema)
  // A TypedDict allows only the keys that it lists.
  if (fields === undefined || typeof schema.additionalProperties === 'object') {
    const value = schema.additionalProperties
    const isTyped = fields === undefined && typeof value === 'object'
    const type = `dict[str, ${isTyped ? typeOf(value as Json, `${name}_value`, nested) : 'Any'}]`
    if (isNamed) nested.push(`${name} = ${type}\n`)
    return type
  }
  const members = Object.entries(fields.properties).map(([key, member]) => {
    const inner = typeOf(member, `${name}_${key.replaceAll(/\W/g, '_')}`, nested)
    const type = fields.required.includes(key) ? inner : `NotRequired[${inner}]`
    return { key, type, text: member.description }
  })
  nested.push(
    members.every(({ key }) => isName(key)) ? classOf(name, schema, members) : callOf(name, members),
  )
  return reference(name)
}

type Member = { key: string; type: string; text: unknown }

function classOf(name: string, schema: Json, members: readonly Member[]): string {
  const doc = typeof schema.description === 'string' ? [`"""${sentence(schema.description)}"""`, ''] : []
  const lines = members.flatMap(({ key, type, text }) => [
    `${key}: ${type}`,
    ...(typeof text === 'string' ? [`"""${sentence(text)}"""`] : []),
  ])
  return `class ${name}(TypedDict):\n${[...doc, ...lines].map((line) => (line === '' ? '' : `${INDENT}${line}`)).join('\n')}\n`
}

/** For keys that are no Python names, such as `from`. */
const callOf = (name: string, members: readonly Member[]) =>
  `${name} = TypedDict("${name}", {\n${members.map(({ key, type }) => `${INDENT}"${key}": ${type},\n`).join('')}})\n`

function fieldsOf(schema: Json): Fields | undefined {
  const { type, properties = {}, required = [] } = schema as Json & Partial<Fields>
  return type === 'object' && Object.keys(properties).length > 0 ? { properties, required } : undefined
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const isName = (key: string) => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key)
const argument = (name: string) => (isName(name) ? name : `${name}_`)
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** Marks a name that may be defined further down: types.py must quote it, operations.py must not. */
const reference = (name: string) => `«${name}»`
/** `Error` would read like an exception. */
const typeName = (name: string) => (name === 'Error' ? 'ErrorBody' : name)
const union = (types: readonly string[]) => {
  const unique = [...new Set(types)]
  return unique.length === 1 ? unique[0]! : `Union[${unique.join(', ')}]`
}
const literals = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value))).join(', ')}]`
const oneLine = (text: string) => text.replaceAll('\n', ' ')
const sentence = (text: string) =>
  oneLine(text).replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')
