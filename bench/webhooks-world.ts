/** Service and receiver for `webhooks.ts`: a temporary database or the empty one of DATABASE_URL, the receiver in another process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@whence/server/config.ts'
import { outcomeRecorded } from '@whence/server/features/facts/outbox/event-factories.ts'
import { type OutboxEvent, recordEvents } from '@whence/server/features/facts/outbox/record.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { openDatabase } from '@whence/server/platform/db/database.ts'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { migrate } from '@whence/server/platform/db/migrate.ts'
import { createLog } from '@whence/server/platform/log.ts'
import { mintWebhookSecret } from '@whence/server/platform/outbound/standard-webhooks.ts'
import { generateMasterKeys } from '@whence/server/platform/secrets/keyring.ts'
import { seal } from '@whence/server/platform/secrets/seal.ts'
import { closeService, createService } from '@whence/server/service.ts'

export const PEOPLE = 5000
export const QUEUED = 100_000

const dataDir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
const url = process.env.DATABASE_URL
const embedded =
  url === undefined ? await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} }) : undefined
export const { db, pool, close } = openDatabase(embedded?.config ?? { connectionString: url })
await migrate(pool)
const config = readConfig({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  RATE_LIMIT_PER_MINUTE: '10000000',
  RATE_LIMIT_BURST: '10000000',
})
export const service = await createService({
  config,
  db,
  log: createLog('warn'),
  masterKeys: generateMasterKeys(),
})
export const peer = fork(new URL('webhooks-peer.ts', import.meta.url))
const [{ port, unresponsivePort }] = (await once(peer, 'message')) as [
  { port: number; unresponsivePort: number },
]
export const sink = `http://127.0.0.1:${port}/`
/** Accepts connections and never responds. */
export const unresponsiveUrl = `http://127.0.0.1:${unresponsivePort}/`
const workspaceId = uuidv7()
const appId = uuidv7()
export const now = new Date()
await pool.query(
  `insert into workspaces (id, name, timezone, plan, acquisition_source, created_at) values ($1, 'Bench', 'UTC', 'agency', 'direct', now())`,
  [workspaceId],
)

export async function makeProfile(subscriptions: number, events: string[]): Promise<string> {
  const profileId = uuidv7()
  await pool.query(
    `insert into profiles (id, workspace_id, name, timezone, currency, provisioned_by_app_id, created_at)
     values ($1, $2, 'Bench', 'UTC', 'EUR', $3, now())`,
    [profileId, workspaceId, appId],
  )
  await pool.query('insert into webhook_fanouts values ($1, 0)', [profileId])
  for (let n = 0; n < subscriptions; n++) await subscribe(profileId, sink, events)
  return profileId
}

export async function subscribe(profileId: string, url: string, events: string[]): Promise<string> {
  const id = uuidv7()
  const secretCell = { table: 'webhook_subscriptions', row: id, column: 'secret', profileId }
  await pool.query(
    `insert into webhook_subscriptions (profile_id, id, url, events, providers, status, secret, opens_contact,
       after_number, created_at, updated_at)
     values ($1, $2, $3, $4, '{platform}', 'active', $5, true, 0, now(), now())`,
    [profileId, id, url, events, seal(service.keyring, secretCell, mintWebhookSecret())],
  )
  return id
}

/** Queues many deliveries, as after a bulk of events. */
export async function queueDeliveries(profileId: string, subscriptionId: string): Promise<void> {
  await pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status,
       next_attempt_at, recorded_at, created_at)
     select $1, gen_random_uuid(), $2, n::text, 'connection.revoked', repeat('x', 400), 'pending', now(), now(), now()
     from generate_series(1, $3::integer) as n`,
    [profileId, subscriptionId, QUEUED],
  )
  await pool.query('analyze webhook_deliveries')
}

export async function makePeople(profileId: string): Promise<string[]> {
  const ids = Array.from({ length: PEOPLE }, () => uuidv7())
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

export const outcome = (profileId: string, personId: string, n: number) =>
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

export async function recordAll(events: OutboxEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += 1000)
    await db.transaction().execute((tx) => recordEvents(tx, events.slice(start, start + 1000), now))
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function untilDelivered(profileIds: string[], count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*) as count from webhook_deliveries where profile_id = any($1) and status = 'delivered'`,
      [profileIds],
    )
    if (Number(rows[0].count) >= count) return
    await pause(20)
  }
}

/** Requests that the receiver has received since its start, and its CPU seconds. */
export async function readPeer(): Promise<{ requests: number; cpu: number }> {
  peer.send({ status: true })
  const [status] = (await once(peer, 'message')) as [{ requests: number; cpu: number }]
  return status
}

/** Counts at the receiver, because counting in the database would add to the measured CPU. */
export async function untilReceived(requests: number): Promise<void> {
  while ((await readPeer()).requests < requests) await pause(20)
}

/** Time at which each event reached the receiver, by id. */
export async function readArrivals(): Promise<Map<string, number>> {
  peer.send({ arrivals: true })
  const [{ arrivals }] = (await once(peer, 'message')) as [{ arrivals: [string, number][] }]
  return new Map(arrivals)
}

export async function closeWorld(): Promise<void> {
  peer.disconnect()
  await closeService(service)
  await close()
  await embedded?.stop()
  await rm(dataDir, { recursive: true, force: true })
}
