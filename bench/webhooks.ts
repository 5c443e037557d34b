/**
 * How fast events leave: `node bench/webhooks.ts [deliveries]` starts a database and a receiver of its
 * own and prints deliveries a second, the delay from outcome to delivery, and the speed of the replay,
 * each beside a bare loop that only signs and sends.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '@whence/server/api.ts'
import { readConfig } from '@whence/server/config.ts'
import { uuidv7 } from '@whence/server/contract/ids.ts'
import { openDatabase } from '@whence/server/db/database.ts'
import { startEmbedded } from '@whence/server/db/embedded.ts'
import { migrate } from '@whence/server/db/migrate.ts'
import { mintApiKey } from '@whence/server/features/api-keys/mint.ts'
import { createCourier } from '@whence/server/features/webhooks/courier.ts'
import { connectionEvent, outcomeRecorded } from '@whence/server/features/webhooks/events.ts'
import { recordEvents } from '@whence/server/features/webhooks/outbox.ts'
import { createLog } from '@whence/server/log.ts'
import { mintWebhookSecret, signWebhook, toSigningKey } from '@whence/server/outbound/standard-webhooks.ts'
import { generateMasterKeys } from '@whence/server/secrets/keyring.ts'
import { seal } from '@whence/server/secrets/seal.ts'
import { closeService, createService } from '@whence/server/service.ts'
import { Pool } from 'undici'

const DELIVERIES = Number(process.argv[2] ?? 40_000)
const PARTS = new Set((process.argv[3] ?? 'deliver,delay,replay').split(','))
const SUBSCRIPTIONS = 20
const PEOPLE = 5000
const REPLAYED = 40_000
const RATE = 500
const RATE_SECONDS = 10

const dataDir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
const embedded = await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} })
const { db, pool, close } = openDatabase(embedded.config)
await migrate(pool)
const config = readConfig({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  RATE_LIMIT_PER_MINUTE: '10000000',
  RATE_LIMIT_BURST: '10000000',
})
const service = await createService({ config, db, log: createLog('warn'), masterKeys: generateMasterKeys() })
const peer = fork(new URL('webhooks-peer.ts', import.meta.url))
const [{ port }] = (await once(peer, 'message')) as [{ port: number }]
const sink = `http://127.0.0.1:${port}/`
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

const workspaceId = uuidv7()
const appId = uuidv7()
const now = new Date()
await pool.query(
  `insert into workspaces (id, name, timezone, plan, acquisition_source, created_at) values ($1, 'Bench', 'UTC', 'agency', 'direct', now())`,
  [workspaceId],
)

async function makeProfile(subscriptions: number, events: string[]): Promise<string> {
  const profileId = uuidv7()
  await pool.query(
    `insert into profiles (id, workspace_id, name, timezone, currency, provisioned_by_app_id, created_at)
     values ($1, $2, 'Bench', 'UTC', 'EUR', $3, now())`,
    [profileId, workspaceId, appId],
  )
  await pool.query('insert into webhook_fanouts values ($1, 0)', [profileId])
  for (let n = 0; n < subscriptions; n++) {
    const id = uuidv7()
    const place = { table: 'webhook_subscriptions', row: id, column: 'secret', profileId }
    await pool.query(
      `insert into webhook_subscriptions (profile_id, id, url, events, providers, status, secret, opens_contact,
         after_number, created_at, updated_at)
       values ($1, $2, $3, $4, '{platform}', 'active', $5, true, 0, now(), now())`,
      [profileId, id, sink, events, seal(service.keyring, place, mintWebhookSecret())],
    )
  }
  return profileId
}

async function makePeople(profileId: string): Promise<string[]> {
  const ids = Array.from({ length: PEOPLE }, () => uuidv7())
  await pool.query(`insert into customers (profile_id, id) select $1, unnest($2::uuid[])`, [profileId, ids])
  await pool.query(
    `insert into identifiers (profile_id, id, kind, customer_id) select $1, id, 0, id from unnest($2::uuid[]) as i(id)`,
    [profileId, ids],
  )
  await pool.query(
    `insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
     select $1, id, trait, id, trait || ' of ' || id, now() from unnest($2::uuid[]) as i(id),
       unnest('{first_name,last_name,email,phone}'::text[]) as t(trait)`,
    [profileId, ids],
  )
  await pool.query('analyze')
  return ids
}

const outcome = (profileId: string, personId: string, n: number) =>
  outcomeRecorded(
    profileId,
    {
      provider: 'crmsuite',
      outcome_type: 'lead_created',
      occurred_at: now.toISOString(),
      recorded_at: now.toISOString(),
      external_id: `contact-${n}`,
      outcome_event_id: uuidv7(),
      conversion_id: uuidv7(),
      customer_key: `contact-${n}`,
      value: 12.5,
    },
    { id: uuidv7(), appId, connectionId: null, customerId: personId },
  )

async function tell(events: ReturnType<typeof outcome>[]): Promise<void> {
  for (let start = 0; start < events.length; start += 1000)
    await db.transaction().execute((tx) => recordEvents(tx, events.slice(start, start + 1000), now))
}

async function untilDelivered(profileIds: string[], count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*) as count from webhook_deliveries where profile_id = any($1) and status = 'delivered'`,
      [profileIds],
    )
    if (Number(rows[0].count) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function deliver(name: string, profileIds: string[], bare: number): Promise<void> {
  const perProfile = DELIVERIES / SUBSCRIPTIONS
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  for (const profileId of profileIds)
    await tell(
      Array.from({ length: perProfile }, () => connectionEvent('connection.connected', profileId, data, now)),
    )
  const courier = createCourier(service)
  const start = performance.now()
  courier.start()
  const cpu = process.cpuUsage()
  await untilDelivered(profileIds, DELIVERIES)
  const rate = perSecond(DELIVERIES, performance.now() - start)
  const used = process.cpuUsage(cpu)
  say(`cpu per delivery ${((used.user + used.system) / DELIVERIES).toFixed(0)} us`)
  await courier.stop()
  say(`${name}: ${rate} deliveries/s, ${(rate / bare).toFixed(2)} of the bare loop`)
}

async function delay(profileId: string, people: string[]): Promise<void> {
  const courier = createCourier(service)
  courier.start()
  const sent = new Map<string, number>()
  const start = performance.now()
  const batch = RATE / 50
  for (let n = 0; n < RATE * RATE_SECONDS; n += batch) {
    const due = start + (n / RATE) * 1000
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const events = Array.from({ length: batch }, (_, i) =>
      outcome(profileId, people[(n + i) % PEOPLE]!, n + i),
    )
    const at = performance.timeOrigin + performance.now()
    for (const event of events) sent.set(event.id!, at)
    await tell(events)
    courier.wake(profileId)
  }
  await untilDelivered([profileId], RATE * RATE_SECONDS)
  await courier.stop()
  peer.send({ arrivals: true })
  const [{ arrivals }] = (await once(peer, 'message')) as [{ arrivals: [string, number][] }]
  const delays = arrivals
    .flatMap(([id, at]) => (sent.has(id) ? [at - sent.get(id)!] : []))
    .sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)]!.toFixed(0)
  say(
    `outcome to delivery at ${RATE}/s over ${delays.length}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  )
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
  if (PARTS.has('replay')) {
    const quiet = await makeProfile(0, [])
    await replay(quiet, await makePeople(quiet))
  }
} finally {
  peer.disconnect()
  await closeService(service)
  await close()
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
