/**
 * Webhook deliveries: `node bench/webhooks.ts [deliveries=40000] [parts=deliver,delay,dead,lists,replay]` starts a
 * temporary database and a receiver. It prints deliveries per second relative to a bare loop that only signs and sends,
 * the delay from outcome to delivery, the effect of a dead endpoint with a long queue on other endpoints and on a page
 * of the console, and events per second of a replay.
 */
import { once } from 'node:events'
import { createApi } from '@whence/server/api.ts'
import { mintApiKey } from '@whence/server/features/account/api-keys/mint.ts'
import { connectionEvent } from '@whence/server/features/facts/outbox/event-factories.ts'
import { createDispatcher } from '@whence/server/features/outgoing/webhooks/delivery/dispatcher.ts'
import { listWebhookDeliveries } from '@whence/server/features/outgoing/webhooks/queries.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import {
  mintWebhookSecret,
  signWebhook,
  toSigningKey,
} from '@whence/server/platform/outbound/standard-webhooks.ts'
import { Pool } from 'undici'
import { startDatabaseClock } from './cpu.ts'
import { measureDeadReceivers } from './webhooks-dead.ts'
import { delaysOf, recordSteadily, share } from './webhooks-delays.ts'
import {
  closeWorld,
  db,
  makePeople,
  makeProfile,
  now,
  outcome,
  PEOPLE,
  peer,
  pool,
  QUEUED,
  queueDeliveries,
  readArrivals,
  readPeer,
  recordAll,
  service,
  sink,
  subscribe,
  unresponsiveUrl,
  untilDelivered,
  untilReceived,
} from './webhooks-world.ts'

const DELIVERIES = Number(process.argv[2] ?? 40_000)
const PARTS = new Set((process.argv[3] ?? 'deliver,delay,dead,lists,replay').split(','))
const SUBSCRIPTIONS = 20
const REPLAYED = 40_000
const RATE = 500
const RATE_SECONDS = 10

const print = (line: string) => process.stdout.write(`${line}\n`)
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000)

/** Requests per second, and CPU microseconds per request; on a busy machine only CPU is comparable. */
type Bare = { rate: number; cpu: number }

/** The limit: undici and a signature, without storing anything. */
async function bareLoop(count: number): Promise<Bare> {
  const pool = new Pool(sink, { connections: 100 })
  const keys = [toSigningKey(mintWebhookSecret())]
  const body = JSON.stringify({ id: uuidv7(), type: 'x', data: { text: 'x'.repeat(400) } })
  let remaining = count
  const cpu = process.cpuUsage()
  const start = performance.now()
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      while (remaining-- > 0) {
        const signed = signWebhook(keys, { id: uuidv7(), sentAt: new Date(), body })
        const headers = { 'content-type': 'application/json', ...signed }
        const reply = await pool.request({ method: 'POST', path: '/', headers, body })
        await reply.body.dump()
      }
    }),
  )
  await pool.close()
  const rate = perSecond(count, performance.now() - start)
  const { user, system } = process.cpuUsage(cpu)
  return { rate, cpu: (user + system) / count }
}

async function deliver(name: string, profileIds: string[], bare: Bare): Promise<void> {
  const perProfile = DELIVERIES / SUBSCRIPTIONS
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  for (const profileId of profileIds)
    await recordAll(
      Array.from({ length: perProfile }, () => connectionEvent('connection.connected', profileId, data, now)),
    )
  const dispatcher = createDispatcher(service)
  const databaseSeconds = await startDatabaseClock(pool)
  const before = await readPeer()
  const start = performance.now()
  dispatcher.start()
  const cpu = process.cpuUsage()
  await untilReceived(before.requests + DELIVERIES)
  await untilDelivered(profileIds, DELIVERIES)
  const rate = perSecond(DELIVERIES, performance.now() - start)
  const { user, system } = process.cpuUsage(cpu)
  const each = (seconds: number) => ((seconds * 1e6) / DELIVERIES).toFixed(0)
  const spent = [(user + system) / 1e6, await databaseSeconds(), (await readPeer()).cpu - before.cpu].map(
    each,
  )
  await dispatcher.stop()
  print(
    `${name}: ${rate} deliveries/s, ${(rate / bare.rate).toFixed(2)} of the bare loop, by CPU ${(bare.cpu / Number(spent[0])).toFixed(2)}; ` +
      `each costs ${spent[0]} µs of this process, ${spent[1]} µs of the database, ${spent[2]} µs of the receiver`,
  )
}

async function measureDelay(profileId: string, people: string[]): Promise<void> {
  const dispatcher = createDispatcher(service)
  dispatcher.start()
  const make = (n: number) => ({ ...outcome(profileId, people[n % PEOPLE]!, n), id: uuidv7() })
  const { sent } = await recordSteadily(
    { rate: RATE, seconds: RATE_SECONDS, batch: RATE / 50 },
    make,
    dispatcher.wake,
  )
  await untilDelivered([profileId], RATE * RATE_SECONDS)
  await dispatcher.stop()
  const delays = delaysOf(sent, await readArrivals())
  const at = (part: number) => share(delays, part).toFixed(0)
  print(
    `outcome to delivery at ${RATE}/s over ${delays.length}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  )
}

/** Pages of the console right after a bulk enqueue: one subscription with a long queue, one with a few of each status. */
async function lists(): Promise<void> {
  const profileId = await makeProfile(0, [])
  const long = await subscribe(profileId, unresponsiveUrl, ['connection.revoked'])
  const short = await subscribe(profileId, sink, ['connection.connected'])
  await pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
       next_attempt_at, recorded_at, created_at)
     select $1, gen_random_uuid(), $2, n::text, 'connection.revoked', repeat('x', 400),
       case when n % 10 = 0 then 'failed' else 'delivered' end, null, now(), now()
     from generate_series(1, 1000) as n`,
    [profileId, short],
  )
  await queueDeliveries(profileId, long)
  const owner = { profileId, appId: null, before: null, limit: 51 }
  const measure = async (
    name: string,
    subscriptionId: string | null,
    status: 'failed' | 'pending' | null,
  ) => {
    const times: number[] = []
    for (let n = 0; n < 30; n++) {
      const start = performance.now()
      await listWebhookDeliveries(db, { ...owner, subscriptionId, status })
      times.push(performance.now() - start)
    }
    return `${name} ${times.sort((a, b) => a - b)[15]!.toFixed(1)} ms`
  }
  const results = [
    await measure('all', null, null),
    await measure('all failed', null, 'failed'),
    await measure('short queue', short, null),
    await measure('short queue, pending', short, 'pending'),
    await measure('long queue, pending', long, 'pending'),
  ]
  print(`a page of deliveries with ${QUEUED} queued: ${results.join(', ')}`)
}

async function replay(profileId: string, people: string[]): Promise<void> {
  await recordAll(Array.from({ length: REPLAYED }, (_, n) => outcome(profileId, people[n % PEOPLE]!, n)))
  await pool.query('analyze')
  const { key } = await mintApiKey(service, db, {
    profileId,
    name: 'Bench',
    scopes: ['customers:read'],
    now: service.clock.now(),
  })
  const api = createApi(service)
  const url = await api.http.listen({ host: '127.0.0.1', port: 0 })
  for (const round of ['first', 'second', 'third']) {
    const databaseSeconds = await startDatabaseClock(pool)
    const before = await readPeer()
    const cpu = process.cpuUsage()
    peer.send({ replay: { url, key } })
    const [{ events, ms }] = (await once(peer, 'message')) as [{ events: number; ms: number }]
    const { user, system } = process.cpuUsage(cpu)
    const reader = (await readPeer()).cpu - before.cpu
    const spent = [(user + system) / 1e6, await databaseSeconds(), reader].map((seconds) =>
      ((seconds * 1e6) / events).toFixed(0),
    )
    print(
      `replay, ${round} time: ${perSecond(events, ms)} events/s over ${events}; each costs ${spent[0]} µs of ` +
        `this process, ${spent[1]} µs of the database, ${spent[2]} µs of the reader`,
    )
  }
  await api.close()
}

try {
  await bareLoop(5000)
  const bare = await bareLoop(DELIVERIES)
  print(`bare signed loop: ${bare.rate} requests/s, ${bare.cpu.toFixed(0)} µs of this process each`)
  if (PARTS.has('deliver')) {
    const profile = await makeProfile(SUBSCRIPTIONS, ['connection.connected'])
    await deliver(`one profile, ${SUBSCRIPTIONS} subscriptions`, [profile], bare)
    const profiles: string[] = []
    for (let n = 0; n < SUBSCRIPTIONS; n++) profiles.push(await makeProfile(1, ['connection.connected']))
    await deliver(`${SUBSCRIPTIONS} profiles, one subscription each`, profiles, bare)
  }
  if (PARTS.has('delay')) {
    const profile = await makeProfile(1, ['outcome.recorded'])
    await measureDelay(profile, await makePeople(profile))
  }
  if (PARTS.has('dead')) await measureDeadReceivers(print)
  if (PARTS.has('lists')) await lists()
  if (PARTS.has('replay')) {
    const profile = await makeProfile(0, [])
    await replay(profile, await makePeople(profile))
  }
} finally {
  await closeWorld()
}
