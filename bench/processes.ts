/**
 * Cost of an event with one process and with PROCESSES=auto, next to a database on the same machine: transactions, and
 * CPU of the service and the database, until the last event is processed. Each setting starts the whole service on the
 * same database.
 *
 *   node bench/processes.ts [events=20000] [connections=64] [rounds=2] [processes=1,auto]
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type OpenDatabase, openDatabase } from '@whence/server/platform/db/database.ts'
import { startEmbedded } from '@whence/server/platform/db/embedded.ts'
import { findServerPid, readServerCpu } from './cpu.ts'
import { send } from './load.ts'
import { prepare, readProcessCpu, start, type WorldKeys } from './whole-service.ts'

const events = Number(process.argv[2] ?? 20_000)
const connections = Number(process.argv[3] ?? 64)
const rounds = Number(process.argv[4] ?? 2)
const compared = (process.argv[5] ?? '1,auto').split(',')
const MAX_SECONDS = 300
/** V8 recompiles the code during the first 15,000 or so requests. */
const WARM_UP = 20_000

type Server = { url: string; keys: WorldKeys; pool: OpenDatabase['pool']; postmaster: number }

async function drain({ pool, keys }: Server): Promise<void> {
  const { profileId } = keys.first
  for (;;) {
    const { rows } = await pool.query('select 1 from event_queue where profile_id = $1 limit 1', [profileId])
    if (rows.length === 0) return
    await pause(50)
  }
}

async function countTransactions({ pool }: Server): Promise<number> {
  // Connections report their counters within a second.
  await pause(1500)
  const { rows } = await pool.query<{ count: number }>(
    `select xact_commit::int as count from pg_stat_database where datname = current_database()`,
  )
  return rows[0]!.count
}

async function measure(server: Server, processes: string): Promise<void> {
  const { baseUrl, service } = await start(server.url, server.keys, processes)
  const headers = { authorization: `Bearer ${server.keys.first.apiKey}`, 'content-type': 'application/json' }
  const load = {
    headers,
    url: `${baseUrl}/api/v1/events`,
    kind: 'event' as const,
    connections,
    batch: 1,
    key: '',
  }
  await send({ ...load, seconds: MAX_SECONDS, events: WARM_UP })
  await drain(server)
  const read = async () => ({
    transactions: await countTransactions(server),
    service: readProcessCpu(service.pid!),
    database: readServerCpu(server.postmaster),
  })
  const before = await read()
  const result = await send({ ...load, seconds: MAX_SECONDS, events })
  await drain(server)
  const after = await read()
  const micros = (name: 'service' | 'database') =>
    (((after[name] - before[name]) * 1000) / result.events).toFixed(0)
  console.log(
    `PROCESSES=${processes}: ${Math.round(result.events / result.seconds)} events/s, errors ${result.errors}, ` +
      `${((after.transactions - before.transactions) / result.events).toFixed(3)} transactions an event, ` +
      `CPU an event: service ${micros('service')} µs, database ${micros('database')} µs`,
  )
  service.kill('SIGTERM')
  await once(service, 'exit')
}

const dir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
const embedded =
  process.env.DATABASE_URL === undefined
    ? await startEmbedded({ dataDir: join(dir, 'database'), log: () => {} })
    : undefined
const url = process.env.DATABASE_URL ?? embedded!.connectionString.replace('@/', '@localhost/')
try {
  const keys = await prepare(dir, url)
  const { pool, close } = openDatabase({ connectionString: url, max: 1 })
  const server = { url, keys, pool, postmaster: await findServerPid(url) }
  for (let round = 0; round < rounds; round++)
    for (const processes of compared) await measure(server, processes)
  await close()
} finally {
  await embedded?.stop()
  await rm(dir, { recursive: true, force: true })
}
