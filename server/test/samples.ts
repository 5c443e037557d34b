/** A valid request for an entry, generated from its schemas and its example. */
import type { z } from 'zod'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import { EXAMPLE_ID } from '../src/platform/contract/example-values.ts'
import { inputSchema, objectFor } from '../src/platform/contract/examples.ts'

export const UNKNOWN_ID = EXAMPLE_ID

export type Sample = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | null
  /** A body that is not JSON. */
  raw?: { contentType: string; bytes: Uint8Array<ArrayBuffer> } | undefined
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
  return {
    params,
    query: { ...query, ...datesOf(entry) },
    body: body && { ...body, ...wholeBodies[entry.name] },
    raw: raws[entry.name],
  }
}

/** Bodies for routes with rules that schemas cannot express. */
const wholeBodies: Record<string, Record<string, unknown>> = {
  // Not more than 90 days ago.
  recoverWebhookEvents: { since: new Date(Date.now() - 3_600_000).toISOString() },
  startSync: { provider: 'cardpay' },
  setCampaignBudget: { daily_budget: 10 },
  setAdSetBudget: { daily_budget: 10 },
}
const raws: Record<string, Sample['raw']> = {
  uploadChatMedia: {
    contentType: 'multipart/form-data; boundary=x',
    bytes: new TextEncoder().encode(
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nbytes\r\n--x--\r\n',
    ),
  },
  uploadLogo: {
    contentType: 'image/png',
    bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
}

function datesOf(entry: Endpoint): Record<string, string> {
  const parameterNames = Object.keys(inputSchema(entry.query).properties ?? {})
  const dates = { date_from: '2026-05-01', date_to: '2026-05-31', from: '2026-05-01', to: '2026-05-31' }
  return Object.fromEntries(Object.entries(dates).filter(([name]) => parameterNames.includes(name)))
}

/** The id parameters of the path, which could refer to another tenant's row. */
export function idParams(entry: Endpoint): string[] {
  const { properties = {} } = inputSchema(entry.params)
  return Object.entries(properties)
    .filter(([, schema]) => schema.enum === undefined && schema.const === undefined)
    .map(([name]) => name)
}
