/** Starts the API, the worker or both on a database. */
import { createApi } from './api.ts'
import { jobs, schedules } from './app.ts'
import type { Config } from './config.ts'
import { ensurePartitions } from './features/facts/events/partitions.ts'
import { showDemoProgress } from './features/sharing/demo/demo-progress.ts'
import { firstRunLines, prepareFirstRun } from './features/sharing/demo/first-run.ts'
import { observeService } from './observe.ts'
import { clockWarning, readSecondsAhead } from './platform/clock-difference.ts'
import { type OpenDatabase, openDatabase } from './platform/db/database.ts'
import { type Embedded, embeddedDir, findRunningEmbedded } from './platform/db/embedded.ts'
import { migrate } from './platform/db/migrate.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { listenForMetrics } from './platform/http/metrics-access.ts'
import { createReadiness } from './platform/http/readiness.ts'
import { collectWhenIdle } from './platform/idle-memory.ts'
import { type Registration, registerProcess } from './platform/jobs/live-processes.ts'
import { startWorker, type Worker } from './platform/jobs/worker.ts'
import type { Log } from './platform/log.ts'
import { readMasterKeys } from './platform/secrets/master-keys.ts'
import { startTracing } from './platform/tracing.ts'
import { readBuildId, version } from './platform/version.ts'
import { closeService, createService } from './service.ts'

/** Work beyond the time limits must not block the exit; none of it was acknowledged. */
const CLOSE_MS = 5000

type Start = {
  config: Config
  log: Log
  /** Set if this process started the embedded database. */
  embedded: Embedded | undefined
  /** Set if the primary process started it. */
  given: Embedded['config'] | undefined
  /** Returns whether this process prints the banner. */
  reportServing: () => boolean
}

export async function serve({ config, log, embedded, given, reportServing }: Start): Promise<void> {
  const database = openDatabase({
    ...(given ?? embedded?.config ?? { connectionString: config.DATABASE_URL }),
    max: config.DATABASE_POOL,
    connectionTimeoutMillis: config.DATABASE_CONNECT_SECONDS * 1000,
  })
  const { newer } = await migrateDirectly(config, database, log)
  if (newer.length > 0)
    log.warn('the database schema is newer than this process, but compatible', { count: newer.length })
  await ensurePartitions(database.db, new Date())
  const stopTracing = await startConfiguredTracing(config)
  const masterKeys = await readMasterKeys(config, database.db)
  const service = await createService({ config, db: database.db, log, masterKeys })
  const warning = clockWarning(await readSecondsAhead(service.db, service.clock.machineNow))
  if (warning !== undefined) log.warn(warning)
  const health = async () =>
    config.DATABASE_URL !== undefined || (await findRunningEmbedded(embeddedDir(config)))
      ? ('ok' as const)
      : ('embedded_database_down' as const)
  const api = config.ROLE === 'worker' ? undefined : createApi(service, health)
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
  const listen = async () => {
    await api?.http.listen({ host: config.HOST, port: config.PORT })
    if (stopping) return
    const metrics = api?.metrics ?? createMetrics()
    const readiness = api?.readiness ?? createReadiness(service, () => stopping)
    if (api === undefined) observeService(metrics, service, readiness)
    if (config.METRICS_ADDRESS)
      metricsServer = await listenForMetrics({
        address: config.METRICS_ADDRESS,
        secret: config.METRICS_SECRET,
        metrics,
        readiness,
        health,
      })
    if (stopping) return
    // Only after listening, so that a failed start does not create an account whose password is never shown.
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
        now: service.clock.machineNow,
      },
      (error) => service.log.warn('heartbeat not written', { error }),
    )
    if (stopping) return
    collectWhenIdle()
    if (reportServing()) banner(config, isEmbedded ? firstRunLines(config.BASE_URL, first) : [])

    if (first?.isNew && first.demo && worker !== undefined)
      void showDemoProgress(service, first.demo.profileId)
  }
  await listen().catch((error: unknown) => {
    // Errors caused by a concurrent stop are not startup failures.
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

/**
 * Migrates without a connection pooler, because advisory locks belong to a session, which a transaction pooler
 * shares.
 */
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
    const startedAt = performance.now()
    return await migrate((direct ?? database).pool, undefined, (progress) => {
      const { name, done, total, seconds, waits, isNewDatabase } = progress
      if (isNewDatabase) {
        const all = ((performance.now() - startedAt) / 1000).toFixed(1)
        if (done === total) log.info(`new database: ${total} migrations in ${all} s`)
        return
      }
      const waited = waits === 0 ? '' : `, retried ${waits} times because of locks`
      log.info(`migration ${done} of ${total}: ${name} in ${seconds.toFixed(1)} s${waited}`)
    })
  } finally {
    await direct?.close()
  }
}

async function settledWithin(ms: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
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
