/** config → database → start api, worker or both. The only file that acts on import. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createApi } from './api.ts'
import { jobs, schedules } from './app.ts'
import { backupFromCommand, restoreFromCommand } from './backup/commands.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { distributeFromCommand } from './db/distribute-command.ts'
import { type Embedded, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { showDemoProgress } from './demo-progress.ts'
import { ensurePartitions } from './features/events/partitions.ts'
import { firstRunLines, prepareFirstRun } from './first-run.ts'
import { createMetrics } from './http/metrics.ts'
import { listenForMetrics } from './http/metrics-access.ts'
import { createReadiness } from './http/readiness.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { createLog, type Log } from './log.ts'
import { readMasterKeys } from './master-keys.ts'
import { observeService } from './observe.ts'
import { givenEmbedded, isFirstProcess, processCount, runProcesses, tellServing } from './processes.ts'
import { resetFromCommand } from './reset-password.ts'
import { closeService, createService } from './service.ts'
import { version } from './version.ts'

/** What is still under way past the limits must not keep the process; nothing of it was acknowledged. */
const CLOSE_MS = 5000
/** Of the embedded database, beside those of the processes. */
const SPARE_CONNECTIONS = 20

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.LOG_LEVEL)
  const processes = processCount(config)
  const given = givenEmbedded(process.env)
  const embedded =
    config.DATABASE_URL === undefined && given === undefined
      ? await openEmbedded(config, log, processes)
      : undefined
  if (processes > 1 && isFirstProcess()) return process.exit(await runProcesses(processes, { embedded, log }))
  const database = openDatabase({
    ...(given ?? embedded?.config ?? { connectionString: config.DATABASE_URL }),
    max: config.DATABASE_POOL,
  })
  const { newer } = await migrate(database.pool)
  if (newer.length > 0) log.warn('the database is one release ahead of this process', { count: newer.length })
  await ensurePartitions(database.db, new Date())
  const masterKeys = await readMasterKeys(config, database.db)
  const service = await createService({ config, db: database.db, log, masterKeys })
  const api = config.ROLE === 'worker' ? undefined : createApi(service)
  let stopping = false
  let worker: Worker | undefined
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> | undefined
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([api?.close(), worker?.stop()])
    metricsServer?.close()
    await settledWithin(CLOSE_MS, closeService(service))
    await settledWithin(CLOSE_MS, database.close())
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  await api?.http.listen({ host: config.HOST, port: config.PORT })
  const metrics = api?.metrics ?? createMetrics()
  if (api === undefined) observeService(metrics, service)
  const readiness = api?.readiness ?? createReadiness(service, () => stopping)
  if (config.METRICS_ADDRESS)
    metricsServer = await listenForMetrics({
      address: config.METRICS_ADDRESS,
      secret: config.METRICS_SECRET,
      metrics,
      readiness,
    })
  // A start that cannot listen must not make an account whose password nobody will see.
  const isEmbedded = config.DATABASE_URL === undefined
  const first = isEmbedded ? await prepareFirstRun(service) : undefined
  if (stopping) return
  worker = config.ROLE === 'api' ? undefined : startWorker({ service, jobs, schedules, metrics })
  if (worker !== undefined) {
    service.processor.start()
    service.dispatcher.start()
  }
  if (tellServing(process.env)) banner(config, isEmbedded ? firstRunLines(config.BASE_URL, first) : [])

  if (first?.isNew && first.demo && worker !== undefined) void showDemoProgress(service, first.demo.profileId)
}

async function settledWithin(ms: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}

async function openEmbedded(config: Config, log: Log, processes: number): Promise<Embedded> {
  await mkdir(config.DATA_DIR, { recursive: true })
  return startEmbedded({
    dataDir: join(config.DATA_DIR, 'database'),
    log: (line) => log.warn(line),
    serverLog: (line) => log.debug(line),
    ...(processes > 1
      ? { settings: { max_connections: String(SPARE_CONNECTIONS + processes * config.DATABASE_POOL) } }
      : {}),
  })
}

function banner(config: Config, lines: readonly string[]): void {
  const engine = config.DATABASE_URL === undefined ? 'embedded PostgreSQL' : 'PostgreSQL server'
  process.stdout.write(
    [
      '',
      `  Whence ${version} on Node ${process.version}, ${engine}`,
      `  ${config.BASE_URL}`,
      `  API reference: ${config.BASE_URL}/docs`,
      '',
      ...lines.map((line) => `  ${line}`),
      '',
    ].join('\n'),
  )
}

/** What is done instead of serving, each with the lines to print. */
const commands: Record<string, (config: Config, args: readonly string[]) => Promise<string[]>> = {
  backup: backupFromCommand,
  distribute: distributeFromCommand,
  'reset-password': resetFromCommand,
  restore: restoreFromCommand,
}

async function run(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  const command = commands[name ?? '']
  if (command === undefined) return main()
  process.stdout.write(`${(await command(readConfig(process.env), args)).join('\n')}\n`)
}

run().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (!(error instanceof ConfigError) && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
