/** config → database → start api, worker or both. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createApi } from './api.ts'
import { jobs, schedules } from './app.ts'
import { backupFromCommand, restoreFromCommand } from './commands/backup/commands.ts'
import { operatorFromCommand } from './commands/operator.ts'
import { prepareFromCommand } from './commands/prepare.ts'
import { recomputeFromCommand } from './commands/recompute.ts'
import { resetFromCommand } from './commands/reset-password.ts'
import { explainStartError } from './commands/start-errors.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { mistypedSettings } from './connectors/setting-names.ts'
import { environment } from './environment.ts'
import { showDemoProgress } from './features/account/demo/demo-progress.ts'
import { firstRunLines, prepareFirstRun } from './features/account/demo/first-run.ts'
import { ensurePartitions } from './features/facts/events/partitions.ts'
import { observeService } from './observe.ts'
import { type OpenDatabase, openDatabase } from './platform/db/database.ts'
import { distributeFromCommand } from './platform/db/distribute-command.ts'
import { type Embedded, startEmbedded } from './platform/db/embedded.ts'
import { migrate } from './platform/db/migrate.ts'
import { rebalanceFromCommand } from './platform/db/rebalance/command.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { listenForMetrics } from './platform/http/metrics-access.ts'
import { createReadiness } from './platform/http/readiness.ts'
import { collectWhenIdle } from './platform/idle-memory.ts'
import { type Registration, registerProcess } from './platform/jobs/live-processes.ts'
import { startWorker, type Worker } from './platform/jobs/worker.ts'
import { createLog, type Log } from './platform/log.ts'
import { readMasterKeys } from './platform/secrets/master-keys.ts'
import { startTracing } from './platform/tracing.ts'
import { readBuildId, version } from './platform/version.ts'
import { givenEmbedded, isFirstProcess, processCount, runProcesses, tellServing } from './processes.ts'
import { closeService, createService } from './service.ts'

/** What is still under way past the limits must not keep the process; nothing of it was acknowledged. */
const CLOSE_MS = 5000
/** Of the embedded database, in addition to those of the processes. */
const SPARE_CONNECTIONS = 20

async function main(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  for (const sentence of mistypedSettings(Object.keys(process.env), Object.keys(environment)))
    log.warn(sentence)
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
    connectionTimeoutMillis: config.DATABASE_CONNECT_SECONDS * 1000,
  })
  const { newer } = await migrateDirectly(config, database, log)
  if (newer.length > 0) log.warn('the database is one release ahead of this process', { count: newer.length })
  await ensurePartitions(database.db, new Date())
  const stopTracing = await startConfiguredTracing(config)
  const masterKeys = await readMasterKeys(config, database.db)
  const service = await createService({ config, db: database.db, log, masterKeys })
  const api = config.ROLE === 'worker' ? undefined : createApi(service)
  let stopping = false
  let worker: Worker | undefined
  let registration: Registration | undefined
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> | undefined
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([api?.close(), worker?.stop()])
    await settledWithin(CLOSE_MS, registration?.stop() ?? Promise.resolve()).catch(() => {})
    metricsServer?.close()
    await settledWithin(CLOSE_MS, closeService(service))
    await settledWithin(CLOSE_MS, database.close())
    await settledWithin(
      CLOSE_MS,
      stopTracing().catch(() => {}),
    )
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  const serve = async () => {
    await api?.http.listen({ host: config.HOST, port: config.PORT })
    if (stopping) return
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
    if (stopping) return
    // A start that cannot listen must not create an account whose password no one sees.
    const isEmbedded = config.DATABASE_URL === undefined
    const first = isEmbedded ? await prepareFirstRun(service) : undefined
    if (stopping) return
    worker = config.ROLE === 'api' ? undefined : startWorker({ service, jobs, schedules, metrics })
    if (worker !== undefined) {
      service.processor.start()
      service.dispatcher.start()
    }
    registration = await registerProcess(
      service.db,
      {
        role: config.ROLE,
        masterKeyIds: service.keyring.keys.map(({ id }) => id),
        workerSeenAt: () => worker?.seenAt(),
      },
      (error) => service.log.warn('heartbeat not written', { error }),
    )
    if (stopping) return
    collectWhenIdle()
    if (tellServing(process.env)) banner(config, isEmbedded ? firstRunLines(config.BASE_URL, first) : [])

    if (first?.isNew && first.demo && worker !== undefined)
      void showDemoProgress(service, first.demo.profileId)
  }
  await serve().catch((error: unknown) => {
    // What the stop cut off is no failure of the start.
    if (!stopping) throw error
  })
}

function startConfiguredTracing(config: Config): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return Promise.resolve(async () => {})
  return startTracing({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    role: config.ROLE,
  })
}

/** Without a pooler in between: an advisory lock is held by a session, which a transaction pooler shares. */
async function migrateDirectly(
  config: Config,
  database: OpenDatabase,
  log: Log,
): Promise<{ newer: string[] }> {
  const direct =
    config.DATABASE_DIRECT_URL === undefined
      ? undefined
      : openDatabase({ connectionString: config.DATABASE_DIRECT_URL, max: 2 })
  try {
    return await migrate((direct ?? database).pool, undefined, ({ name, done, total, seconds, waits }) => {
      const waited = waits === 0 ? '' : `, waited ${waits} times for a table`
      log.info(`migration ${done} of ${total}: ${name} in ${seconds.toFixed(1)} s${waited}`)
    })
  } finally {
    await direct?.close()
  }
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
      `  Whence ${version} (build ${readBuildId()}) on Node ${process.version}, ${engine}`,
      `  ${config.BASE_URL}`,
      `  Docs: ${config.BASE_URL}/docs`,
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
  operator: operatorFromCommand,
  prepare: prepareFromCommand,
  rebalance: rebalanceFromCommand,
  recompute: recomputeFromCommand,
  'reset-password': resetFromCommand,
  restore: restoreFromCommand,
}

async function runCommand(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  const command = commands[name ?? '']
  const config = readConfig(process.env)
  try {
    if (command === undefined) return await main(config)
    process.stdout.write(`${(await command(config, args)).join('\n')}\n`)
  } catch (error) {
    throw explainStartError(error, config)
  }
}

export async function run(): Promise<void> {
  await runCommand().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\n`)
    if (!(error instanceof ConfigError) && error instanceof Error && process.env.LOG_LEVEL === 'debug')
      process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
}
