import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { routes } from '../app.ts'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { exampleOf } from '../contract/examples.ts'
import { isRequestId } from '../contract/ids.ts'
import { errorCodesOf, toOpenApi } from './openapi.ts'

const entries = routes.map((route) => route.entry)
const description = toOpenApi(entries, '0.0.0')

it('is valid by an independent validator', async () => {
  const result = await new Validator().validate(structuredClone(description))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

it('tells every status and error code of each route, under one operation id each', () => {
  const paths = description.paths as Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { description: string }> }>
  >
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  )
  expect(new Set(ids).size).toBe(entries.length)
  for (const entry of entries) {
    const { responses } = paths[`/api/v1${entry.path}`]![entry.method.toLowerCase()]!
    for (const status of entry.statuses) expect(responses, entry.name).toHaveProperty(String(status))
    for (const code of errorCodesOf(entry))
      expect(responses[String(errorCatalogue[code].status)]?.description, entry.name).toContain(`\`${code}\``)
  }
})

type Content = {
  content?: Record<string, { example?: unknown; examples?: Record<string, { $ref: string }> }>
}
type Operation = { requestBody?: Content; responses: Record<string, Content> }

it.each(entries.map((entry) => [entry.name, entry] as const))(
  'shows of %s a request and an answer that its own schemas accept',
  (_, entry) => {
    const example = exampleOf(entry)!
    expect(example).toBeDefined()
    expect(entry.params.parse(example.params)).toBeDefined()
    expect(entry.query.parse(example.query)).toBeDefined()
    entry.body?.parse(example.body)
    entry.reply.parse(example.data)
    for (const [name, schema] of Object.entries(entry.beside ?? {})) schema.parse(example.beside[name])
    for (const [name, schema] of Object.entries(entry.meta ?? {})) schema.parse(example.meta[name])
    const { params, query, body, reply } = entry.example ?? {}
    const byHand = [params ?? example.params, query ?? example.query, body ?? example.body]
    expect([...byHand, reply ?? example.data]).toEqual([
      example.params,
      example.query,
      example.body,
      example.data,
    ])
    const told = (description.paths as Record<string, Record<string, Operation>>)[`/api/v1${entry.path}`]![
      entry.method.toLowerCase()
    ]!
    if (entry.body !== null)
      expect(told.requestBody?.content?.['application/json']?.example).toEqual(example.body)
    for (const status of entry.statuses.filter((one) => one !== 204))
      expect(told.responses[status]?.content?.['application/json']?.example).toMatchObject({
        data: example.data,
      })
    for (const type of entry.rawBody?.filter((one) => one.startsWith('text/')) ?? [])
      expect(told.requestBody?.content?.[type]?.example).toEqual(expect.any(String))
    for (const code of errorCodesOf(entry))
      expect(
        told.responses[errorCatalogue[code].status]?.content?.['application/json']?.examples,
      ).toHaveProperty(code)
  },
)

it('shows the envelope of every code that a route answers', () => {
  const { examples } = description.components as {
    examples: Record<ErrorCode, { value: { error: Record<string, unknown> } }>
  }
  for (const code of new Set(entries.flatMap(errorCodesOf))) {
    const { error } = examples[code].value
    expect(error).toMatchObject({ code, status: errorCatalogue[code].status })
    expect(isRequestId(String(error.request_id))).toBe(true)
  }
})
