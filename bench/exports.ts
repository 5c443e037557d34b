/**
 * Conversions sent back to an ad platform: CPU of queueing them, and conversions per second sent through one destination
 * to an imitation on this machine. The limit is a bare loop that only hashes and sends.
 *
 *   node bench/exports.ts [conversions=1000000]
 *
 * The imitation runs in a separate process and does as little as possible, so that the sender is measured.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@whence/server/config.ts'
import { queueConversions } from '@whence/server/features/facts/export-queue/queue.ts'
import { exportJobs } from '@whence/server/features/outgoing/exports/jobs.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { openDatabase } from '@whence/server/platform/db/database.ts'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { migrate } from '@whence/server/platform/db/migrate.ts'
import { startWorker } from '@whence/server/platform/jobs/worker.ts'
import { createLog } from '@whence/server/platform/log.ts'
import { generateMasterKeys } from '@whence/server/platform/secrets/keyring.ts'
import { seal } from '@whence/server/platform/secrets/seal.ts'
import { closeService, createService } from '@whence/server/service.ts'
import { startDatabaseClock } from './cpu.ts'

const CONVERSIONS = Number(process.argv[2] ?? 1_000_000)
const BATCH = 1000
const QUEUE_CHUNK = 10_000
const INSERT_CHUNK = 50_000
/** One event in so many is a conversion in the mixed load of the other benchmarks. */
const EVENTS_PER_CONVERSION = 10
const MEMORY_EVERY_MS = 500

const print = (line: string) => process.stdout.write(`${line}\n`)
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000).toLocaleString('en')

const imitation = fork(new URL('./exports-imitation.ts', import.meta.url))
const [{ port }] = (await once(imitation, 'message')) as [{ port: number }]
const platform = `http://127.0.0.1:${port}`

const dataDir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
const embedded = await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} })
const { db, pool, close } = openDatabase(embedded.config)
await migrate(pool)
const config = readConfig({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  SANDBOX: 'off',
  SHORTVIDEO_BASE_URL: platform,
})
const service = await createService({ config, db, log: createLog('error'), masterKeys: generateMasterKeys() })

const profileId = uuidv7()
const goalId = uuidv7()
const destinationId = uuidv7()
const now = new Date()

async function fillProfile(): Promise<void> {
  const workspaceId = uuidv7()
  await pool.query(
    `insert into workspaces (id, name, timezone, plan, acquisition_source, created_at)
     values ($1, 'W', 'UTC', 'growth', 'direct', now())`,
    [workspaceId],
  )
  await pool.query(
    `insert into profiles (id, workspace_id, name, timezone, currency, created_at)
     values ($1, $2, 'P', 'UTC', 'EUR', now())`,
    [profileId, workspaceId],
  )
  await pool.query(
    `insert into goals (profile_id, id, display_name, conversion_key, source_event_names, outcome_type, revenue_type,
       attribution_eligible, created_at)
     values ($1, $2, 'Paid', 'payment_received', '{payment_received}', 'payment_received', 'cash', true, now())`,
    [profileId, goalId],
  )
  const tokenCell = { table: 'export_destinations', row: destinationId, column: 'access_token', profileId }
  await pool.query(
    `insert into export_destinations (profile_id, id, kind, target_id, destination_key, display_name, enabled,
       enabled_at, event_map, access_token, retries, created_at, updated_at)
     values ($1, $2, 'shortvideo', 'CBENCH', 'shortvideo||CBENCH', 'Bench', true, now() - interval '1 day',
       '[{"conversion_key":"payment_received","event_name":"Purchase"}]', $3, 0, now(), now())`,
    [profileId, destinationId, seal(service.keyring, tokenCell, 'token')],
  )
  // In chunks: a statement may take a minute at most.
  for (let from = 0; from < CONVERSIONS; from += INSERT_CHUNK)
    for (const statement of inserts)
      await pool.query(statement, [profileId, goalId, from + 1, Math.min(CONVERSIONS, from + INSERT_CHUNK)])
  await pool.query('analyze')
}

/** One customer per payment, each with an e-mail address. */
const id = (kind: string) => `md5('${kind}' || n)::uuid`
const numbers = 'generate_series($3::int, $4::int) as n'
/** All statements take the same parameters; this makes each one use $2. */
const usesGoal = '($2::uuid is not null)'
const HAPPENED = `timestamptz '${new Date(Date.now() - 3_600_000).toISOString()}'`
const inserts = [
  `insert into identifiers (profile_id, id, kind, customer_id) select $1, ${id('p')}, 3, ${id('p')} from ${numbers} where ${usesGoal}`,
  `insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
   select $1, ${id('p')}, 'email', ${id('e')}, 'person' || n || '@example.com', now() from ${numbers} where ${usesGoal}`,
  `insert into events (profile_id, id, occurred_at, received_at, source, external_id, name, body)
   select $1, ${id('e')}, ${HAPPENED}, now(), 'api', 'k' || n, 'payment_received',
     jsonb_build_object('identifiers', jsonb_build_array(jsonb_build_object('kind', 'email', 'id', ${id('p')})),
       'traits', jsonb_build_object('email', 'person' || n || '@example.com'), 'order_id', 'o' || n,
       'money', jsonb_build_object('minor', n, 'currency', 'EUR')) from ${numbers} where ${usesGoal}`,
  `insert into event_keys (profile_id, event_id, occurred_at, content_hash)
   select $1, ${id('e')}, ${HAPPENED}, '' from ${numbers} where ${usesGoal}`,
  `insert into conversions (profile_id, id, event_id, goal_id, identifier_id, occurred_at, recorded_at, day, outcome_type,
     revenue_type, attribution_eligible, value_minor, currency, report_value_minor, unconfirmed)
   select $1, ${id('c')}, ${id('e')}, $2, ${id('p')}, ${HAPPENED}, now(), current_date, 'payment_received',
     'cash', true, n, 'EUR', n, false from ${numbers}`,
]

async function queueAll(): Promise<void> {
  const databaseTime = await startDatabaseClock(pool)
  const cpu = process.cpuUsage()
  const start = performance.now()
  let after = '00000000-0000-0000-0000-000000000000'
  let reading = 0
  for (;;) {
    const readAt = process.cpuUsage()
    const { rows } = await pool.query<{ id: string; event_id: string }>(
      'select id, event_id from conversions where profile_id = $1 and id > $2 order by id limit $3',
      [profileId, after, QUEUE_CHUNK],
    )
    const conversions = rows.map((row) => ({
      id: row.id,
      eventId: row.event_id,
      goalId,
      occurredAt: now,
      recordedAt: now,
      provider: null,
      duplicateOf: null,
      unconfirmed: false,
    }))
    const read = process.cpuUsage(readAt)
    reading += read.user + read.system
    if (rows.length === 0) break
    after = rows.at(-1)!.id
    const batch = { conversions, deletedIds: [], hasUpdates: false }
    await db.transaction().execute((tx) => queueConversions(tx, profileId, batch, now))
  }
  const ms = performance.now() - start
  const spent = process.cpuUsage(cpu)
  const inService = (spent.user + spent.system - reading) / CONVERSIONS
  const inDatabase = ((await databaseTime()) * 1e6) / CONVERSIONS
  const each = inService + inDatabase
  print(
    `queued: ${perSecond(CONVERSIONS, ms)}/s, CPU per conversion: service ${inService.toFixed(1)} µs, database ${inDatabase.toFixed(1)} µs (reading them included); per event with one conversion in ${EVENTS_PER_CONVERSION}: ${(each / EVENTS_PER_CONVERSION).toFixed(1)} µs`,
  )
}

/** The limit: hashes each address, writes JSON and sends the same requests one after the other. */
async function bareLoop(): Promise<number> {
  const count = Math.min(CONVERSIONS, 100_000)
  const start = performance.now()
  for (let from = 0; from < count; from += BATCH) {
    const data = Array.from({ length: BATCH }, (_, n) => ({
      event: 'Purchase',
      event_time: 1_794_000_000,
      event_id: uuidv7(),
      user: {
        email: createHash('sha256')
          .update(`person${from + n}@example.com`)
          .digest('hex'),
      },
      properties: { value: 10, currency: 'EUR', order_id: `o${from + n}` },
    }))
    const body = JSON.stringify({ event_source: 'web', event_source_id: 'CBENCH', data })
    await (await fetch(platform, { method: 'POST', body })).arrayBuffer()
  }
  return count / (performance.now() - start)
}

async function sendAll(bare: number): Promise<void> {
  let mostMemory = 0
  const atStart = process.memoryUsage().rss
  const memory = setInterval(() => {
    mostMemory = Math.max(mostMemory, process.memoryUsage().rss)
  }, MEMORY_EVERY_MS)
  const databaseTime = await startDatabaseClock(pool)
  const cpu = process.cpuUsage()
  const start = performance.now()
  const worker = startWorker({ service, jobs: exportJobs, pollMs: 20 })
  // Looks for one queued row: counting them would cost the database as much as sending does.
  for (let isLeft = true; isLeft; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { rows } = await pool.query(
      `select 1 from conversion_exports
       where profile_id = $1 and destination_id = $2 and status = 'queued' order by id limit 1`,
      [profileId, destinationId],
    )
    isLeft = rows.length > 0
  }
  const ms = performance.now() - start
  clearInterval(memory)
  await worker.stop()
  const spent = process.cpuUsage(cpu)
  const { rows } = await pool.query<{ status: string; count: string }>(
    'select status, count(*) as count from conversion_exports where profile_id = $1 group by 1',
    [profileId],
  )
  imitation.send('count')
  const [{ events }] = (await once(imitation, 'message')) as [{ events: number }]
  const mib = (bytes: number) => Math.round(bytes / 1024 / 1024)
  print(
    `sent: ${perSecond(CONVERSIONS, ms)}/s, ${(CONVERSIONS / ms / bare).toFixed(2)} of the bare loop (${Math.round(bare * 1000).toLocaleString('en')}/s); CPU per conversion: service ${((spent.user + spent.system) / CONVERSIONS).toFixed(1)} µs, database ${(((await databaseTime()) * 1e6) / CONVERSIONS).toFixed(1)} µs; memory ${mib(atStart)} → at most ${mib(mostMemory)} MiB`,
  )
  print(
    `ledger: ${rows.map((row) => `${row.status} ${row.count}`).join(', ')}; the imitation received ${events}`,
  )
}

try {
  print(`${CONVERSIONS.toLocaleString('en')} conversions`)
  await fillProfile()
  await queueAll()
  const bare = await bareLoop()
  imitation.send('reset')
  await sendAll(bare)
} finally {
  imitation.kill()
  await closeService(service)
  await close()
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
