/**
 * How fast events leave: `node bench/webhooks.ts [deliveries] [parts]` starts a database and a receiver of
 * its own and prints deliveries a second beside a bare loop that only signs and sends, the delay from
 * outcome to delivery, what a dead endpoint with a long queue does to the others and to a page of the console,
 * and the replay's speed.
 */
import { once } from 'node:events'
import { createApi } from '@whence/server/api.ts'
import { uuidv7 } from '@whence/server/contract/ids.ts'
import { mintApiKey } from '@whence/server/features/api-keys/mint.ts'
import { createCourier } from '@whence/server/features/webhooks/courier.ts'
import { connectionEvent } from '@whence/server/features/webhooks/events.ts'
import type { OutboxEvent } from '@whence/server/features/webhooks/outbox.ts'
import { listDeliveries } from '@whence/server/features/webhooks/queries.ts'
import { mintWebhookSecret, signWebhook, toSigningKey } from '@whence/server/outbound/standard-webhooks.ts'
import { Pool } from 'undici'
import { startDatabaseClock } from './cpu.ts'
import {
  closeWorld,
  db,
  deaf,
  makePeople,
  makeProfile,
  now,
  outcome,
  PEOPLE,
  peer,
  pool,
  readArrivals,
  readPeer,
  service,
  sink,
  subscribe,
  tell,
  untilDelivered,
  untilReceived,
} from './webhooks-world.ts'

const DELIVERIES = Number(process.argv[2] ?? 40_000)
const PARTS = new Set((process.argv[3] ?? 'deliver,delay,dead,lists,replay').split(','))
const SUBSCRIPTIONS = 20
const REPLAYED = 40_000
const RATE = 500
const RATE_SECONDS = 10
const QUEUED = 100_000
const TURNS = 10
const TURN_SECONDS = 4
const HEALTHY = 10
const HEALTHY_RATE = 200

const say = (line: string) => process.stdout.write(`${line}\n`)
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000)

/** What the machine can do: undici and a signature, nothing kept. */
async function bareLoop(count: number): Promise<number> {
  const pool = new Pool(sink, { connections: 100 })
  const keys = [toSigningKey(mintWebhookSecret())]
  const body = JSON.stringify({ id: uuidv7(), type: 'x', data: { text: 'x'.repeat(400) } })
  let left = count
  const start = performance.now()
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      while (left-- > 0) {
        const signed = signWebhook(keys, { id: uuidv7(), sentAt: new Date(), body })
        const headers = { 'content-type': 'application/json', ...signed }
        const reply = await pool.request({ method: 'POST', path: '/', headers, body })
        await reply.body.dump()
      }
    }),
  )
  await pool.close()
  return perSecond(count, performance.now() - start)
}

async function deliver(name: string, profileIds: string[], bare: number): Promise<void> {
  const perProfile = DELIVERIES / SUBSCRIPTIONS
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  for (const profileId of profileIds)
    await tell(
      Array.from({ length: perProfile }, () => connectionEvent('connection.connected', profileId, data, now)),
    )
  const courier = createCourier(service)
  const databaseSeconds = await startDatabaseClock(pool)
  const before = await readPeer()
  const start = performance.now()
  courier.start()
  const cpu = process.cpuUsage()
  await untilReceived(before.requests + DELIVERIES)
  await untilDelivered(profileIds, DELIVERIES)
  const rate = perSecond(DELIVERIES, performance.now() - start)
  const { user, system } = process.cpuUsage(cpu)
  const each = (seconds: number) => ((seconds * 1e6) / DELIVERIES).toFixed(0)
  const spent = [(user + system) / 1e6, await databaseSeconds(), (await readPeer()).cpu - before.cpu].map(
    each,
  )
  await courier.stop()
  say(
    `${name}: ${rate} deliveries/s, ${(rate / bare).toFixed(2)} of the bare loop; ` +
      `each costs ${spent[0]} µs of this process, ${spent[1]} µs of the database, ${spent[2]} µs of the receiver`,
  )
}

/** Tells `make(n)` at a steady rate and answers when each event was told, by id. */
async function tellSteadily(
  rate: number,
  seconds: number,
  make: (n: number) => OutboxEvent & { id: string },
  wake: (profileId: string) => void,
): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  const start = performance.now()
  const batch = rate / 50
  for (let n = 0; n < rate * seconds; n += batch) {
    const wait = start + (n / rate) * 1000 - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const events = Array.from({ length: batch }, (_, i) => make(n + i))
    const at = performance.timeOrigin + performance.now()
    for (const event of events) sent.set(event.id, at)
    await tell(events)
    for (const profileId of new Set(events.map((event) => event.profileId))) wake(profileId)
  }
  return sent
}

/** Sorted; an event that never arrived would be missing, so the count is checked. */
function delaysOf(sent: ReadonlyMap<string, number>, arrivals: ReadonlyMap<string, number>): number[] {
  const delays = [...sent].flatMap(([id, at]) => (arrivals.has(id) ? [arrivals.get(id)! - at] : []))
  if (delays.length !== sent.size) throw new Error(`${sent.size - delays.length} events did not arrive`)
  return delays.sort((a, b) => a - b)
}

const share = (delays: readonly number[], part: number) => delays[Math.floor(delays.length * part)]!

async function delay(profileId: string, people: string[]): Promise<void> {
  const courier = createCourier(service)
  courier.start()
  const make = (n: number) => ({ ...outcome(profileId, people[n % PEOPLE]!, n), id: uuidv7() })
  const sent = await tellSteadily(RATE, RATE_SECONDS, make, courier.wake)
  await untilDelivered([profileId], RATE * RATE_SECONDS)
  await courier.stop()
  const delays = delaysOf(sent, await readArrivals())
  const at = (part: number) => share(delays, part).toFixed(0)
  say(
    `outcome to delivery at ${RATE}/s over ${delays.length}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  )
}

async function queueFor(profileId: string, subscriptionId: string): Promise<void> {
  await pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
       next_attempt_at, recorded_at, created_at)
     select $1, gen_random_uuid(), $2, n::text, 'connection.revoked', repeat('x', 400), 'pending', now(), now(), now()
     from generate_series(1, $3::integer) as n`,
    [profileId, subscriptionId, QUEUED],
  )
  await pool.query('analyze webhook_deliveries')
}

async function setDead(profileId: string, id: string, status: 'active' | 'paused'): Promise<void> {
  await pool.query('update webhook_subscriptions set status = $3 where profile_id = $1 and id = $2', [
    profileId,
    id,
    status,
  ])
  await pool.query(
    `insert into webhook_queues (subscription_id, profile_id, due_at, wakes) values ($1, $2, now(), 1)
     on conflict (subscription_id) do update set due_at = now(), wakes = webhook_queues.wakes + 1`,
    [id, profileId],
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** The others' delay with the dead endpoint's queue open and shut, in turns, so that the machine's moods hit both. */
async function besideDead(name: string, url: string, isTried = true): Promise<void> {
  const healthy: string[] = []
  for (let n = 0; n < HEALTHY; n++) healthy.push(await makeProfile(1, ['connection.connected']))
  const dead = await subscribe(healthy[0]!, url, ['connection.revoked'])
  await queueFor(healthy[0]!, dead)
  const courier = createCourier(service)
  courier.start()
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  const make = (n: number) => ({
    ...connectionEvent('connection.connected', healthy[n % HEALTHY]!, data, now),
    id: uuidv7(),
  })
  const sent: { paused: Map<string, number>[]; active: Map<string, number>[] } = { paused: [], active: [] }
  await tellSteadily(HEALTHY_RATE, 1, make, courier.wake)
  for (let turn = 0; turn < TURNS; turn++) {
    const status = turn % 2 === 0 ? 'paused' : 'active'
    await setDead(healthy[0]!, dead, isTried ? status : 'paused')
    sent[status].push(await tellSteadily(HEALTHY_RATE, TURN_SECONDS, make, courier.wake))
  }
  await untilDelivered(healthy, HEALTHY_RATE * (TURN_SECONDS * TURNS + 1))
  const { rows } = await pool.query(
    `select sum(attempt_count) as tries from webhook_deliveries where profile_id = $1 and subscription_id = $2`,
    [healthy[0], dead],
  )
  await courier.stop()
  const arrivals = await readArrivals()
  // The middle one of the turns: a stall of the machine hits one turn, and would be the p99 of all.
  const typical = (turns: readonly Map<string, number>[], part: number) =>
    share(
      turns.map((turn) => share(delaysOf(turn, arrivals), part)).sort((a, b) => a - b),
      0.5,
    )
  const change = (part: number) =>
    `${typical(sent.paused, part).toFixed(1)} → ${typical(sent.active, part).toFixed(1)} ms`
  const ratio = typical(sent.active, 0.99) / typical(sent.paused, 0.99)
  say(
    `beside an endpoint that ${name} with ${QUEUED} queued (${rows[0].tries} tried): p50 ${change(0.5)}, ` +
      `p99 ${change(0.99)}, ratio ${ratio.toFixed(2)}`,
  )
}

/** What the console asks, right after a bulk enqueue: one subscription with a long queue, one with a little of each. */
async function lists(): Promise<void> {
  const profileId = await makeProfile(0, [])
  const long = await subscribe(profileId, deaf, ['connection.revoked'])
  const short = await subscribe(profileId, sink, ['connection.connected'])
  await pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
       next_attempt_at, recorded_at, created_at)
     select $1, gen_random_uuid(), $2, n::text, 'connection.revoked', repeat('x', 400),
       case when n % 10 = 0 then 'failed' else 'delivered' end, null, now(), now()
     from generate_series(1, 1000) as n`,
    [profileId, short],
  )
  await queueFor(profileId, long)
  const owner = { profileId, appId: null, before: null, limit: 51 }
  const ask = async (name: string, subscriptionId: string | null, status: 'failed' | 'pending' | null) => {
    const times: number[] = []
    for (let n = 0; n < 30; n++) {
      const start = performance.now()
      await listDeliveries(db, { ...owner, subscriptionId, status })
      times.push(performance.now() - start)
    }
    return `${name} ${times.sort((a, b) => a - b)[15]!.toFixed(1)} ms`
  }
  const asked = [
    await ask('all', null, null),
    await ask('all that failed', null, 'failed'),
    await ask('of the other', short, null),
    await ask('of the other, pending', short, 'pending'),
    await ask('of the long one, pending', long, 'pending'),
  ]
  say(`a page of deliveries beside ${QUEUED} queued: ${asked.join(', ')}`)
}

async function replay(profileId: string, people: string[]): Promise<void> {
  await tell(Array.from({ length: REPLAYED }, (_, n) => outcome(profileId, people[n % PEOPLE]!, n)))
  await pool.query('analyze')
  const { key } = await mintApiKey(service, db, {
    profileId,
    name: 'Bench',
    scopes: ['customers:read'],
    now: service.clock.now(),
  })
  const api = createApi(service)
  const url = await api.http.listen({ host: '127.0.0.1', port: 0 })
  for (const round of ['first', 'second']) {
    peer.send({ replay: { url, key } })
    const [{ events, ms }] = (await once(peer, 'message')) as [{ events: number; ms: number }]
    say(`replay, ${round} time: ${perSecond(events, ms)} events/s over ${events}`)
  }
  await api.close()
}

try {
  await bareLoop(5000)
  const bare = await bareLoop(DELIVERIES)
  say(`bare signed loop: ${bare} requests/s`)
  if (PARTS.has('deliver')) {
    const one = await makeProfile(SUBSCRIPTIONS, ['connection.connected'])
    await deliver(`one profile, ${SUBSCRIPTIONS} subscriptions`, [one], bare)
    const many: string[] = []
    for (let n = 0; n < SUBSCRIPTIONS; n++) many.push(await makeProfile(1, ['connection.connected']))
    await deliver(`${SUBSCRIPTIONS} profiles, one subscription each`, many, bare)
  }
  if (PARTS.has('delay')) {
    const told = await makeProfile(1, ['outcome.recorded'])
    await delay(told, await makePeople(told))
  }
  if (PARTS.has('dead')) {
    await besideDead('refuses', 'http://127.0.0.1:9/')
    await besideDead('hangs', deaf)
    // The same without any dead endpoint: what the machine itself moves.
    await besideDead('is paused', deaf, false)
  }
  if (PARTS.has('lists')) await lists()
  if (PARTS.has('replay')) {
    const quiet = await makeProfile(0, [])
    await replay(quiet, await makePeople(quiet))
  }
} finally {
  await closeWorld()
}
