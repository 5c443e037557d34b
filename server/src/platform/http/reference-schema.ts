/** A JSON schema as rows of a table: one per member, with its whole path, type and text. */
import { withCode } from './docs-layout.ts'
import { type Html, html } from './html.ts'
import type { Reference, Schema } from './reference-document.ts'

type Field = { path: string; schema: Schema; isRequired: boolean; marks?: string[] }
/** A row of its own before the members of one of several forms. */
type Form = { form: string }

/** A request marks what it needs, an answer what it may lack. */
type Use = 'request' | 'answer'

/** Members of every answer, which have other texts elsewhere. */
const envelope: Readonly<Record<string, string>> = {
  data: '',
  meta: 'What the answer is about',
  pagination: 'Whether there are more rows, and the cursor to them',
}

export function fieldTable(reference: Reference, rows: readonly (Field | Form)[], use: Use): Html {
  return html`<table class="fields"><tbody>${rows.map((row) =>
    'form' in row
      ? html`<tr><td colspan="2"><b>${withCode(row.form)}</b></td></tr>`
      : fieldRow(reference, row, use),
  )}</tbody></table>`
}

export function schemaTable(reference: Reference, schema: Schema, use: Use): Html | null {
  const rows = membersOf(reference, schema, '', [])
  return rows.length === 0 ? null : fieldTable(reference, rows, use)
}

function fieldRow(reference: Reference, { path, schema, isRequired, marks = [] }: Field, use: Use): Html {
  const cut = path.lastIndexOf('.') + 1
  const name = path.slice(cut)
  const { schema: resolved } = reference.resolve(schema)
  const general = use === 'answer' ? envelope[path.replace(/\[]$/, '')] : undefined
  const text = schema.description ?? resolved.description ?? general ?? ''
  const isOptional = use === 'answer' && !isRequired
  const type = [
    typeOf(reference, schema),
    ...marks,
    ...boundsOf(resolved),
    ...(isOptional ? ['not always there'] : []),
  ]
  const values = valuesOf(reference, schema)
  return html`<tr><td><code><span class="soft">${path.slice(0, cut)}</span>${name}</code>${
    use === 'request' && isRequired ? html` <span class="mark">required</span>` : null
  }<small>${type.join(', ')}</small></td><td>${withCode(text)}${
    values.length === 0 ? null : html`<p>${values.map((value) => html`<code>${value}</code> `)}</p>`
  }</td></tr>`
}

function membersOf(
  reference: Reference,
  part: Schema,
  path: string,
  above: readonly string[],
): (Field | Form)[] {
  const { schema, name } = reference.resolve(part)
  // A schema that contains itself is shown once.
  if (name !== undefined && above.includes(name)) return []
  const inside = name === undefined ? above : [...above, name]
  const below = (next: Schema, at: string) => membersOf(reference, next, at, inside)
  const properties = Object.entries(schema.properties ?? {}).flatMap(([member, value]): (Field | Form)[] => {
    const at = path === '' ? member : `${path}.${member}`
    const isArray = itemsOf(reference, value) !== undefined
    const field: Field = {
      path: isArray ? `${at}[]` : at,
      schema: value,
      isRequired: schema.required?.includes(member) === true,
    }
    return [field, ...below(value, field.path)]
  })
  const items = itemsOf(reference, schema)
  const additional = schema.additionalProperties
  const forms = (schema.anyOf ?? schema.oneOf ?? []).filter((form) => hasMembers(reference, form))
  return [
    ...properties,
    ...(schema.allOf ?? []).flatMap((form) => below(form, path)),
    ...(items === undefined ? [] : below(items, path)),
    ...(typeof additional === 'object' ? below(additional, `${path}.*`) : []),
    ...forms.flatMap((form, index) => [
      ...(forms.length === 1 ? [] : [{ form: formName(reference, form, path, index, forms.length) }]),
      ...below(form, path),
    ]),
  ]
}

function itemsOf(reference: Reference, part: Schema): Schema | undefined {
  const { schema } = reference.resolve(part)
  return schema.items ?? (schema.prefixItems === undefined ? undefined : { anyOf: schema.prefixItems })
}

function hasMembers(reference: Reference, form: Schema): boolean {
  const { schema } = reference.resolve(form)
  return schema.properties !== undefined || schema.items !== undefined || schema.allOf !== undefined
}

/** By the member that has one value only, such as `kind`. */
function formName(reference: Reference, form: Schema, path: string, index: number, count: number): string {
  const { properties = {} } = reference.resolve(form).schema
  const location = path === '' ? '' : ` of \`${path}\``
  for (const [member, { const: value }] of Object.entries(properties))
    if (value !== undefined) return `If \`${member}\`${location} is \`${value}\``
  return `Form ${index + 1} of ${count}${location}`
}

function typeOf(reference: Reference, part: Schema): string {
  const { schema, name } = reference.resolve(part)
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return [...new Set(choices.map((choice) => typeOf(reference, choice)))].join(' or ')
  const types = [schema.type ?? (schema.properties === undefined ? 'any' : 'object')].flat()
  return types
    .map((type) => {
      if (type === 'array') return `array of ${typeOf(reference, itemsOf(reference, schema) ?? {})}`
      if (type === 'object' && name !== undefined) return name
      return type === 'string' && schema.format !== undefined ? schema.format : type
    })
    .join(' or ')
}

function valuesOf(reference: Reference, part: Schema): string[] {
  const { schema } = reference.resolve(part)
  const items = schema.items === undefined ? undefined : reference.resolve(schema.items).schema
  const choices = (schema.anyOf ?? schema.oneOf ?? []).flatMap(
    (choice) => reference.resolve(choice).schema.enum ?? [],
  )
  return (schema.enum ?? items?.enum ?? choices).map(String)
}

function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return [
    ...range(minimum, maximum, ''),
    ...(schema.format === undefined ? range(minLength, maxLength, ' characters') : []),
    ...range(minItems, maxItems, ' elements'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}${unit}`]
  if (minimum !== undefined) return [`at least ${minimum}${unit}`]
  return maximum === undefined ? [] : [`at most ${maximum}${unit}`]
}
