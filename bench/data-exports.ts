/**
 * All tables of a profile as Parquet files: rows per second of a full run, of a run that finds nothing changed and of
 * one after a late event, CPU, peak memory and size. The limit is DuckDB's own `COPY … TO` of the same credits in the same run.
 *
 *   node bench/data-exports.ts [conversions=100000]
 */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sendEvent } from '@whence/server/features/facts/events/contract.ts'
import { dataExportJobs } from '@whence/server/features/outgoing/data-exports/jobs.ts'
import { insertDestination, listRuns } from '@whence/server/features/outgoing/data-exports/queries.ts'
import { queueRun } from '@whence/server/features/outgoing/data-exports/start-run.ts'
import { createClient } from '@whence/server/platform/contract/client.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { inTransaction } from '@whence/server/platform/db/database.ts'
import { fillProfile, recompute } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 100_000)
const folder = await mkdtemp(join(tmpdir(), 'whence-data-exports-'))
const world = await openWorld({ DATA_EXPORT_DIR: folder })
const { service, profileId } = world
const id = uuidv7()
const place = join(folder, profileId, 'bench')

/** Rows a second, by time and by CPU of this process: on a machine in use only the second compares. */
type Rate = { byTime: number; byCpu: number }

async function run(name: string): Promise<Rate> {
  const now = service.clock.now()
  const queued = await inTransaction(service.db, (tx) =>
    queueRun(tx, { profileId, destinationId: id, isFull: false, now }),
  )
  const context = { service, db: service.db, now, log: service.log, jobId: '', profileId, attempt: 1 }
  const rssBefore = process.memoryUsage.rss()
  let peak = rssBefore
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  const databaseClock = await startDatabaseClock(world.pool)
  const cpu = process.cpuUsage()
  const started = performance.now()
  const job = dataExportJobs.find((one) => one.name === 'data_exports.run')!
  await job.run(
    { ...context, signal: new AbortController().signal },
    { profile_id: profileId, run_id: queued.id },
  )
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  const own = process.cpuUsage(cpu)
  const database = await databaseClock()
  const [done] = await listRuns(service.db, { profileId, id: queued.id, limit: 1 })
  const rows = done!.tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = done!.tables.reduce((sum, table) => sum + table.bytes, 0)
  const days = done!.tables.reduce((sum, table) => sum + table.days_written, 0)
  console.log(
    `${name}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${days} days in ${seconds.toFixed(2)} s = ${Math.round(rows / seconds)} rows/s, memory +${Math.round((peak - rssBefore) / 1e6)} MB, CPU: service ${((own.user + own.system) / 1e6).toFixed(1)} s, database ${database.toFixed(1)} s`,
  )
  return { byTime: rows / seconds, byCpu: rows / cpuSeconds(own) }
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6

/** DuckDB reads our credits into memory, then writes them: what is measured is the writing. */
async function limit(): Promise<Rate> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  await connection.run(`create table credits as select * from read_parquet('${place}/credits/*/*.parquet')`)
  const rows = Number((await connection.runAndReadAll('select count(*) from credits')).getRows()[0]![0])
  const file = join(folder, 'limit.parquet')
  const cpu = process.cpuUsage()
  const started = performance.now()
  await connection.run(`copy credits to '${file}' (format parquet, compression zstd)`)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `DuckDB COPY of ${rows} credits: ${((await stat(file)).size / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s = ${Math.round(rows / seconds)} rows/s`,
  )
  return { byTime: rows / seconds, byCpu: rows / cpuSeconds(process.cpuUsage(cpu)) }
}

try {
  await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  await world.once(`credit of ${conversions}`, async () => {
    await recompute(world)
  })
  const now = service.clock.now()
  await inTransaction(service.db, (tx) =>
    insertDestination(tx, {
      profile_id: profileId,
      id,
      kind: 'file',
      name: 'Bench',
      target: JSON.stringify({ folder: 'bench' }),
      secret: null,
      tables: [],
      include_identifiers: false,
      schedule: 'on_demand',
      enabled: true,
      created_at: now,
      updated_at: now,
    }),
  )
  const full = await run('full run')
  const most = await limit()
  console.log(
    `ratio to DuckDB: ${(full.byTime / most.byTime).toFixed(3)} by time, ${(full.byCpu / most.byCpu).toFixed(3)} by CPU of the service`,
  )
  await run('nothing changed')
  const call = createClient({
    baseUrl: world.baseUrl,
    headers: { authorization: `Bearer ${world.apiKey}` },
  })
  const [day] = JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8')).tables[0].files
  await call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: 'late', timestamp: `${day.day ?? '2026-05-01'}T12:00:00Z` },
  })
  await service.processor.settled(profileId)
  await run('one late event')
} finally {
  await world.close()
  await rm(folder, { recursive: true, force: true })
}
