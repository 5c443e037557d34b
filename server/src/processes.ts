/**
 * More than one process behind one port. The first process starts the embedded database, where there is one, and looks
 * after the others: each is a whole service, as if it ran on a machine of its own. They share the port, which the
 * first process hands out; one that dies is started again.
 */
import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, isLoopback } from './config.ts'
import type { Embedded } from './platform/db/embedded.ts'
import type { Log } from './platform/log.ts'

/** What the first process sends to the others about the embedded database. */
const EMBEDDED = 'WHENCE_EMBEDDED'
/** Set for the one of them that prints the banner. */
const SPEAKS = 'WHENCE_SPEAKS'
const RESTART_MS = 1000

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Imitations of the providers keep what they received in memory, so they run in one process. With a database on the
 * same machine half of the cores are left to it: it spends as much on an event as the service.
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

/** The embedded database that the first process runs, as one of the others sees it. */
export function embeddedFromParent(env: Environment): Embedded['config'] | undefined {
  const given = env[EMBEDDED]
  return given === undefined ? undefined : (JSON.parse(given) as Embedded['config'])
}

/** Reports to the first process that this one serves. Returns whether it is the one that prints for all. */
export function reportServing(env: Environment): boolean {
  process.send?.('serving')
  return cluster.isPrimary || env[SPEAKS] === '1'
}

/** Settles when all have ended; the second and later ones start when the first one serves, which prepares the database. */
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

  async function keep(): Promise<void> {
    while (!stopping) {
      const code = await ended(cluster.fork(env))
      if (stopping) return
      log.error('a process of the service ended and is started again', { code: `exit ${code}` })
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
    const keepFirst = ended(first).then(() => (stopping ? undefined : keep()))
    await Promise.all([keepFirst, ...Array.from({ length: count - 1 }, keep)])
  }
  await embedded?.stop()
  return serves ? 0 : (code ?? 1)
}

function ended(worker: Worker): Promise<number> {
  return new Promise((resolve) => worker.once('exit', resolve))
}
