import { expect, it, onTestFinished, vi } from 'vitest'
import * as sdk from '../src/index.ts'
import {
  type ClientOptions,
  ConflictError,
  ConnectionError,
  type CreateWebhookSubscriptionRequest,
  createClient,
  createWebhookSubscription,
  type DataOf,
  downloadReport,
  getConnection,
  type InputOf,
  listGoals,
  listPayments,
  type Operation,
  privacyModeValues,
  RateLimitError,
  ServerError,
  sendEvent,
  sendEvents,
  signIn,
  urlOf,
} from '../src/index.ts'
import { waitBefore } from '../src/retries.ts'

type Sent = { url: string; headers: Record<string, string>; body: string | undefined }
type FakeResponse = { status?: number; headers?: Record<string, string>; body?: unknown } | Error

/** A client whose requests get these responses in order. */
const fake = (...responses: FakeResponse[]) => fakeWith({ token: 'key' }, ...responses)

function fakeWith(options: Partial<ClientOptions>, ...responses: FakeResponse[]) {
  const sent: Sent[] = []
  const waits: number[] = []
  const client = createClient({
    baseUrl: 'https://whence.example/',
    ...options,
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, request) => {
      sent.push({
        url: String(url),
        headers: request!.headers as Record<string, string>,
        body: request!.body as string | undefined,
      })
      const response = responses.shift()!
      if (response instanceof Error) throw response
      const { status = 200, headers = {}, body = { data: [], meta: {} } } = response
      return new Response(JSON.stringify(body), { status, headers })
    },
  })
  return { client, sent, waits }
}
const errorBody = (code: string) => ({ error: { code, message: 'No', request_id: 'req_1' } })
const subscription: { body: CreateWebhookSubscriptionRequest } = {
  body: { url: 'https://a.example/', events: ['export.completed'], providers: ['platform'] },
}

it('retries temporary failures with one idempotency key, and returns the response', async () => {
  const { client, sent, waits } = fake(
    new TypeError('fetch failed'),
    { status: 503 },
    { status: 409, body: errorBody('idempotency_key_in_flight') },
    { status: 201, body: { data: { id: '1' }, meta: {} } },
  )
  expect(await client.call(createWebhookSubscription, subscription)).toMatchObject({
    data: { id: '1' },
  })
  expect(new Set(sent.map((request) => request.headers['idempotency-key'])).size).toBe(1)
  expect(sent[0]!.headers).toMatchObject({ authorization: 'Bearer key', 'content-type': 'application/json' })
  expect(waits).toHaveLength(3)
})

it('waits for Retry-After, and gives up immediately if it is more than a minute', async () => {
  const soon = fake({ status: 429, headers: { 'retry-after': '7' } }, {})
  await soon.client.call(listGoals)
  expect(soon.waits).toEqual([7000])
  const late = fake({ status: 429, headers: { 'retry-after': '61' }, body: errorBody('rate_limit_exceeded') })
  await expect(late.client.call(listGoals)).rejects.toBeInstanceOf(RateLimitError)
  expect(late.sent).toHaveLength(1)
  expect(waitBefore(1, 'Tue, 17 Nov 2026 10:00:30 GMT', 0, Date.parse('2026-11-17T10:00:00Z'))).toBe(30_000)
  expect([waitBefore(1, null, 0, 0), waitBefore(1, null, 1, 0), waitBefore(9, null, 1, 0)]).toEqual([
    250, 500, 8000,
  ])
})

it('gives up after three retries, with an error class per kind of failure', async () => {
  const broken = fake({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 })
  await expect(broken.client.call(listGoals)).rejects.toBeInstanceOf(ServerError)
  expect(broken.sent).toHaveLength(4)
  const dead = fake(...Array.from({ length: 4 }, () => new TypeError('fetch failed')))
  await expect(dead.client.call(listGoals)).rejects.toBeInstanceOf(ConnectionError)
  const conflict = fake({ status: 409, body: errorBody('invalid_state') })
  const error = await conflict.client.call(listGoals).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ConflictError)
  expect(error).toMatchObject({ status: 409, code: 'invalid_state', requestId: 'req_1', message: 'No' })
  const wrong = fake({
    status: 422,
    body: {
      error: { code: 'validation_error', field: 'name', problem: 'is required.', rule: 'required' },
    },
  })
  await expect(wrong.client.call(listGoals)).rejects.toMatchObject({
    field: 'name',
    problem: 'is required.',
    rule: 'required',
  })
})

it('retries a write without an idempotency key only after a rate limit', async () => {
  const input = { body: { email: 'a@example.com', password: 'x' } }
  const lost = fake(new TypeError('fetch failed'), {})
  await expect(lost.client.call(signIn, input)).rejects.toBeInstanceOf(ConnectionError)
  expect(lost.sent).toHaveLength(1)
  const limited = fake({ status: 429 }, {})
  await limited.client.call(signIn, input)
  expect(limited.sent).toHaveLength(2)
})

it('gives each event of a batch its own key, the same in every attempt', async () => {
  const { client, sent } = fake(new TypeError('fetch failed'), { status: 202 })
  await client.call(sendEvents, {
    body: { events: [{ event_name: 'visit' }, { event_name: 'visit', idempotency_key: 'mine' }] },
  })
  expect(sent[0]!.body).toBe(sent[1]!.body)
  const [first, second] = JSON.parse(sent[0]!.body!).events
  expect(first.idempotency_key).toMatch(/^[0-9a-f]{32}$/)
  expect(second.idempotency_key).toBe('mine')
  expect(sent[0]!.headers).not.toHaveProperty('idempotency-key')
})

it('adds no key to money: the API refuses it, and the same order sent twice is not paid twice', async () => {
  const { client, sent } = fake({ status: 202 }, { status: 202 }, { status: 202 }, { status: 202 })
  const payment = { event_name: 'payment_received', properties: { value: 20, currency: 'EUR' } }
  await client.call(sendEvents, { body: { events: [payment, { event_name: 'visit' }] } })
  await client.call(sendEvent, { body: payment })
  await client.call(sendEvent, { body: payment, idempotencyKey: 'invoice-7' })
  await client.call(sendEvent, { body: { event_name: 'visit' } })
  const keys = JSON.parse(sent[0]!.body!).events.map((event: object) => 'idempotency_key' in event)
  expect(keys).toEqual([false, true])
  const headers = sent.slice(1).map((request) => request.headers['idempotency-key'])
  expect(headers).toEqual([undefined, 'invoice-7', expect.stringMatching(/^[0-9a-f]{32}$/)])
})

it('follows the cursor through all pages and omits undefined parameters', async () => {
  const page = (id: string, cursor: string | null) => ({
    body: { data: [{ payment_id: id }], pagination: { has_next: cursor !== null, cursor }, meta: {} },
  })
  const { client, sent } = fake(page('1', 'next'), page('2', null))
  const ids: string[] = []
  const query = { from: '2026-01-01', to: '2026-01-31', limit: 1, status: undefined }
  for await (const { payment_id } of client.rows(listPayments, { query })) ids.push(payment_id)
  expect(ids).toEqual(['1', '2'])
  expect(sent.map(({ url }) => url)).toEqual([
    'https://whence.example/api/v1/payments?from=2026-01-01&to=2026-01-31&limit=1',
    'https://whence.example/api/v1/payments?from=2026-01-01&to=2026-01-31&limit=1&cursor=next',
  ])
})

it('works on a page of the service: with its path and headers, by cookie and without retries', async () => {
  const options = { baseUrl: '/prefix', headers: { 'x-app': 'shop' }, maxRetries: 0 }
  const { client, sent } = fakeWith(options, {}, { status: 503 })
  await client.call(listGoals)
  expect(sent[0]).toMatchObject({ url: '/prefix/api/v1/goals', headers: { 'x-app': 'shop' } })
  expect(sent[0]!.headers).not.toHaveProperty('authorization')
  await expect(client.call(listGoals)).rejects.toBeInstanceOf(ServerError)
  expect(sent).toHaveLength(2)
})

it('generates a key only for writes that it may retry, also on a page without HTTPS', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  onTestFinished(() => void vi.unstubAllGlobals())
  const once = fakeWith({ maxRetries: 0 }, {}, {})
  await once.client.call(createWebhookSubscription, subscription)
  await once.client.call(createWebhookSubscription, { ...subscription, idempotencyKey: 'mine' })
  expect(once.sent.map((request) => request.headers['idempotency-key'])).toEqual([undefined, 'mine'])
  const often = fake({}, {})
  await often.client.call(createWebhookSubscription, subscription)
  await often.client.call(createWebhookSubscription, subscription)
  const keys = often.sent.map((request) => request.headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

it('returns a file as a Blob', async () => {
  const { client } = fake({ body: 'a,b' })
  const file = await client.call(downloadReport, { params: { workspaceId: '1', reportId: '2' } })
  expect(file).toBeInstanceOf(Blob)
  expect(await file.text()).toBe('"a,b"')
})

it('an aborted call is not retried', async () => {
  const { client, sent } = fake(new DOMException('aborted', 'AbortError'), {})
  await expect(client.call(listGoals, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
    ConnectionError,
  )
  expect(sent).toHaveLength(1)
})

it('the name of an operation is the name of its export', () => {
  const isOperation = (value: unknown): value is Operation<unknown, unknown> =>
    typeof value === 'object' && value !== null && 'method' in value
  const operations = Object.entries(sdk).filter(([, value]) => isOperation(value))
  expect(operations.length).toBeGreaterThan(200)
  for (const [name, operation] of operations) expect(operation).toMatchObject({ name })
})

it('builds the URL of a request', () => {
  const query = { profile_id: 'p 1' }
  expect(urlOf('https://whence.example/', getConnection, { params: { id: 'a/b' }, query })).toBe(
    'https://whence.example/api/v1/connections/a%2Fb?profile_id=p+1',
  )
})

it('exports types of input and data, and the values of an enumeration', () => {
  const input: InputOf<typeof getConnection> = { params: { id: '1' } }
  const rows: DataOf<typeof listPayments> = []
  expect([input.params.id, rows.length]).toEqual(['1', 0])
  expect(privacyModeValues).toEqual(['standard', 'platform_safe', 'hipaa'])
})
