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

/**
 * A real PostgreSQL next to the service: the binaries of an npm package, one data directory, a unix
 * socket and nothing on the network. The server lives and dies with this process, however that dies.
 */
export type Embedded = {
  config: { host: string; port: number; user: string; database: string; ssl: false }
  connectionString: string
  /** Quick, may be called twice; the data stays. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  /** Rare and worth seeing: an orphan stopped, a crash. */
  log: Log
  /** Every line the server says. */
  serverLog?: Log
  /** Server settings beyond the defaults. */
  settings?: Settings
}

const DATABASE = 'whence'
/** After a crash, children of the old server may hold its shared memory for a while. */
const RETRY_MS = 15_000

export async function startEmbedded(options: EmbeddedOptions, choose = chooseAccount): Promise<Embedded> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(resolve(options.dataDir))
  const lock = lockDirectory(dataDir, join(dataDir, 'lock'))
  try {
    const account = await choose(await findBinaries(dataDir), dataDir)
    const cluster = await openCluster(account, dataDir, options.settings?.fsync !== 'off')
    await clearOrphan(cluster, options.log)
    const socketDir = await openSocketDir(account, dataDir)
    const { bavail, bsize } = await statfs(dataDir)
    const args = toArguments(serverSettings(socketDir, bavail * bsize, options.settings ?? {}))
    const server = await supervise(
      () => launchPatiently(() => launch(account, cluster, args, options.serverLog ?? (() => {}))),
      options.log,
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

/** How to reach the server that another process of ours runs on this data; undefined where none does. */
export async function findRunningEmbedded(dataDir: string): Promise<Embedded['config'] | undefined> {
  const host = await socketDirOf(join(resolve(dataDir), 'postgres'))
  if (host === undefined) return undefined
  return { host, port: PORT, user: USER, database: DATABASE, ssl: false }
}

/** Brings the server back when it ends without being asked to. */
async function supervise(start: () => Promise<Postmaster>, log: Log): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  let current: Promise<Postmaster | undefined> = start()
  const watch = async (server: Postmaster) => {
    await server.exited
    if (stopping) return
    log('The embedded database ended unexpectedly: starting it again.')
    current = start().catch((cause: Error) => {
      log(cause.message)
      return undefined
    })
    const next = await current
    if (next) void watch(next)
  }
  const first = await current
  if (first) void watch(first)
  return {
    async stop() {
      stopping = true
      await (await current)?.stop()
    },
  }
}

async function launchPatiently(attempt: () => ReturnType<typeof launch>): Promise<Postmaster> {
  const deadline = Date.now() + RETRY_MS
  for (;;) {
    const result = await attempt()
    if (!('failure' in result)) return result
    const reason = result.failure.join(' ')
    const passes = /shared memory block|lock file|could not bind/.test(reason)
    if (!passes || Date.now() > deadline) throw new Error(`The embedded database did not start: ${reason}`)
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
