import { mkdir, realpath, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount, type Log } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { openCluster, openSocketDir, USER } from './embedded/cluster.ts'
import { lockDirectory } from './embedded/lock.ts'
import { clearOrphan, launch, type Postmaster, socketDirOf } from './embedded/postmaster.ts'
import { PORT, type Settings, serverSettings, toArguments } from './embedded/settings.ts'
import { supervise } from './embedded/supervise.ts'

/**
 * A PostgreSQL server run by the service: binaries from an npm package, one data directory, a unix socket and no
 * network. The server stops with this process, however that ends.
 */
export type Embedded = {
  config: { host: string; port: number; user: string; database: string; ssl: false }
  connectionString: string
  /** Fast and idempotent; the data is kept. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  /** Rare, notable events: an orphan stopped, a crash. */
  log: Log
  /** Every output line of the server. */
  serverLog?: Log
  /** Server settings beyond the defaults. */
  settings?: Settings
  /** Environment variables of the server. */
  environment?: Record<string, string>
}

const DATABASE = 'whence'
/** After a crash, child processes of the old server may keep its shared memory for a while. */
const RETRY_MS = 15_000

/** The folder of the embedded database in the service's data folder. */
export function embeddedDir({ DATA_DIR }: { DATA_DIR: string }): string {
  return join(DATA_DIR, 'database')
}

export async function startEmbedded(options: EmbeddedOptions, choose = chooseAccount): Promise<Embedded> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(resolve(options.dataDir))
  const lock = lockDirectory(dataDir, join(dataDir, 'lock'))
  try {
    const account = {
      ...(await choose(await findBinaries(dataDir), dataDir)),
      environment: options.environment,
    }
    const cluster = await openCluster(account, dataDir, options.settings?.fsync !== 'off')
    await clearOrphan(cluster, options.log)
    const socketDir = await openSocketDir(account, dataDir)
    const { bavail, bsize } = await statfs(dataDir)
    const args = toArguments(serverSettings(socketDir, bavail * bsize, options.settings ?? {}))
    const server = await supervise(
      (signal) =>
        launchWithRetry(() => launch(account, cluster, args, options.serverLog ?? (() => {}), signal)),
      { dataDir, log: options.log },
    )
    const config = { host: socketDir, port: PORT, user: USER, database: DATABASE, ssl: false as const }
    await createDatabase(config).catch(async (cause) => {
      await server.stop()
      throw cause
    })
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await server.stop()
      for (const path of [socketDir, account.temporary]) {
        if (path) await rm(path, { recursive: true, force: true })
      }
      lock.release()
    }
    return {
      config,
      connectionString: `postgres://${USER}@/${DATABASE}?host=${encodeURIComponent(socketDir)}&port=${PORT}`,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (cause) {
    lock.release()
    throw cause
  }
}

/** Connection settings of the server that another Whence process runs on this data; undefined if there is none. */
export async function findRunningEmbedded(dataDir: string): Promise<Embedded['config'] | undefined> {
  const host = await socketDirOf(join(resolve(dataDir), 'postgres'))
  if (host === undefined) return undefined
  return { host, port: PORT, user: USER, database: DATABASE, ssl: false }
}

async function launchWithRetry(attempt: () => ReturnType<typeof launch>): Promise<Postmaster> {
  const deadline = Date.now() + RETRY_MS
  for (;;) {
    const result = await attempt()
    if (!('failure' in result)) return result
    const reason = result.failure.join(' ')
    const isTransient = /shared memory block|lock file|could not bind/.test(reason)
    if (!isTransient || Date.now() > deadline)
      throw new Error(`The embedded database did not start: ${reason}`)
    await delay(200)
  }
}

async function createDatabase(config: Embedded['config']): Promise<void> {
  const client = new pg.Client({ ...config, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
