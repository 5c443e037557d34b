import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { routes } from '../app.ts'
import { errorCatalogue } from '../contract/errors.ts'
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
