/**
 * Several processes behind one port. The primary process starts the embedded database, if any, and supervises the
 * others: each is a complete service, as if on a separate machine. They share the port through the primary; a
 * process that exits is restarted.
 */
import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, isLoopback } from './config.ts'
import type { Embedded } from './platform/db/embedded.ts'
import type { Log } from './platform/log.ts'

/** Environment variable with the embedded database's settings for the child processes. */
const EMBEDDED = 'WHENCE_EMBEDDED'
/** Set for the child process that prints the banner. */
const SPEAKS = 'WHENCE_SPEAKS'
const RESTART_MS = 1000

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Simulated providers keep received requests in memory, so a sandbox has one process. With a database on the same
 * machine half of the cores are left to it, because it needs as much CPU per event as the service.
 */
export function processCount(
  config: Pick<Config, 'PROCESSES' | 'SANDBOX' | 'DATABASE_URL'>,
  cores = availableParallelism(),
): number {
  if (config.SANDBOX) return 1
  if (config.PROCESSES !== 'auto') return config.PROCESSES
  return isOnThisMachine(config.DATABASE_URL) ? Math.max(1, Math.floor(cores / 2)) : cores
}

/** Whether the database is on this machine: embedded, on a loopback address or behind a socket. */
function isOnThisMachine(databaseUrl: string | undefined): boolean {
  if (databaseUrl === undefined) return true
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  return host === '' || host.startsWith('/') || isLoopback(host)
}

export function isFirstProcess(): boolean {
  return cluster.isPrimary
}

/** Connection settings of the embedded database that the primary process runs, for a child process. */
export function embeddedFromParent(env: Environment): Embedded['config'] | undefined {
  const settings = env[EMBEDDED]
  return settings === undefined ? undefined : (JSON.parse(settings) as Embedded['config'])
}

/** Notifies the primary process that this one is serving. Returns whether this one prints the banner. */
export function reportServing(env: Environment): boolean {
  process.send?.('serving')
  return cluster.isPrimary || env[SPEAKS] === '1'
}

/**
 * Resolves when all have ended. The others start once the first one is serving, because that one prepares the
 * database.
 */
export async function runProcesses(
  count: number,
  parts: { embedded: Embedded | undefined; log: Log },
): Promise<number> {
  const { embedded, log } = parts
  const env = embedded === undefined ? {} : { [EMBEDDED]: JSON.stringify(embedded.config) }
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    stopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))

  async function supervise(): Promise<void> {
    while (!stopping) {
      const code = await ended(cluster.fork(env))
      if (stopping) return
      log.error('a service process exited and is restarted', { code: `exit ${code}` })
      await pause(RESTART_MS)
    }
  }

  const first = cluster.fork({ ...env, [SPEAKS]: '1' })
  const serves = await Promise.race([
    new Promise<true>((resolve) => first.once('message', () => resolve(true))),
    ended(first).then(() => false as const),
  ])
  const code = first.process.exitCode
  if (serves) {
    const keepFirst = ended(first).then(() => (stopping ? undefined : supervise()))
    await Promise.all([keepFirst, ...Array.from({ length: count - 1 }, supervise)])
  }
  await embedded?.stop()
  return serves ? 0 : (code ?? 1)
}

function ended(worker: Worker): Promise<number> {
  return new Promise((resolve) => worker.once('exit', resolve))
}
