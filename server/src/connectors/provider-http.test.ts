import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Outbound, OutboundError, type OutboundReply } from '../platform/outbound/outbound.ts'
import { ProviderError } from './connector.ts'
import { callJson, createProviderHttp, fieldsAside, retryAfterSeconds } from './provider-http.ts'

type Answer = OutboundError | { status: number; body?: string; headers?: Record<string, string> }

/** A provider that returns the listed responses in turn, then repeats the last one, on a clock that sleeping advances. */
function scripted(...answers: Answer[]) {
  const clock = { ms: 1_000_000 }
  const waits: number[] = []
  let calls = 0
  const outbound: Outbound = {
    async send(): Promise<OutboundReply> {
      const answer = answers[Math.min(calls++, answers.length - 1)]!
      if (answer instanceof OutboundError) throw answer
      const bytes = new TextEncoder().encode(answer.body ?? '{}')
      return { status: answer.status, headers: answer.headers ?? {}, bytes }
    },
    async close() {},
  }
  const http = createProviderHttp(outbound, {
    now: () => clock.ms,
    random: () => 0.5,
    sleep: async (ms) => {
      waits.push(ms)
      clock.ms += ms
    },
  })
  return { http, waits, clock, calls: () => calls }
}

const url = 'https://provider.example/thing'
const anything = z.looseObject({})
const reasonOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProviderError)
  return error as ProviderError
}

describe('retries', () => {
  test('a failing provider is called at most four times with growing delays', async () => {
    const { http, waits, calls } = scripted({ status: 500 })
    const error = await reasonOf(callJson(http, { url, schema: anything }))
    expect(error.reason).toBe('unavailable')
    expect(calls()).toBe(4)
    expect(waits).toEqual([125, 250, 500])
  })

  test('the call waits for Retry-After and then succeeds', async () => {
    const { http, waits } = scripted({ status: 429, headers: { 'retry-after': '7' } }, { status: 200 })
    await callJson(http, { url, schema: anything })
    expect(waits).toEqual([7000])
  })

  test('a Retry-After beyond the limit is returned to the caller immediately', async () => {
    const { http, waits, calls } = scripted({ status: 429, headers: { 'retry-after': '3600' } })
    const error = await reasonOf(callJson(http, { url, schema: anything }))
    expect(error).toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 3600 })
    expect(waits).toEqual([])
    expect(calls()).toBe(1)
  })

  test('a refusal is not retried', async () => {
    const { http, calls } = scripted({ status: 400 })
    expect((await reasonOf(callJson(http, { url, schema: anything }))).reason).toBe('rejected')
    expect(calls()).toBe(1)
  })

  test('a blocked address is not retried', async () => {
    const { http, calls } = scripted(new OutboundError('blocked', 'private address'))
    expect((await reasonOf(callJson(http, { url, schema: anything }))).reason).toBe('unavailable')
    expect(calls()).toBe(1)
  })

  test('a budget limits the retries', async () => {
    const { http, calls, clock } = scripted({ status: 500 })
    const begin = clock.ms
    await reasonOf(callJson(http.within(300), { url, schema: anything }))
    expect(calls()).toBe(2)
    expect(clock.ms - begin).toBeLessThanOrEqual(300)
  })
})

describe('circuit breaker', () => {
  test('opens after five failures within thirty seconds and closes after one successful probe', async () => {
    const { http, calls, clock } = scripted(
      ...Array.from({ length: 5 }, () => new OutboundError('timeout', 'late')),
      { status: 200 },
    )
    await reasonOf(callJson(http, { url, schema: anything }))
    await reasonOf(callJson(http, { url, schema: anything }))
    expect(calls()).toBe(5)
    expect((await reasonOf(callJson(http, { url, schema: anything }))).providerCode).toBe('breaker_open')
    expect(calls()).toBe(5)
    clock.ms += 30_000
    await callJson(http, { url, schema: anything })
    await callJson(http, { url, schema: anything })
    expect(calls()).toBe(7)
  })

  test('a failed probe keeps it open', async () => {
    const { http, calls, clock } = scripted({ status: 503 })
    await reasonOf(callJson(http, { url, schema: anything }))
    await reasonOf(callJson(http, { url, schema: anything }))
    clock.ms += 30_000
    await reasonOf(callJson(http, { url, schema: anything }))
    const after = calls()
    await reasonOf(callJson(http, { url, schema: anything }))
    expect(calls()).toBe(after)
  })

  test('failures spread over more than thirty seconds do not open it', async () => {
    const { http, calls, clock } = scripted({ status: 500 })
    for (let round = 0; round < 4; round++) {
      await reasonOf(callJson(http, { url, schema: anything }))
      clock.ms += 31_000
    }
    expect(calls()).toBe(16)
  })
})

describe('responses', () => {
  test.each([
    ['HTML on 200', { status: 200, body: '<html>' }, 'malformed'],
    ['truncated JSON', { status: 200, body: '{"data":[' }, 'malformed'],
    ['another form', { status: 200, body: '[]' }, 'malformed'],
    ['an HTML error page', { status: 502, body: '<html>' }, 'unavailable'],
    ['401', { status: 401 }, 'invalid_grant'],
    ['invalid_grant', { status: 400, body: '{"error":"invalid_grant"}' }, 'invalid_grant'],
    ['invalid_client', { status: 401, body: '{"error":"invalid_client"}' }, 'unavailable'],
    ['another OAuth refusal', { status: 400, body: '{"error":"invalid_request"}' }, 'rejected'],
    ['403', { status: 403 }, 'permission_missing'],
    ['404', { status: 404 }, 'not_found'],
    ['429', { status: 429 }, 'rate_limited'],
    ['too much', new OutboundError('too_large', 'too large'), 'malformed'],
    ['silence', new OutboundError('timeout', 'late'), 'unavailable'],
  ] as const)('%s is reported as %s', async (_, answer, reason) => {
    const { http } = scripted(answer)
    expect((await reasonOf(callJson(http, { url, schema: anything }))).reason).toBe(reason)
  })

  test("a provider's own error takes precedence over the status", async () => {
    const { http } = scripted({ status: 400, body: '{"error":{"code":190}}' })
    const refusal = () => new ProviderError('invalid_grant', 'token', { providerCode: '190' })
    expect((await reasonOf(callJson(http, { url, schema: anything, refusal }))).providerCode).toBe('190')
  })

  test('an empty body is passed to the schema as null', async () => {
    const { http } = scripted({ status: 204, body: '' })
    expect(await callJson(http, { url, schema: z.null() })).toBeNull()
  })

  test('fields that a schema does not name are returned as aside', () => {
    const schema = z.looseObject({ id: z.string() })
    expect(fieldsAside(schema, { id: '1', new_thing: 2 })).toEqual({ new_thing: 2 })
  })

  test('Retry-After is parsed as seconds or as a date', () => {
    expect(retryAfterSeconds({ 'retry-after': '12' }, 0)).toBe(12)
    expect(retryAfterSeconds({ 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, 10_000)).toBe(20)
    expect(retryAfterSeconds({ 'retry-after': 'soon' }, 0)).toBeNull()
  })
})
