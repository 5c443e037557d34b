/** config → database → start api, worker or both. The only file that acts on import. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApi } from './api.ts'
import { jobs, schedules } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { type Embedded, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { showDemoProgress } from './demo-progress.ts'
import { ensurePartitions } from './features/events/partitions.ts'
import { firstRunLines, prepareFirstRun } from './first-run.ts'
import { startWorker } from './jobs/worker.ts'
import { createLog, type Log } from './log.ts'
import { generateMasterKeys } from './secrets/keyring.ts'
import { closeService, createService } from './service.ts'
import { version } from './version.ts'

/** What is still under way past the limits must not keep the process; nothing of it was acknowledged. */
const CLOSE_MS = 5000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.LOG_LEVEL)
  const embedded = config.DATABASE_URL === undefined ? await openEmbedded(config, log) : undefined
  const database = openDatabase({
    ...(embedded?.config ?? { connectionString: config.DATABASE_URL }),
    max: config.DATABASE_POOL,
  })
  await migrate(database.pool)
  await ensurePartitions(database.db, new Date())
  const masterKeys = config.MASTER_KEYS ?? (await embeddedKeys(config.DATA_DIR))
  const service = await createService({ config, db: database.db, log, masterKeys })
  const first = embedded === undefined ? undefined : await prepareFirstRun(service)
  const api = config.ROLE === 'worker' ? undefined : createApi(service)
  await api?.http.listen({ host: config.HOST, port: config.PORT })
  const worker =
    config.ROLE === 'api' ? undefined : startWorker({ service, jobs, schedules, metrics: api?.metrics })
  if (worker !== undefined) {
    service.processor.start()
    service.dispatcher.start()
  }
  banner(config, embedded === undefined ? [] : firstRunLines(config.BASE_URL, first))

  if (first?.demo && worker !== undefined) void showDemoProgress(service, first.demo.profileId)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([api?.close(), worker?.stop()])
    await settledWithin(CLOSE_MS, closeService(service))
    await settledWithin(CLOSE_MS, database.close())
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
}

async function settledWithin(ms: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}

async function openEmbedded(config: Config, log: Log): Promise<Embedded> {
  await mkdir(config.DATA_DIR, { recursive: true })
  return startEmbedded({
    dataDir: join(config.DATA_DIR, 'database'),
    log: (line) => log.warn(line),
    serverLog: (line) => log.debug(line),
  })
}

/** In embedded mode the keys are made once and kept beside the data, readable by the owner only. */
async function embeddedKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master-keys')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    const keys = generateMasterKeys()
    await writeFile(file, `${keys}\n`, { mode: 0o600, flag: 'wx' })
    return keys
  }
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

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (!(error instanceof ConfigError) && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
