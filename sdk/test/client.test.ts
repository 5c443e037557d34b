import { expect, it, onTestFinished, vi } from 'vitest'
import * as sdk from '../src/index.ts'
import {
  type ClientOptions,
  ConnectionError,
  type CreateWebhookSubscriptionRequest,
  createClient,
  createWebhookSubscription,
  type DataOf,
  downloadReport,
  type getConnection,
  type InputOf,
  listGoals,
  type listPayments,
  type Operation,
  privacyModeValues,
  ServerError,
  sendEvent,
  sendEvents,
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
const subscription: { body: CreateWebhookSubscriptionRequest } = {
  body: { url: 'https://a.example/', events: ['export.completed'], providers: ['platform'] },
}

it('waits for Retry-After, and otherwise twice as long after each attempt', () => {
  expect(waitBefore(1, 'Tue, 17 Nov 2026 10:00:30 GMT', 0, Date.parse('2026-11-17T10:00:00Z'))).toBe(30_000)
  expect([waitBefore(1, null, 0, 0), waitBefore(1, null, 1, 0), waitBefore(9, null, 1, 0)]).toEqual([
    250, 500, 8000,
  ])
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

it('exports types of input and data, and the values of an enumeration', () => {
  const input: InputOf<typeof getConnection> = { params: { id: '1' } }
  const rows: DataOf<typeof listPayments> = []
  expect([input.params.id, rows.length]).toEqual(['1', 0])
  expect(privacyModeValues).toEqual(['standard', 'platform_safe', 'hipaa'])
})
