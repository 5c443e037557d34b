/** A request that passes an entry's schemas, made from the schemas themselves and the entry's example. */
import type { z } from 'zod'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { EXAMPLE_ID } from '../src/contract/example-values.ts'
import { inputSchema, objectFor } from '../src/contract/examples.ts'

export const UNKNOWN_ID = EXAMPLE_ID

export type Sample = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | null
}

function sampleOfPart(part: z.ZodType, example: unknown): Record<string, unknown> | undefined {
  const candidates = [() => example, () => ({}), () => objectFor(inputSchema(part), 'required')]
  for (const make of candidates) {
    const candidate = make()
    if (candidate !== undefined && part.safeParse(candidate).success)
      return structuredClone(candidate) as Record<string, unknown>
  }
  return undefined
}

export function sampleOf(entry: Endpoint): Sample {
  const params = sampleOfPart(entry.params, entry.example?.params)
  const query = sampleOfPart(entry.query, entry.example?.query)
  const body = entry.body === null ? null : sampleOfPart(entry.body, entry.example?.body)
  if (params === undefined || query === undefined || body === undefined)
    throw new Error(`${entry.name}: the sweeps find no valid request; give the entry an example`)
  return { params, query, body }
}

/** Names of the path's ids: the parameters that may name a row of somebody else. */
export function idParams(entry: Endpoint): string[] {
  const { properties = {} } = inputSchema(entry.params)
  return Object.entries(properties)
    .filter(([, schema]) => schema.enum === undefined && schema.const === undefined)
    .map(([name]) => name)
}
