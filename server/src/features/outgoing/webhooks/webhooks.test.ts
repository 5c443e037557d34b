import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import type { TestApp } from '../../../../test/app.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { refusalOf, startTestProfile } from '../../../../test/make.ts'
import { moveClock } from '../../../../test/make-shop.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import type { Dispatcher } from '../../../context.ts'
import { channelHealthUpdated, connectionEvent } from '../../facts/outbox/event-factories.ts'
import { recordEvent, recordEvents } from '../../facts/outbox/record.ts'
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  recoverWebhookEvents,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
} from './contract.ts'
import { createDispatcher } from './delivery/dispatcher.ts'

const CONNECTION = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'

let app: TestApp
let profileId: string
let call: TestClient
let receiver: Receiver
let dispatcher: Dispatcher
let status = 204
let headers: Record<string, string> = {}

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['webhooks:read', 'webhooks:write'], {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    SANDBOX: 'on',
  }))
  receiver = await startReceiver((_request, reply) => void reply.writeHead(status, headers).end('ok'))
  dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20, chance: () => 0.5 })
  dispatcher.start()
})
afterEach(async () => {
  accept()
  for (const { id } of (await call(listWebhookSubscriptions)).data)
    await call(deleteWebhookSubscription, { params: { id } })
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await app.close()
})

async function subscribe(path: string, fields: { events?: string[]; providers?: string[] } = {}) {
  const selection = { events: ['connection.connected'], providers: ['platform'], ...fields }
  const body = { url: `${receiver.url}${path}`, ...selection }
  return (await call(createWebhookSubscription, { body })).data
}

/** Long enough that a retry is due only once the clock is moved, also on a slow machine. */
function refuseForFiveMinutes(): void {
  status = 500
  headers = { 'retry-after': '300' }
}

function accept(): void {
  status = 204
  headers = {}
}

const record = (reason: string) => recordAll([reason])

/** In one transaction, so that all are pending when the first is sent. */
async function recordAll(reasons: string[]): Promise<void> {
  const now = app.service.clock.now()
  const events = reasons.map((reason) => {
    const data = { provider: 'cardpay', connection_id: CONNECTION, status: 'connected', reason } as const
    return connectionEvent('connection.connected', profileId, data, now)
  })
  await app.service.db.transaction().execute((tx) => recordEvents(tx, events, now))
}

const at = (path: string) => (request: ReceivedRequest) => request.path === path
const reached = (path: string, count: number) =>
  receiver.until((requests) => requests.filter(at(path)).length >= count)
const requestsTo = (path: string) => receiver.requests.filter(at(path))

const deliveriesOf = async (subscriptionId: string) =>
  (await call(listWebhookDeliveries, { query: { subscription_id: subscriptionId } })).data

const settled = (subscriptionId: string, holds: (statuses: string[]) => boolean) =>
  until(async () => holds((await deliveriesOf(subscriptionId)).map((row) => row.status)))

const delivered = (subscriptionId: string, count: number) =>
  settled(subscriptionId, (statuses) => statuses.join() === Array(count).fill('delivered').join())

/** The only delivery of a subscription, once it had this many attempts. */
async function attemptedDelivery(subscriptionId: string, attempts: number) {
  await until(async () => ((await deliveriesOf(subscriptionId))[0]?.attempt_count ?? 0) >= attempts)
  const [row] = await deliveriesOf(subscriptionId)
  return (await call(getWebhookDelivery, { params: { id: row!.id } })).data
}

const subscribed = async () => (await call(listWebhookSubscriptions)).data[0]!
const failed = (times: number) => until(async () => (await subscribed()).consecutive_failures === times)

it('a personal value in the data of an event is removed before it is sent', async () => {
  await subscribe('/personal')
  await record('refused for ana@example.com, call +34 600 987 654')
  await reached('/personal', 1)
  expect(JSON.parse(requestsTo('/personal')[0]!.body).data.reason).toBe('refused for …, call …')
})

it('sends a subscription only signed events that match its events and providers', async () => {
  const { id, secret } = await subscribe('/match')
  await subscribe('/wrong-provider', { providers: ['crmsuite'] })
  await subscribe('/wrong-event', { events: ['connection.revoked'] })
  await subscribe('/health', { events: ['channel.health.updated'], providers: ['cardpay'] })
  await app.service.db.transaction().execute(async (tx) => {
    const now = app.service.clock.now()
    const data = { provider: 'cardpay', connection_id: CONNECTION, status: 'connected', reason: null }
    await recordEvent(tx, channelHealthUpdated(profileId, data, now), now)
  })
  await record('first')
  await Promise.all([reached('/match', 1), reached('/health', 1)])
  const [request] = requestsTo('/match')
  const event = JSON.parse(request!.body)
  expect(event).toMatchObject({
    type: 'connection.connected',
    provider: 'platform',
    connection_id: CONNECTION,
    data: { profile_id: profileId, provider: 'cardpay', reason: 'first' },
  })
  expect(request!.headers['webhook-id']).toBe(event.id)
  const sent = request!.headers as Record<string, string>
  expect(new Webhook(secret).verify(request!.body, sent)).toEqual(event)
  new SvixWebhook(secret).verify(request!.body, sent)
  expect(() => new SvixWebhook(secret).verify(request!.body.replace('first', 'other'), sent)).toThrow()
  expect(() => new Webhook(secret).verify(request!.body.replace('first', 'other'), sent)).toThrow()
  await settled(id, (statuses) => statuses.join() === 'delivered')
  const [delivery] = await deliveriesOf(id)
  expect(sent['x-whence-delivery-id']).toBe(delivery!.id)
  expect(requestsTo('/wrong-provider')).toEqual([])
  expect(requestsTo('/wrong-event')).toEqual([])
})

it('shows the secret once and stores it encrypted', async () => {
  const created = await subscribe('/secret')
  expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const listed = (await call(listWebhookSubscriptions)).data
  expect(listed).toHaveLength(1)
  expect(JSON.stringify(listed)).not.toContain('whsec_')
  const { rows } = await app.pool.query('select * from webhook_subscriptions where id = $1', [created.id])
  expect(rows[0].secret.includes(Buffer.from(created.secret.slice(6), 'base64'))).toBe(false)
  expect(rows[0].secret.includes(Buffer.from(created.secret))).toBe(false)
})

it('signs with both secrets during a rotation and with the new one afterwards', async () => {
  const { id, secret: first } = await subscribe('/rotate')
  const verifies = (request: ReceivedRequest, secret: string) => {
    try {
      new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
      new SvixWebhook(secret).verify(request.body, request.headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  const rotated = (await call(rotateWebhookSecret, { params: { id }, body: { grace_days: 2 } })).data
  const refusal = await refusalOf(call(rotateWebhookSecret, { params: { id }, body: {} }))
  expect([refusal.status, refusal.code]).toEqual([409, 'invalid_state'])
  await record('inside')
  await reached('/rotate', 1)
  const inside = requestsTo('/rotate')[0]!
  expect([verifies(inside, first), verifies(inside, rotated.secret)]).toEqual([true, true])
  expect((await subscribed()).previous_secret_expires_at).toBe(rotated.previous_secret_expires_at)
  await moveClock(app, 2 * 86_400 + 1)
  expect((await subscribed()).previous_secret_expires_at).toBeNull()
  await record('after')
  await reached('/rotate', 2)
  const after = requestsTo('/rotate')[1]!
  expect([verifies(after, first), verifies(after, rotated.secret)]).toEqual([false, true])
  const third = (await call(rotateWebhookSecret, { params: { id }, body: { grace_days: 0 } })).data
  expect(third.previous_secret_expires_at).toBeNull()
  await record('at once')
  await reached('/rotate', 3)
  const last = requestsTo('/rotate')[2]!
  expect([verifies(last, rotated.secret), verifies(last, third.secret)]).toEqual([false, true])
})

it('sends a test and a replay with the id of the event and the same bytes', async () => {
  const { id } = await subscribe('/test', { events: ['leadgen.received'] })
  const test = (await call(testWebhookSubscription, { params: { id }, body: {} })).data
  expect(test).toMatchObject({ enqueued: true, subscription_id: id })
  await reached('/test', 1)
  await settled(id, (statuses) => statuses.join() === 'delivered')
  const [delivery] = await deliveriesOf(id)
  const replay = (await call(replayWebhookDelivery, { params: { id: delivery!.id }, body: {} })).data
  expect(replay).toMatchObject({ enqueued: true, event_id: test.event_id, subscription_id: id })
  expect(replay.delivery_id).not.toBe(delivery!.id)
  await reached('/test', 2)
  const [first, second] = requestsTo('/test')
  expect(second!.body).toBe(first!.body)
  expect(second!.headers['webhook-id']).toBe(test.event_id)
  expect(second!.headers['x-whence-delivery-id']).toBe(replay.delivery_id)
})

it('attempts a delivery ten times on schedule with the same id and bytes, and then gives up', async () => {
  status = 500
  const { id } = await subscribe('/schedule')
  await record('late')
  for (const [index, wait] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    const attempts = index + 1
    const { attempts: attemptLog, next_attempt_at } = await attemptedDelivery(id, attempts)
    // Five seconds may be over before the test reads the delivery.
    if (wait === 5) {
      await moveClock(app, wait)
      continue
    }
    const due = Date.parse(next_attempt_at!)
    const now = app.service.clock.now().getTime()
    expect(due - wait * 1000).toBeGreaterThanOrEqual(Date.parse(attemptLog.at(-1)!.at))
    expect(due - wait * 1000).toBeLessThanOrEqual(now)
    await moveClock(app, Math.floor((due - now) / 1000) - 120)
    await app.service.clock.refresh(app.service.db)
    expect(requestsTo('/schedule')).toHaveLength(attempts)
    await moveClock(app, 120)
  }
  await reached('/schedule', 10)
  await settled(id, (statuses) => statuses.join() === 'failed')
  const requests = requestsTo('/schedule')
  expect(requests).toHaveLength(10)
  expect(new Set(requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
  expect(new Set(requests.map((request) => request.body)).size).toBe(1)
  const { attempts } = await attemptedDelivery(id, 10)
  expect(Date.parse(attempts[1]!.at) - Date.parse(attempts[0]!.at)).toBeGreaterThanOrEqual(5000)
  expect(attempts.map((attempt) => [attempt.attempt, attempt.response_status])).toEqual(
    Array.from({ length: 10 }, (_, index) => [index + 1, 500]),
  )
})

it('a retry waits for its time although other deliveries are sent to its endpoint', async () => {
  refuseForFiveMinutes()
  const { id } = await subscribe('/meanwhile')
  await record('fails')
  await attemptedDelivery(id, 1)
  accept()
  for (let n = 2; n < 8; n++) await record(`meanwhile ${n}`).then(() => reached('/meanwhile', n))
  expect(new Set(requestsTo('/meanwhile').map(({ headers }) => headers['webhook-id'])).size).toBe(7)
})

it('waits as long as the receiver requests, up to a day, and follows no redirect', async () => {
  status = 302
  headers = { 'retry-after': '7200', location: `${receiver.url}/elsewhere` }
  const { id } = await subscribe('/patience')
  await record('patience')
  const { attempts, next_attempt_at } = await attemptedDelivery(id, 1)
  expect(Date.parse(next_attempt_at!) - Date.parse(attempts[0]!.at)).toBeGreaterThanOrEqual(7_200_000)
  expect(requestsTo('/elsewhere')).toEqual([])
})

it('a receiver that responds 410 is disabled immediately, and its pending deliveries are cancelled', async () => {
  status = 500
  const { id } = await subscribe('/gone')
  const since = app.service.clock.now().toISOString()
  await record('one')
  await reached('/gone', 1)
  status = 410
  await record('two')
  await until(async () => (await subscribed()).status === 'failed')
  expect((await subscribed()).status_reason).toBe('The endpoint returned 410 Gone.')
  await moveClock(app, 10)
  await settled(id, (statuses) => statuses.toSorted().join() === 'cancelled,failed')
  const count = requestsTo('/gone').length
  await record('three')
  await call(updateWebhookSubscription, { params: { id }, body: { status: 'active' } })
  status = 204
  const recovered = (await call(recoverWebhookEvents, { params: { id }, body: { since } })).data
  await reached('/gone', count + recovered.enqueued)
  await settled(id, (statuses) => statuses.filter((status) => status === 'delivered').length === 3)
  expect((await call(recoverWebhookEvents, { params: { id }, body: { since } })).data.enqueued).toBe(0)
})

it('recovering after an outage attempts the deliveries that wait', async () => {
  refuseForFiveMinutes()
  const { id } = await subscribe('/outage')
  const since = app.service.clock.now().toISOString()
  await record('lost')
  await failed(1)
  accept()
  const { data } = await call(recoverWebhookEvents, { params: { id }, body: { since } })
  expect(data.enqueued).toBe(1)
  await settled(id, (statuses) => statuses.join() === 'delivered')
})

it('five days of only failures disable a subscription; a success resets the count', async () => {
  refuseForFiveMinutes()
  const { id } = await subscribe('/five-days')
  await record('a')
  await failed(1)
  await moveClock(app, 4 * 86_400)
  await failed(2)
  accept()
  await moveClock(app, 86_400 - 60)
  await settled(id, (statuses) => statuses.join() === 'delivered')
  await failed(0)
  refuseForFiveMinutes()
  await record('b')
  await failed(1)
  await moveClock(app, 5 * 86_400 - 60)
  await failed(2)
  expect((await subscribed()).status).toBe('active')
  await moveClock(app, 400)
  await until(async () => (await subscribed()).status === 'failed')
  expect((await subscribed()).status_reason).toBe('All attempts of the last 5 days failed.')
})

it('a success after a failure resets the failure count, also if another success was just written', async () => {
  const { id } = await subscribe('/flicker')
  await record('good')
  await settled(id, (statuses) => statuses.join() === 'delivered')
  refuseForFiveMinutes()
  await record('bad')
  await failed(1)
  accept()
  await record('good again')
  await settled(id, (statuses) => statuses.filter((status) => status === 'delivered').length === 2)
  expect((await subscribed()).consecutive_failures).toBe(0)
})

longIt(
  'a failing endpoint is retried with growing delays, and receives its whole queue once it recovers',
  async () => {
    refuseForFiveMinutes()
    const { id } = await subscribe('/recovering')
    for (let n = 0; n < 25; n++) await record(`recovering ${n}`)
    await reached('/recovering', 25)
    accept()
    await moveClock(app, 310)
    await delivered(id, 25)
  },
)

it('a paused subscription receives nothing until it is resumed', async () => {
  const { id } = await subscribe('/paused')
  await call(updateWebhookSubscription, { params: { id }, body: { status: 'paused' } })
  const refusal = refusalOf(call(testWebhookSubscription, { params: { id }, body: {} }))
  expect(await refusal).toMatchObject({ status: 409, reason: 'subscription_not_active' })
  await record('unheard')
  await subscribe('/witness')
  await record('heard by the witness')
  await reached('/witness', 1)
  await call(updateWebhookSubscription, { params: { id }, body: { status: 'active' } })
  await record('heard')
  await reached('/paused', 1)
  expect(requestsTo('/paused').map((request) => JSON.parse(request.body).data.reason)).toEqual(['heard'])
})

it('has at most ten requests in flight per subscription', async () => {
  const open: ServerResponse[] = []
  const slow = await startReceiver((_request, reply) => void open.push(reply))
  const body = { url: slow.url, events: ['connection.connected' as const], providers: ['platform' as const] }
  await call(createWebhookSubscription, { body })
  await recordAll(Array.from({ length: 60 }, (_, index) => `burst ${index}`))
  for (let sent = 10; sent <= 60; sent += 5) {
    await slow.until((requests) => requests.length === sent)
    for (const reply of open.splice(0, 5)) reply.writeHead(200).end()
  }
  expect(slow.maxOpen()).toBe(10)
  await slow.close()
})

it('a hanging endpoint with a long queue does not delay others', async () => {
  const dead = await startReceiver(() => {})
  const body = { url: dead.url, events: ['connection.revoked' as const], providers: ['platform' as const] }
  const hanging = (await call(createWebhookSubscription, { body })).data
  await app.pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
       next_attempt_at, recorded_at, created_at)
     select profile_id, gen_random_uuid(), id, n::text, 'connection.revoked', '{}', 'pending', created_at, created_at, created_at
     from webhook_subscriptions, generate_series(1, 3000) as n where id = $1`,
    [hanging.id],
  )
  await call(testWebhookSubscription, { params: { id: hanging.id }, body: {} })
  await dead.until((requests) => requests.length === 10)
  const { id } = await subscribe('/next-to-replay')
  for (let n = 0; n < 30; n++) {
    await record(`next to replay ${n}`)
    await reached('/next-to-replay', n + 1)
  }
  await delivered(id, 30)
  expect(dead.maxOpen()).toBe(10)
  await dead.close()
})
