/** The cases that the Python client plays too (`sdk-python/tests/test_cases.py`). */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as sdk from '../src/index.ts'

type Call = {
  operation: string
  rows?: boolean
  params?: object
  query?: object
  body?: object
  idempotencyKey?: string
}
type Case = {
  title: string
  options?: Partial<sdk.ClientOptions>
  calls: Call[]
  responses: ('lost' | { status?: number; headers?: Record<string, string>; body?: unknown; text?: string })[]
  requests?: { url?: string; key?: string | null; eventKeys?: (string | null)[] }[]
  keys?: number
  waits?: number[]
  outcomes: Record<string, unknown>[]
}
const cases: Case[] = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'))
const operations: Record<string, unknown> = { ...sdk }
const shown = (key: string | undefined) =>
  key === undefined ? null : /^[0-9a-f]{32}$/.test(key) ? 'own' : key

it.each(cases.map((one) => [one.title, one] as const))('%s', async (_, one) => {
  const requests: { url: string; headers: Record<string, string>; body: string | undefined }[] = []
  const waits: number[] = []
  const responses = [...one.responses]
  const client = sdk.createClient({
    baseUrl: 'https://whence.example/',
    token: 'key',
    ...one.options,
    sleep: async (ms) => void waits.push(ms / 1000),
    fetch: async (url, request) => {
      requests.push({
        url: String(url),
        headers: request!.headers as Record<string, string>,
        body: request!.body as string | undefined,
      })
      const response = responses.shift()!
      if (response === 'lost') throw new TypeError('fetch failed')
      const { status = 200, headers = {}, body, text } = response
      return new Response(text ?? JSON.stringify(body ?? {}), { status, headers })
    },
  })

  async function outcomeOf({ operation, rows, ...input }: Call): Promise<Record<string, unknown>> {
    const called = operations[operation] as sdk.Operation<unknown, sdk.Page<unknown>>
    try {
      return {
        result: await (rows ? Array.fromAsync(client.rows(called, input)) : client.call(called, input)),
      }
    } catch (error) {
      if (error instanceof sdk.ConnectionError) return { error: 'no response' }
      const { message, status, code, requestId, field, problem, rule } = error as sdk.WhenceError
      return { error: (error as Error).name, message, status, code, requestId, field, problem, rule }
    }
  }
  const outcomes = []
  for (const call of one.calls) outcomes.push(await outcomeOf(call))

  expect(outcomes).toMatchObject(one.outcomes)
  expect(responses, 'responses that no request used').toEqual([])
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(requests.map(() => 'Bearer key'))
  const seen = requests.map(({ url, headers, body }) => ({
    url,
    key: shown(headers['idempotency-key']),
    eventKeys: (body ? (JSON.parse(body).events ?? []) : []).map((event: { idempotency_key?: string }) =>
      shown(event.idempotency_key),
    ),
  }))
  if (one.requests) expect(seen).toMatchObject(one.requests)
  if (one.keys) expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(one.keys)
  if (one.waits) expect(waits).toEqual(one.waits)
})
