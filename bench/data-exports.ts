/**
 * All tables of a profile as Parquet files: rows per second, CPU, peak memory and size of a full run, of a run without
 * changes and of one after a late event. The limit is DuckDB's own `COPY … TO` of the same rows in the same run.
 *
 *   node bench/data-exports.ts [conversions=100000]
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sendEvent } from '@whence/server/features/facts/events/contract.ts'
import { dataExportJobs } from '@whence/server/features/outgoing/data-exports/jobs.ts'
import { insertDestination, listRuns } from '@whence/server/features/outgoing/data-exports/queries.ts'
import { queueRun } from '@whence/server/features/outgoing/data-exports/start-run.ts'
import { exportTables } from '@whence/server/features/outgoing/data-exports/tables.ts'
import { createClient } from '@whence/server/platform/contract/client.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { inTransaction } from '@whence/server/platform/db/database.ts'
import { fillProfile, recompute } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 100_000)
/** Same as in the export: files with fewer rows are compressed with snappy, others with zstd. */
const ZSTD_ROWS = 1000
const folder = await mkdtemp(join(tmpdir(), 'whence-data-exports-'))
const world = await openWorld({ DATA_EXPORT_DIR: folder })
const { service, profileId } = world
const id = uuidv7()
const exportFolder = join(folder, profileId, 'bench')

/** Rows per second of time and of CPU of this process; on a busy machine only CPU is comparable. */
type Rate = { byTime: number; byCpu: number }
type FullRate = Rate & { byCpuOfBoth: number }

async function run(name: string): Promise<FullRate> {
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
  const job = dataExportJobs.find((candidate) => candidate.name === 'data_exports.run')!
  await job.run(
    { ...context, signal: new AbortController().signal },
    { profile_id: profileId, run_id: queued.id },
  )
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  const used = process.cpuUsage(cpu)
  const database = await databaseClock()
  const [done] = await listRuns(service.db, { profileId, id: queued.id, limit: 1 })
  const rows = done!.tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = done!.tables.reduce((sum, table) => sum + table.bytes, 0)
  const days = done!.tables.reduce((sum, table) => sum + table.days_written, 0)
  console.log(
    `${name}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${days} days in ${seconds.toFixed(2)} s = ${Math.round(rows / seconds)} rows/s, memory +${Math.round((peak - rssBefore) / 1e6)} MB, CPU: service ${cpuSeconds(used).toFixed(1)} s, database ${database.toFixed(1)} s`,
  )
  return {
    byTime: rows / seconds,
    byCpu: rows / cpuSeconds(used),
    byCpuOfBoth: rows / (cpuSeconds(used) + database),
  }
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6

/** Loads our files into DuckDB's memory and measures only its writing, table by table. */
async function measureDuckDb(isByDay: boolean, threads: number): Promise<Rate> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: String(threads) })).connect()
  const rate = { rows: 0, bytes: 0, seconds: 0, cpu: 0 }
  for (const { name, byDay } of exportTables) {
    await connection.run(
      `create table t as select * from read_parquet('${exportFolder}/${name}/**/*.parquet')`,
    )
    const result = await connection.runAndReadAll(
      'select count(*), count(distinct day) from t'.replace('day', byDay ? 'day' : '1'),
    )
    const [rows, days] = result.getRows()[0]!.map(Number) as [number, number]
    const isParted = isByDay && byDay && rows > 0
    // The same compression as our files.
    const codec = rows / (isParted ? days : 1) < ZSTD_ROWS ? 'snappy' : 'zstd'
    const to = join(folder, 'limit')
    const cpu = process.cpuUsage()
    const started = performance.now()
    await connection.run(
      `copy t to '${to}' (format parquet, compression ${codec}${isParted ? ', partition_by (day)' : ''})`,
    )
    rate.seconds += (performance.now() - started) / 1000
    rate.cpu += cpuSeconds(process.cpuUsage(cpu))
    rate.rows += rows
    rate.bytes += await sizeOf(to)
    await connection.run('drop table t')
    await rm(to, { recursive: true })
  }
  connection.closeSync()
  console.log(
    `DuckDB COPY ${isByDay ? 'by day' : 'into a file per table'}, ${threads} threads: ${rate.rows} rows, ${(rate.bytes / 1e6).toFixed(1)} MB in ${rate.seconds.toFixed(2)} s = ${Math.round(rate.rows / rate.seconds)} rows/s, CPU ${rate.cpu.toFixed(1)} s`,
  )
  return { byTime: rate.rows / rate.seconds, byCpu: rate.rows / rate.cpu }
}

async function sizeOf(path: string): Promise<number> {
  const stats = await stat(path)
  if (!stats.isDirectory()) return stats.size
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
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
  for (const isByDay of [true, false])
    for (const threads of [1, 2]) {
      const most = await measureDuckDb(isByDay, threads)
      console.log(
        `  ratio: ${(full.byTime / most.byTime).toFixed(3)} by time, ${(full.byCpu / most.byCpu).toFixed(3)} by CPU of the service, ${(full.byCpuOfBoth / most.byCpu).toFixed(3)} with the database's`,
      )
    }
  await run('nothing changed')
  const call = createClient({
    baseUrl: world.baseUrl,
    headers: { authorization: `Bearer ${world.apiKey}` },
  })
  const [day] = JSON.parse(await readFile(join(exportFolder, 'manifest.json'), 'utf8')).tables[0].files
  await call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: 'late', timestamp: `${day.day ?? '2026-05-01'}T12:00:00Z` },
  })
  await service.processor.settled(profileId)
  await run('one late event')
} finally {
  await world.close()
  await rm(folder, { recursive: true, force: true })
}
